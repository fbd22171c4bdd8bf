"""Settings of the tone mapper."""

from __future__ import annotations

from enum import StrEnum

from pydantic import BaseModel, Field


class Operator(StrEnum):
    """How bright colours are brought into range."""

    AGX = "agx"
    ACES = "aces"
    NEUTRAL = "neutral"


class TonemapSettings(BaseModel):
    """What can be chosen."""

    operator: Operator = Field(Operator.AGX, description="the curve: agx, aces or neutral")
    exposure: float = Field(0.0, ge=-10.0, le=10.0, description="brightness in stops (powers of two)")
    dither: bool = Field(True, description="hide the steps of 8-bit colour with noise below one step")
