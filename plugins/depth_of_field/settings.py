"""Settings of depth of field."""

from __future__ import annotations

from pydantic import BaseModel, Field


class DepthOfFieldSettings(BaseModel):
    """User settings."""

    focus: float = Field(0.0, ge=0.0, le=10000.0, description="focus distance in metres; 0: the picture's centre")
    aperture: float = Field(0.1, ge=0.0, le=10.0, description="diameter of the lens in metres; 0: no blur")
    largest: float = Field(0.02, ge=0.001, le=0.1, description="largest blur radius, as a share of the height")
    taps: int = Field(48, ge=8, le=128, description="samples per texel")
