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
    """What can be chosen. The settings below ``auto_exposure`` count only when it is on."""

    operator: Operator = Field(Operator.AGX, description="the curve: agx, aces or neutral")
    exposure: float = Field(0.0, ge=-10.0, le=10.0, description="brightness in stops (powers of two)")
    dither: bool = Field(True, description="hide the steps of 8-bit colour with noise below one step")
    auto_exposure: bool = Field(False, description="adapt to the picture's brightness, as an eye does")
    darken: float = Field(6.0, ge=0.0, le=16.0, description="most stops that a bright picture is darkened by")
    brighten: float = Field(4.0, ge=0.0, le=16.0, description="most stops that a dark picture is brightened by")
    speed_to_light: float = Field(3.0, ge=0.0, le=100.0, description="rate of adapting to more light, per second")
    speed_to_dark: float = Field(1.0, ge=0.0, le=100.0, description="rate of adapting to less light, per second")
    ignore_dark: float = Field(0.5, ge=0.0, le=0.75, description="share of the picture, its darkest, left unmeasured")
    ignore_bright: float = Field(0.05, ge=0.0, le=0.2, description="share of the picture, its brightest, left out")
    center: float = Field(0.5, ge=0.0, le=1.0, description="how much the middle counts more than the borders")
