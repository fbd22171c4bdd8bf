"""The rules and the waves as data: YAML to checked values, with errors that name the file and the line."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

from pydantic import Field

from renderwright.engine.content import Content, ContentModel, Place, load_content
from renderwright.render.suggest import did_you_mean

FOLDER = Path(__file__).parent

Positive = Annotated[float, Field(gt=0.0)]
Share = Annotated[float, Field(ge=0.0, le=1.0)]
Count = Annotated[int, Field(ge=1, le=40)]


class Arena(ContentModel):
    """The disc in which everything stays. ``bounce`` is the share of the speed that its rim gives back."""

    radius: Positive
    bounce: Share


class Sun(ContentModel):
    """The sun in the middle, which pulls with ``gravity`` / distance²."""

    radius: Positive
    gravity: float = Field(ge=0.0)


class ShipRules(ContentModel):
    """How a ship flies, and how often it may crash."""

    radius: Positive
    turn: Positive
    thrust: Positive
    brake: Positive
    drag: Share
    bounce: Share
    lives: int = Field(ge=1, le=9)
    extra_life: int = Field(ge=1)
    shield: float = Field(ge=0.0)
    away: float = Field(ge=0.0)


class ShotRules(ContentModel):
    """How shots fly, and how often a ship fires."""

    radius: Positive
    speed: Positive
    life: Positive
    every: Positive


class RockKind(ContentModel):
    """A kind of rock: what it splits into, and how far its ``blast`` breaks others."""

    radius: Positive
    score: int = Field(ge=0)
    color: tuple[float, float, float]
    splits: dict[str, Count] = Field(default_factory=dict)
    blast: float = Field(default=0.0, ge=0.0)


class Rules(ContentModel):
    """All of ``rules.yaml``."""

    arena: Arena
    sun: Sun
    ship: ShipRules
    shot: ShotRules
    kick: float = Field(ge=0.0)
    pause: float = Field(ge=0.0)
    faster: float = Field(ge=1.0)
    rocks: dict[str, RockKind] = Field(min_length=1)


class Wave(ContentModel):
    """The rocks of a wave. ``pace`` is their speed against that of the dust."""

    name: str
    rocks: dict[str, Count] = Field(min_length=1)
    pace: Positive = 1.0


def load_rules(file: Path = FOLDER / "rules.yaml") -> Rules:
    """The rules of a file. Raises ``AssetError`` with file, line and column."""
    content = load_content(file, Rules)
    rules = content.value
    for name, kind in rules.rocks.items():
        for piece in kind.splits:
            place = ("rocks", name, "splits", piece)
            _check_rock(content, place, piece, rules)
            if rules.rocks[piece].radius >= kind.radius:
                message = f'"{name}" splits into "{piece}", which is not smaller, so a wave would never end'
                raise content.error(message, f"give {piece} a radius below {kind.radius:g}", place)
    return rules


def load_waves(rules: Rules, file: Path = FOLDER / "waves.yaml") -> tuple[Wave, ...]:
    """The waves of a file, at least one. Raises ``AssetError`` with file, line and column."""
    content = load_content(file, tuple[Wave, ...])
    if not content.value:
        raise content.error("there is no wave", "a wave has a name and rocks")
    for number, wave in enumerate(content.value):
        for rock in wave.rocks:
            _check_rock(content, (number, "rocks", rock), rock, rules)
    return content.value


def _check_rock(content: Content[Any], place: Place, name: str, rules: Rules) -> None:
    if name not in rules.rocks:
        raise content.error(f'unknown rock "{name}"', did_you_mean(name, rules.rocks), place, key=True)
