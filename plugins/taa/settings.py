"""Settings of temporal anti-aliasing."""

from __future__ import annotations

from pydantic import BaseModel, Field


class TaaSettings(BaseModel):
    """User settings."""

    samples: int = Field(16, ge=2, le=64, description="length of the jitter sequence")
    feedback: float = Field(0.95, ge=0.5, le=0.99, description="weight of the history in each frame")
    variance_gamma: float = Field(
        1.5,
        ge=0.5,
        le=4.0,
        description="size of the clipping box for the history, in standard deviations; more flickers less",
    )
    sharpness: float = Field(0.25, ge=0.0, le=1.0, description="strength of the sharpening; 0 removes the pass")
