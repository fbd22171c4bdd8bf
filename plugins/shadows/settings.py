"""Settings of the shadows."""

from __future__ import annotations

from pydantic import BaseModel, Field


class ShadowSettings(BaseModel):
    """What can be chosen."""

    size: int = Field(1024, ge=128, le=4096, description="texels along the side of one cascade")
    distance: float = Field(60.0, ge=1.0, le=1000.0, description="how far from the camera shadows reach, in metres")
    casters: float = Field(60.0, ge=1.0, le=1000.0, description="how far towards the sun casters count, in metres")
    split: float = Field(0.7, ge=0.0, le=1.0, description="cascade sizes: 0 all alike, 1 growing by a fixed factor")
    softness: float = Field(2.0, ge=0.5, le=8.0, description="radius of the soft edge, in texels of the shadow map")
    blend: float = Field(0.15, ge=0.0, le=0.5, description="share of a cascade in which it fades into the next")
