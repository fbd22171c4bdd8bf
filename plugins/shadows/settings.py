"""Settings of the shadows."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, Field

from renderwright.engine.renderer.lights.shadow_places import MOST_SHADOWED


class ShadowSettings(BaseModel):
    """User settings."""

    size: int = Field(1024, ge=128, le=4096, description="resolution of a cascade, in texels along a side")
    distance: float = Field(60.0, ge=1.0, le=1000.0, description="distance at which shadows end, in metres")
    casters: float = Field(60.0, ge=1.0, le=1000.0, description="depth range towards the sun, in metres")
    split: float = Field(0.7, ge=0.0, le=1.0, description="cascade splits: 0 uniform, 1 logarithmic")
    blend: float = Field(0.15, ge=0.0, le=0.5, description="share of a cascade in which it fades into the next")
    rate: int = Field(1, ge=1, le=16, description="update interval of the farthest cascade, in frames")
    taps: int = Field(16, ge=4, le=64, description="shadow map samples per texel")
    edges: Literal["pcf", "pcss"] = Field(
        "pcf", description="soft edges: pcf of fixed width, or pcss of the light's size"
    )
    softness: float = Field(2.0, ge=0.5, le=8.0, description="filter radius of pcf, in texels")
    widest: float = Field(24.0, ge=1.0, le=64.0, description="largest filter radius of the sun with pcss, in texels")
    sun_angle: float = Field(0.03, ge=0.001, le=0.3, description="angular diameter of the sun for pcss, in radians")
    light_radius: float = Field(0.15, ge=0.0, le=2.0, description="radius of point and spot lights for pcss, in metres")
    slope_bias: float = Field(1.5, ge=0.0, le=8.0, description="slope-scaled depth bias of casters")
    normal_bias: float = Field(0.75, ge=0.0, le=4.0, description="offset of receivers along their normals, in texels")
    lights: int = Field(8, ge=0, le=MOST_SHADOWED, description="largest number of local lights that cast shadows")
    light_size: int = Field(512, ge=64, le=1024, description="resolution of a light's map, in texels along a side")
