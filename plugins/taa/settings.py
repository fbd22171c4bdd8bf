"""Settings of temporal anti-aliasing."""

from __future__ import annotations

from pydantic import BaseModel, Field


class TaaSettings(BaseModel):
    """What can be chosen."""

    samples: int = Field(16, ge=2, le=64, description="places within a texel that are sampled before they repeat")
    feedback: float = Field(0.95, ge=0.5, le=0.99, description="share of the picture that stays from frame to frame")
    variance_gamma: float = Field(
        1.5,
        ge=0.5,
        le=4.0,
        description="how far the past may differ, in standard deviations; more flickers less",
    )
    sharpness: float = Field(0.25, ge=0.0, le=1.0, description="how much the result is sharpened; 0 leaves that out")
