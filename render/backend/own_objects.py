"""Refusals of objects that are none of the backend's, and of binding sets that do not fit a pipeline."""

from __future__ import annotations

from typing import Any, TypeVar

from renderwright.render.errors import BackendError

_Own = TypeVar("_Own")


def own(value: Any, kind: type[_Own], words: str) -> _Own:
    """``value`` as the backend's own kind of object, which ``words`` name; ``BackendError`` for any other."""
    if not isinstance(value, kind):
        raise BackendError(
            f"a command has a {type(value).__name__} as its {words}",
            hint="give what the backend has created, such as the .buffer or .texture of a request's handle",
        )
    return value


def require_number(bindings: str, made_for: int, number: int, pipeline: str) -> None:
    """Raise ``BackendError`` unless a binding set was made for descriptor set ``number``."""
    if made_for != number:
        raise BackendError(
            f'the bindings "{bindings}" are bound as descriptor set {number} of "{pipeline}"',
            hint=f"they were made for set {made_for}",
        )
