"""Text for settings of which only certain values are allowed."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from types import NoneType
from typing import Any, Literal, get_args, get_origin

_NONE = ("none", "None", "null")


def allowed_value(given: object, annotation: object) -> object:
    """What text means, or each text of a list, among the allowed values of a type; the rest stays as it is.

    Allowed are the values of a ``Literal``, the members of an ``Enum``, by value or by name, and None.
    """
    if isinstance(given, list):
        return [allowed_value(item, annotation) for item in given]
    if not isinstance(given, str):
        return given
    allowed = list(_allowed(annotation))
    return next((value for value in allowed if _means(given, value)), given)


def _allowed(annotation: Any) -> Iterator[object]:
    """The allowed values of a type and of those that it is made of."""
    annotation = getattr(annotation, "__value__", annotation)  # of ``type Scale = ...``
    if annotation is NoneType:
        yield None
    elif get_origin(annotation) is Literal:
        yield from get_args(annotation)
    elif isinstance(annotation, type) and issubclass(annotation, Enum):
        yield from annotation
    else:
        for part in get_args(annotation):
            yield from _allowed(part)


def _means(text: str, value: object) -> bool:
    if isinstance(value, Enum):
        return text == value.name or _means(text, value.value)
    if value is None:
        return text in _NONE
    if isinstance(value, bool):
        return text.lower() == str(value).lower()
    if isinstance(value, int | float):
        return _number(text) == value
    return text == value


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None
