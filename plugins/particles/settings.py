"""Settings of particles."""

from __future__ import annotations

from pydantic import BaseModel, Field


class ParticleSettings(BaseModel):
    """User settings."""

    brightness: float = Field(1.0, ge=0.0, le=10.0, description="scale of the light of all particles")
