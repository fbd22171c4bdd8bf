"""Descriptions that are values: a game puts another one in their place instead of changing a field."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import NoReturn, TypeVar

from renderwright.engine.caller import caller_location
from renderwright.render.errors import UsageError
from renderwright.render.suggest import did_you_mean, nearest

T = TypeVar("T")


def replaced_by(example: str) -> Callable[[type[T]], type[T]]:
    """Have a frozen dataclass refuse the assignment of a field with a ``UsageError`` that says what to write.

    ``example`` is a game's line that puts another value in the place of an old one; it has ``{change}`` for the change.
    """

    def decorated(cls: type[T]) -> type[T]:
        def assign(self: object, name: str, value: object) -> NoReturn:
            raise _refusal(cls, name, example, _shown(value))

        def delete(self: object, name: str) -> NoReturn:
            raise _refusal(cls, name, example, "...")

        cls.__setattr__ = assign  # type: ignore[method-assign]
        cls.__delattr__ = delete  # type: ignore[method-assign]
        return cls

    return decorated


def _refusal(cls: type, name: str, example: str, value: str) -> UsageError:
    one = f"{'an' if cls.__name__[0] in 'AEIOU' else 'a'} {cls.__name__}"
    # Others than fields, which ``dataclasses.replace`` does not take, get a hint with a field.
    known = [field.name for field in dataclasses.fields(cls) if field.init]
    if name in known:
        why, hint = f"{one} is a value, which never changes", f"write {example.format(change=f'{name}={value}')}"
    else:
        why, hint = f"{one} has no such field", did_you_mean(name, known)
        if near := nearest(name, known):
            hint += f" write {example.format(change=f'{near}=...')}"
    return UsageError(f"{cls.__name__}.{name} cannot be assigned: {why}", hint=hint, where=caller_location())


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 40 and "\n" not in text and not text.startswith("<") else "..."
