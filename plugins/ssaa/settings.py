"""Settings of supersampling."""

from __future__ import annotations

import math

from pydantic import BaseModel, Field, field_validator

MOST = 16
"""Largest number of samples: Vulkan guarantees 16 sampled images per shader stage."""


class SsaaSettings(BaseModel):
    """User settings."""

    samples: int = Field(4, ge=1, le=MOST, description="samples per texel: 1, 4, 9 or 16")

    @field_validator("samples")
    @classmethod
    def _square(cls, samples: int) -> int:
        if math.isqrt(samples) ** 2 != samples:
            raise ValueError("samples form a square grid: use 1, 4, 9 or 16")
        return samples
