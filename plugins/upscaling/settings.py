"""Settings of temporal upscaling."""

from __future__ import annotations

from pydantic import BaseModel, Field


class UpscalingSettings(BaseModel):
    """User settings."""

    scale: float = Field(
        0.67, ge=0.5, le=1.0, description="share of the width and height at which the scene is rendered"
    )
    accumulation: float = Field(
        24.0, ge=4.0, le=64.0, description="samples that a texel of the picture accumulates, where nothing moves"
    )
    variance_gamma: float = Field(
        1.5, ge=0.5, le=4.0, description="size of the clipping box for a changed history, in standard deviations"
    )
    sharpness: float = Field(0.25, ge=0.0, le=1.0, description="strength of the sharpening")
