"""Scalar types of the description format, with their error messages."""

from __future__ import annotations

import math
from collections.abc import Collection
from enum import StrEnum
from typing import Annotated, Any

from pydantic import AfterValidator, BeforeValidator, Field, WithJsonSchema
from pydantic_core import PydanticCustomError

from renderwright.engine.skeleton.problems import shown
from renderwright.render.formats import FORMATS
from renderwright.render.graph.requests import FirstFrame
from renderwright.render.suggest import did_you_mean
from renderwright.render.types.usages import ShaderStage, Usage


class Queue(StrEnum):
    """Queues that a node may run on."""

    GRAPHICS = "graphics"
    COMPUTE = "compute"
    COPY = "copy"


def wrong(message: str) -> PydanticCustomError:
    """A validation error whose message is shown unchanged."""
    return PydanticCustomError("wrong", "{text}", {"text": message})


def unknown_word(kind: str, word: str, known: Collection[str]) -> str:
    """``unknown usage "smapled", did you mean "sampled"? Allowed: ...``."""
    suggestion = did_you_mean(word, known)
    near = f", {suggestion} Allowed" if suggestion.startswith("did") else "; allowed"
    return f"unknown {kind} {shown(word)}{near}: {', '.join(dict.fromkeys(known))}"


def _word(kind: str, known: type[StrEnum]) -> BeforeValidator:
    def check(value: Any) -> StrEnum:
        if not isinstance(value, str):
            raise wrong(f"expected a {kind}, got {shown(value)}; allowed: {', '.join(known)}")
        if value not in list(known):
            raise wrong(unknown_word(kind, value, list(known)))
        return known(value)

    return BeforeValidator(check)


def _check_format(name: str) -> str:
    if name not in FORMATS:
        raise wrong(unknown_word("texture format", name, sorted(FORMATS)))
    return name


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _check_clear(value: Any) -> float | tuple[float, ...]:
    if _is_number(value):
        return float(value)
    if isinstance(value, tuple) and len(value) == 4 and all(_is_number(part) for part in value):
        return tuple(float(part) for part in value)
    raise wrong(f"expected [red, green, blue, alpha], or one number for depth; got {shown(value)}")


def _check_state(value: Any) -> Any:
    if isinstance(value, str | bool) or _is_number(value):
        return value
    if isinstance(value, tuple) and all(_is_number(part) for part in value):
        return value
    raise wrong(f"expected text, a number, true or false, or a list of numbers; got {shown(value)}")


_NUMBERS = {"type": "array", "items": {"type": "number"}}

Name = Annotated[str, Field(pattern=r'^[^\s@"\x00-\x1f\x7f]+$', max_length=200)]
UsageWord = Annotated[Usage, _word("usage", Usage)]
StageWord = Annotated[ShaderStage, _word("shader stage", ShaderStage)]
QueueWord = Annotated[Queue, _word("queue", Queue)]
FirstWord = Annotated[FirstFrame, _word("first-frame policy", FirstFrame)]
FormatName = Annotated[str, AfterValidator(_check_format), Field(json_schema_extra={"enum": sorted(FORMATS)})]
Number = Annotated[int, Field(ge=0, lt=2048)]
FirstAndCount = tuple[Number, Annotated[int, Field(ge=1, le=2048)]]
Texels = Annotated[int, Field(ge=1, le=16384)]
Scale = Annotated[float, Field(gt=0, le=64, allow_inf_nan=False)]
Clear = Annotated[
    Any,
    AfterValidator(_check_clear),
    WithJsonSchema({"anyOf": [{"type": "number"}, {**_NUMBERS, "minItems": 4, "maxItems": 4}]}),
]
StateValue = Annotated[
    Any,
    AfterValidator(_check_state),
    WithJsonSchema({"anyOf": [{"type": "string"}, {"type": "boolean"}, {"type": "number"}, _NUMBERS]}),
]
