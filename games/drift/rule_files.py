"""The rules and the waves as data: YAML to checked values, with errors that name the file and the line."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, TypeVar

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from renderwright.engine.skeleton.document import Document, read_document
from renderwright.render.errors import AssetError
from renderwright.render.files import read_text
from renderwright.render.suggest import did_you_mean

T = TypeVar("T")

FOLDER = Path(__file__).parent
MAX_BYTES = 1 << 20

Positive = Annotated[float, Field(gt=0.0)]
Share = Annotated[float, Field(ge=0.0, le=1.0)]
Count = Annotated[int, Field(ge=1, le=40)]


class _Model(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


class Arena(_Model):
    """The disc in which everything stays. ``bounce`` is the share of the speed that its rim gives back."""

    radius: Positive
    bounce: Share


class Sun(_Model):
    """The sun in the middle, which pulls with ``gravity`` / distance²."""

    radius: Positive
    gravity: float = Field(ge=0.0)


class ShipRules(_Model):
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


class ShotRules(_Model):
    """How shots fly, and how often a ship fires."""

    radius: Positive
    speed: Positive
    life: Positive
    every: Positive


class RockKind(_Model):
    """A kind of rock: what it splits into, and how far its ``blast`` breaks others."""

    radius: Positive
    score: int = Field(ge=0)
    color: tuple[float, float, float]
    splits: dict[str, Count] = {}
    blast: float = Field(default=0.0, ge=0.0)


class Rules(_Model):
    """All of ``rules.yaml``."""

    arena: Arena
    sun: Sun
    ship: ShipRules
    shot: ShotRules
    kick: float = Field(ge=0.0)
    pause: float = Field(ge=0.0)
    faster: float = Field(ge=1.0)
    rocks: dict[str, RockKind] = Field(min_length=1)


class Wave(_Model):
    """The rocks of a wave. ``pace`` is their speed against that of the dust."""

    name: str
    rocks: dict[str, Count] = Field(min_length=1)
    pace: Positive = 1.0


def load_rules(file: Path = FOLDER / "rules.yaml") -> Rules:
    """The rules of a file. Raises ``AssetError`` with file, line and column."""
    document, rules = _loaded(file, Rules)
    for name, kind in rules.rocks.items():
        for piece in kind.splits:
            place = ("rocks", name, "splits", piece)
            _check_rock(document, place, piece, rules)
            if rules.rocks[piece].radius >= kind.radius:
                raise AssetError(
                    f'"{name}" splits into "{piece}", which is not smaller, so a wave would never end',
                    hint=f"give {piece} a radius below {kind.radius:g}",
                    where=document.where(place),
                )
    return rules


def load_waves(rules: Rules, file: Path = FOLDER / "waves.yaml") -> tuple[Wave, ...]:
    """The waves of a file, at least one. Raises ``AssetError`` with file, line and column."""
    document, waves = _loaded(file, tuple[Wave, ...])
    if not waves:
        raise AssetError("there is no wave", hint="a wave has a name and rocks", where=document.where(()))
    for number, wave in enumerate(waves):
        for rock in wave.rocks:
            _check_rock(document, (number, "rocks", rock), rock, rules)
    return waves


def _check_rock(document: Document, place: tuple[str | int, ...], name: str, rules: Rules) -> None:
    if name not in rules.rocks:
        raise AssetError(
            f'unknown rock "{name}"', hint=did_you_mean(name, rules.rocks), where=document.where_key(place)
        )


def _loaded(file: Path, type: type[T]) -> tuple[Document, T]:
    try:
        document = read_document(read_text(file, MAX_BYTES), str(file))
    except (OSError, UnicodeDecodeError) as error:
        raise AssetError(f'cannot read "{file}": {error}', hint="check the path and the encoding") from error
    if document.problems:
        problem = document.problems[0]
        raise AssetError(problem.text, hint="the file is plain YAML", where=problem.where)
    try:
        return document, TypeAdapter(type).validate_python(document.data)
    except ValidationError as error:
        first = error.errors()[0]
        place = tuple(first["loc"])
        name = ".".join(str(part) for part in place) or "the file"
        raise AssetError(
            f"{name}: {first['msg']}", hint=f"the value is {first['input']!r}", where=document.where(place)
        ) from error
