"""Settings of the shadows."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, Field


class ShadowSettings(BaseModel):
    """What can be chosen."""

    size: int = Field(1024, ge=128, le=4096, description="texels along the side of one cascade")
    distance: float = Field(60.0, ge=1.0, le=1000.0, description="how far from the camera shadows reach, in metres")
    casters: float = Field(60.0, ge=1.0, le=1000.0, description="how far towards the sun depth is exact, in metres")
    split: float = Field(0.7, ge=0.0, le=1.0, description="cascade sizes: 0 all alike, 1 growing by a fixed factor")
    blend: float = Field(0.15, ge=0.0, le=0.5, description="share of a cascade in which it fades into the next")
    rate: int = Field(1, ge=1, le=16, description="the farthest cascade is drawn in one of so many frames")
    taps: int = Field(16, ge=4, le=64, description="samples of a map for each texel of the picture")
    edges: Literal["pcf", "pcss"] = Field("pcf", description="soft edges: all alike, or wider away from what casts")
    softness: float = Field(2.0, ge=0.5, le=8.0, description="radius of the edges (pcss: the least one), in texels")
    widest: float = Field(24.0, ge=1.0, le=64.0, description="radius of the widest pcss edges of the sun, in texels")
    sun_angle: float = Field(0.03, ge=0.001, le=0.3, description="angle across the sun for pcss, in radians")
    light_radius: float = Field(0.15, ge=0.0, le=2.0, description="radius of the local lights for pcss, in metres")
    slope_bias: float = Field(1.5, ge=0.0, le=8.0, description="bias of what casts, by its slope")
    normal_bias: float = Field(1.0, ge=0.0, le=4.0, description="bias of what receives along its normal, in texels")
    lights: int = Field(4, ge=0, le=4, description="local lights that may cast shadows at once")
    light_size: int = Field(512, ge=64, le=1024, description="texels along the side of one of a local light's maps")
