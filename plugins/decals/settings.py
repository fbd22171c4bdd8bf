"""Settings of decals."""

from __future__ import annotations

from pydantic import BaseModel, Field


class DecalSettings(BaseModel):
    """User settings."""

    opacity: float = Field(1.0, ge=0.0, le=1.0, description="scale of the opacity of all decals")
