"""Settings of ambient occlusion."""

from __future__ import annotations

from enum import StrEnum

from pydantic import BaseModel, Field


class Quality(StrEnum):
    """Resolution of the search relative to the picture. The result is always upsampled to full size."""

    HALF = "half"
    FULL = "full"

    @property
    def step(self) -> int:
        """Side of a search texel, in texels of the picture."""
        return 2 if self is Quality.HALF else 1


class SsaoSettings(BaseModel):
    """User settings."""

    radius: float = Field(1.0, ge=0.05, le=20.0, description="largest distance of an occluder, in metres")
    intensity: float = Field(1.0, ge=0.0, le=4.0, description="exponent of the visibility: 1 is physical, 0 is off")
    slices: int = Field(2, ge=1, le=16, description="slices (directions) per texel")
    steps: int = Field(6, ge=2, le=32, description="samples along each side of a slice")
    quality: Quality = Field(Quality.HALF, description="search at half or full resolution")
    multi_bounce: bool = Field(True, description="approximate interreflections with the albedo")
