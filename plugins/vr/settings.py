"""What can be chosen."""

from __future__ import annotations

from enum import StrEnum

from pydantic import BaseModel, Field

from renderwright.plugins.vr.headset import Lens


class Device(StrEnum):
    """What the game is seen in."""

    SIMULATED = "simulated"
    OPENXR = "openxr"


class VrSettings(BaseModel):
    """The settings of VR."""

    device: Device = Field(Device.SIMULATED, description="the headset; openxr needs renderwright[vr] and a runtime")
    ipd: float = Field(0.063, ge=0.0, le=0.2, description="distance of the simulated headset's eyes, in metres")
    poses: str = Field("look_around", description="how the simulated head moves: still, look_around, or a .yaml file")
    scale: float = Field(1.0, ge=0.001, le=1000.0, description="game units per metre: larger makes the world smaller")
    fill: bool = Field(True, description="sit near enough that what the camera looks at fills the view as it did")
    k1: float = Field(0.12, ge=-1.0, le=1.0, description="distortion of the simulated lenses, with the square")
    k2: float = Field(0.05, ge=-1.0, le=1.0, description="distortion of the simulated lenses, with the fourth power")
    spread: float = Field(0.006, ge=0.0, le=0.1, description="how far the simulated lenses part red and blue, a share")
    hud_distance: float = Field(1.6, ge=0.2, le=20.0, description="of the HUD before the eyes, in metres")
    hud_width: float = Field(1.5, ge=0.1, le=20.0, description="of the HUD, in metres")

    @property
    def lens(self) -> Lens:
        """What a picture has to make up for: the simulated lenses; a real headset's runtime does that itself."""
        return Lens(self.k1, self.k2, self.spread) if self.device is Device.SIMULATED else Lens()
