"""Descriptions that are values: a game puts another one in their place instead of changing a field."""

from __future__ import annotations

from collections.abc import Callable
from typing import NoReturn, TypeVar

from renderwright.engine.caller import caller_location
from renderwright.render.errors import UsageError

T = TypeVar("T")


def replaced_by(example: str) -> Callable[[type[T]], type[T]]:
    """Have a frozen dataclass refuse the assignment of a field with a ``UsageError`` that says what to write.

    ``example`` is a game's line that puts another value in the place of an old one; it has ``{change}`` for the change.
    """

    def decorated(cls: type[T]) -> type[T]:
        def assign(self: object, name: str, value: object) -> NoReturn:
            raise _refusal(cls, name, example.format(change=f"{name}={_shown(value)}"))

        def delete(self: object, name: str) -> NoReturn:
            raise _refusal(cls, name, example.format(change=f"{name}=..."))

        cls.__setattr__ = assign  # type: ignore[method-assign]
        cls.__delattr__ = delete  # type: ignore[method-assign]
        return cls

    return decorated


def _refusal(cls: type, name: str, example: str) -> UsageError:
    article = "an" if cls.__name__[0] in "AEIOU" else "a"
    return UsageError(
        f"{cls.__name__}.{name} cannot be assigned: {article} {cls.__name__} is a value, which never changes",
        hint=f"write {example}",
        where=caller_location(),
    )


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 40 and "\n" not in text and not text.startswith("<") else "..."
