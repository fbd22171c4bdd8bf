"""Settings of supersampling."""

from __future__ import annotations

import math

from pydantic import BaseModel, Field, field_validator

MOST = 16
"""A shader can rely on so many textures at once in Vulkan."""


class SsaaSettings(BaseModel):
    """What can be chosen."""

    samples: int = Field(4, ge=1, le=MOST, description="pictures of which each view is the mean: 1, 4, 9 or 16")

    @field_validator("samples")
    @classmethod
    def _square(cls, samples: int) -> int:
        if math.isqrt(samples) ** 2 != samples:
            raise ValueError("the samples of a texel are a grid: give 1, 4, 9 or 16")
        return samples
