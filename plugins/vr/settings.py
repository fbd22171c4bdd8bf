"""Settings of VR."""

from __future__ import annotations

from enum import StrEnum

from pydantic import BaseModel, Field

from renderwright.plugins.vr.headset import Lens


class Device(StrEnum):
    """The kind of headset."""

    SIMULATED = "simulated"
    OPENXR = "openxr"


class VrSettings(BaseModel):
    """User settings."""

    device: Device = Field(Device.SIMULATED, description="the headset; openxr needs renderwright[vr] and a runtime")
    ipd: float = Field(0.063, ge=0.0, le=0.2, description="interpupillary distance of the simulated headset, in metres")
    poses: str = Field("look_around", description="script of the simulated head: still, look_around, or a .yaml file")
    scale: float = Field(1.0, ge=0.001, le=1000.0, description="game units per metre: larger makes the world smaller")
    fill: bool = Field(True, description="move the seat closer so that the target fills the view as on a screen")
    k1: float = Field(0.12, ge=-1.0, le=1.0, description="distortion of the simulated lenses, coefficient of r^2")
    k2: float = Field(0.05, ge=-1.0, le=1.0, description="distortion of the simulated lenses, coefficient of r^4")
    spread: float = Field(0.006, ge=0.0, le=0.1, description="chromatic aberration of the simulated lenses, as a share")
    hud_distance: float = Field(1.6, ge=0.2, le=20.0, description="distance of the HUD panel, in metres")
    hud_width: float = Field(1.5, ge=0.1, le=20.0, description="width of the HUD panel, in metres")

    @property
    def lens(self) -> Lens:
        """Distortion to correct for. A real headset's runtime corrects its own."""
        return Lens(self.k1, self.k2, self.spread) if self.device is Device.SIMULATED else Lens()
