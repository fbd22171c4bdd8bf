"""Settings of screen-space reflections."""

from __future__ import annotations

from pydantic import BaseModel, Field


class SsrSettings(BaseModel):
    """User settings."""

    roughness: float = Field(0.5, ge=0.05, le=1.0, description="roughness from which surfaces reflect nothing of it")
    steps: int = Field(64, ge=8, le=512, description="most cells of the depth pyramid that a ray visits")
    thickness: float = Field(0.3, ge=0.01, le=100.0, description="thickness assumed for what is seen, in metres")
    fade: float = Field(0.1, ge=0.0, le=0.5, description="share of the picture at its edges where reflections fade")
    intensity: float = Field(1.0, ge=0.0, le=1.0, description="share of the environment's reflection that is replaced")
    frames: int = Field(16, ge=1, le=64, description="frames whose rays are averaged on rough surfaces")
