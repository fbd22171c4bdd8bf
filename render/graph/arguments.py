"""Checks the arguments of declare functions where they are given."""

from __future__ import annotations

import math
import reprlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from numbers import Integral, Real

from renderwright.render.errors import GraphError
from renderwright.render.graph.revision import Revision
from renderwright.render.graph.source import caller_location
from renderwright.render.suggest import one_of
from renderwright.render.types.resources import Buffer, Resolution, Texture


@dataclass(frozen=True)
class Kind:
    """What an argument has to be, in words, how to give it, and the test of it. ``first`` is what a first argument of
    the kind is."""

    words: str
    hint: str
    fits: Callable[[object], bool]
    first: str = "name"


def check_argument(what: str, value: object, kind: Kind) -> None:
    """Raise ``GraphError`` at the caller's line if an argument is of another kind."""
    if not kind.fits(value):
        raise GraphError(
            f"{what} is {reprlib.repr(value)}, which is no {kind.words}", hint=kind.hint, where=caller_location()
        )


def check_arguments(what: str, values: Iterable[object], kind: Kind) -> None:
    """``check_argument`` for each of the values."""
    for value in values:
        check_argument(what, value, kind)


def check_first(what: str, value: object, second: object, call: str, kind: Kind) -> None:
    """``check_argument`` for the first of two arguments of a ``call``, which is a text: the second may be the one."""
    if not isinstance(value, str) and isinstance(second, str):
        kind = replace(kind, hint=f'write {call}("{second}", ...): the {kind.first} comes first')
    check_argument(what, value, kind)


def check_word(what: str, value: object, known: Sequence[str]) -> None:
    """Raise ``GraphError`` at the caller's line if a word is none of the known ones."""
    if not (isinstance(value, str) and value in known):
        given = f'"{value}"' if isinstance(value, str) else reprlib.repr(value)
        raise GraphError(f"{what} cannot be {given}", hint=one_of(value, known), where=caller_location())


def checked_names(what: str, names: object) -> tuple[str, ...]:
    """Several names, or one by itself, as a tuple; ``GraphError`` at the caller's line for anything else."""
    several = tuple(names) if isinstance(names, list | tuple | set | frozenset) else (names,)
    check_arguments(what, several, NAME)
    return several


def _is_number(value: object) -> bool:
    """Booleans are no numbers, nor is an int that no float can hold."""
    if not isinstance(value, Real) or isinstance(value, bool):
        return False
    try:
        float(value)
    except OverflowError:
        return False
    return True


def _is_finite(value: object) -> bool:
    return _is_number(value) and math.isfinite(value)  # type: ignore[arg-type]


def _is_name(value: object) -> bool:
    """Drivers and logs show names, so line breaks and halves of characters are none. A slash stands before a name."""
    return isinstance(value, str) and value.strip("/") != "" and value.isprintable()


def _is_whole(value: object) -> bool:
    return isinstance(value, Integral) and not isinstance(value, bool)


def _are_numbers(value: object, count: int) -> bool:
    try:
        return len(value) == count and all(_is_number(each) for each in value)  # type: ignore[arg-type, attr-defined]
    except TypeError:
        return False


def _is_type(value: object) -> bool:
    """Whether it is a class, or a generic one such as ``dict[str, int]``."""
    return isinstance(value, type) or isinstance(getattr(value, "__origin__", None), type)


def _is_attribute(value: object) -> bool:
    return (
        isinstance(value, tuple)
        and len(value) == 3
        and isinstance(value[1], str)
        and all(isinstance(number, Real) for number in (value[0], value[2]))
    )


def _is_size(value: object) -> bool:
    return isinstance(value, Resolution) or (isinstance(value, tuple | list) and len(value) == 2)


NAME = Kind("name", 'give a str that is not empty, such as "depth"', _is_name)
FORMAT = Kind("name", 'give the name of a format, such as "rgba16_sfloat"', _is_name, "format")
NUMBER = Kind("number", "give a float or an int", _is_number)
FROM_ZERO = Kind("number from 0 on", "give a float or an int", lambda value: _is_finite(value) and value >= 0)  # type: ignore[operator]
ABOVE_ZERO = Kind("number above 0", "give a float or an int", lambda value: _is_finite(value) and value > 0)  # type: ignore[operator]
WHOLE_NUMBER = Kind("whole number", "give an int", _is_whole)
BOOL = Kind("bool", "give True or False", lambda value: isinstance(value, bool))
FUNCTION = Kind("function", "give a function, or leave it out", callable)
TYPE = Kind("type", "give the type of the values, or leave it out", _is_type)
MAPPING = Kind("dict", 'give a dict such as {"TAPS": 13}', lambda value: isinstance(value, Mapping))
FILE = Kind("name of a file", 'give a str such as "blur.frag"', _is_name)
REVISION = Kind(
    "Revision", "give a renderwright.render.Revision, or nothing", lambda value: isinstance(value, Revision)
)
RESOLUTION = Kind(
    "resolution", 'give reg.resolution("main_view")', lambda value: value is None or isinstance(value, Resolution)
)
SIZE = Kind("size", 'give (width, height) in texels, or reg.resolution("main_view")', _is_size)
DESCRIPTION = Kind(
    "Texture, Buffer or type",
    "give the description of a texture or buffer, or the type of a CPU value",
    lambda value: isinstance(value, Texture | Buffer) or _is_type(value),
)
COLOR = Kind("(red, green, blue, alpha)", "give four numbers", lambda value: _are_numbers(value, 4))
PAIR = Kind("(constant, slope)", "give two numbers", lambda value: value is None or _are_numbers(value, 2))
ATTRIBUTES = Kind(
    "tuple of (location, format, offset)",
    'give a tuple such as ((0, "rgb32_sfloat", 0),)',
    lambda value: isinstance(value, tuple) and all(_is_attribute(each) for each in value),
)
