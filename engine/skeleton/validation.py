"""Conversion of pydantic errors to problems with messages and locations in the file."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from renderwright.engine.skeleton.document import Document
from renderwright.engine.skeleton.problems import Path, SkeletonProblem, shown
from renderwright.engine.skeleton.schema import TAGGED, entry_at
from renderwright.render.suggest import did_you_mean

_EXPECTED = {
    "string_type": "text",
    "int_type": "a whole number",
    "int_from_float": "a whole number",
    "float_type": "a number",
    "finite_number": "a finite number",
    "bool_type": "true or false",
    "tuple_type": "a list",
    "dict_type": "a mapping",
    "model_type": "a mapping",
    "model_attributes_type": "a mapping",
}


def validation_problems(error: ValidationError, document: Document) -> Iterator[SkeletonProblem]:
    """All problems of ``error``, except those that follow from others."""
    details = error.errors(include_url=False)
    misspelt = {
        (_path(detail["loc"][:-1]), detail["loc"][-1], _suggestion(detail))
        for detail in details
        if detail["type"] == "extra_forbidden"
    }
    meant = {(where, near) for where, _, near in misspelt if near}
    for detail in details:
        path = _path(detail["loc"])
        if detail["type"] == "too_short" and detail["input"]:  # its items are invalid, and each is reported
            continue
        if any(path[: len(opaque)] == opaque for opaque in document.opaque):
            continue
        if detail["type"] == "extra_forbidden":
            yield SkeletonProblem(document.where_key(path), path, f"unknown key{_ending(detail)}")
        elif detail["type"] == "missing":
            if (path[:-1], f'did you mean "{path[-1]}"?') not in meant:
                yield _missing(path, document)
        elif detail["loc"][-1:] == ("[key]",):
            yield SkeletonProblem(document.where_key(path), path, _message(detail))
        else:
            yield SkeletonProblem(document.where(path), path, _message(detail))


def _missing(path: Path, document: Document) -> SkeletonProblem:
    around = path[:-1]
    what = "too few items in the list" if isinstance(path[-1], int) else f'the key "{path[-1]}" is missing'
    return SkeletonProblem(document.where(around), around, what)


def _message(detail: ErrorDetails) -> str:
    kind = detail["type"]
    if kind == "wrong":
        return detail["msg"]
    value = shown(detail["input"])
    if kind in _EXPECTED:
        hint = "; quote it" if kind == "string_type" and isinstance(detail["input"], int | float) else ""
        return f"expected {_EXPECTED[kind]}, got {value}{hint}"
    if kind == "string_pattern_mismatch":
        return f'{value} is not a name: a name is not empty and has no spaces, quotes or "@"'
    if kind in ("too_long", "too_short"):
        return f"too {'many' if kind == 'too_long' else 'few'} items in the list"
    text = detail["msg"].removeprefix("Input ")
    return f"{text[:1].lower()}{text[1:]}, got {value}"


def _suggestion(detail: ErrorDetails) -> str:
    known = list(entry_at(detail["loc"][:-1]).model_fields)
    text = did_you_mean(str(detail["loc"][-1]), known)
    return text if text.startswith("did") else ""


def _ending(detail: ErrorDetails) -> str:
    near = _suggestion(detail)
    return f", {near}" if near else f"; known: {', '.join(entry_at(detail['loc'][:-1]).model_fields)}"


def _path(location: tuple[Any, ...]) -> Path:
    return tuple(part for part in location if part not in TAGGED and part != "[key]")
