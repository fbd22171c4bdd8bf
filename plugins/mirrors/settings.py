"""Settings of mirrors."""

from __future__ import annotations

from pydantic import BaseModel, Field


class MirrorSettings(BaseModel):
    """User settings."""

    scale: float = Field(1.0, ge=0.1, le=2.0, description="size of a mirror's picture, as a share of the view's")
    every: int = Field(0, ge=0, le=60, description="frames from one picture to the next; 0: as the game says")
