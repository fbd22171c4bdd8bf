"""Settings of ambient occlusion."""

from __future__ import annotations

from enum import StrEnum

from pydantic import BaseModel, Field


class Quality(StrEnum):
    """The resolution of the search, as a share of the picture's; the result is always brought to full size."""

    HALF = "half"
    FULL = "full"

    @property
    def step(self) -> int:
        """Texels of the picture along a texel of the search."""
        return 2 if self is Quality.HALF else 1


class SsaoSettings(BaseModel):
    """What can be chosen."""

    radius: float = Field(1.0, ge=0.05, le=20.0, description="how far away something can be and occlude, in metres")
    intensity: float = Field(1.0, ge=0.0, le=4.0, description="exponent of the visibility: 1 is true to life, 0 is off")
    slices: int = Field(2, ge=1, le=16, description="directions that are searched at each texel")
    steps: int = Field(6, ge=2, le=32, description="samples along each side of a direction")
    quality: Quality = Field(Quality.HALF, description="search at half or full resolution")
    multi_bounce: bool = Field(True, description="light that bright surfaces throw into one another's corners")
