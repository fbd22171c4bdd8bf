"""Settings of bloom."""

from __future__ import annotations

from pydantic import BaseModel, Field


class BloomSettings(BaseModel):
    """User settings."""

    intensity: float = Field(0.08, ge=0.0, le=1.0, description="share of the light that spreads")
    levels: int = Field(5, ge=2, le=8, description="number of mips; more mips spread light wider")
    spread: float = Field(0.7, ge=0.0, le=1.0, description="weight of the wide levels against the narrow ones")
