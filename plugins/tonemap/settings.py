"""Settings of the tone mapper."""

from __future__ import annotations

from enum import StrEnum

from pydantic import BaseModel, Field


class Operator(StrEnum):
    """The tone curve."""

    AGX = "agx"
    ACES = "aces"
    NEUTRAL = "neutral"


class TonemapSettings(BaseModel):
    """User settings. Those after ``auto_exposure`` apply only if it is on."""

    operator: Operator = Field(Operator.AGX, description="tone curve: agx, aces or neutral")
    exposure: float = Field(0.0, ge=-10.0, le=10.0, description="brightness in stops (powers of two)")
    dither: bool = Field(True, description="dither to hide 8-bit banding")
    auto_exposure: bool = Field(False, description="adapt the exposure to the picture's luminance")
    darken: float = Field(6.0, ge=0.0, le=16.0, description="largest darkening of a bright picture, in stops")
    brighten: float = Field(4.0, ge=0.0, le=16.0, description="largest brightening of a dark picture, in stops")
    speed_to_light: float = Field(3.0, ge=0.0, le=100.0, description="adaptation rate towards more light, per second")
    speed_to_dark: float = Field(1.0, ge=0.0, le=100.0, description="adaptation rate towards less light, per second")
    ignore_dark: float = Field(0.5, ge=0.0, le=0.75, description="share of the darkest texels to ignore")
    ignore_bright: float = Field(0.05, ge=0.0, le=0.2, description="share of the brightest texels to ignore")
    center: float = Field(0.5, ge=0.0, le=1.0, description="centre weighting of the measurement")
