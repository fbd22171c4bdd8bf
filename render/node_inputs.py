"""Checks of the inputs that a test gives to ``run_node``."""

from __future__ import annotations

from typing import Any, get_origin

import numpy as np
from numpy.typing import NDArray

from renderwright.render.errors import GraphError, SourceLocation
from renderwright.render.types.resources import Blob, Extent, ResourceDesc


def check_blob(key: str, value: object, desc: ResourceDesc | None, where: SourceLocation | None) -> None:
    """Raise ``GraphError`` for a value of another type than the blob that a node reads."""
    kind = desc.type if isinstance(desc, Blob) else None
    if kind is None or _fits(value, kind):
        return
    expected = _with_article(kind.__name__)
    maker = f"{kind.__name__}.of" if hasattr(kind, "of") else kind.__name__
    raise GraphError(
        f'the input "{key}" is {_shown(value)}, the node reads {expected}',
        hint=f'give {expected}: run_node(..., {{"{key}": {maker}(...)}})',
        where=where,
    )


def check_texture(key: str, value: NDArray[Any], size: Extent, where: SourceLocation | None) -> None:
    """Raise ``GraphError`` for a texture that has to be of the size (width, height) and whose array has these two
    swapped."""
    rows = 0 if value.ndim < 4 else 1
    width, height = size
    if width == height or value.shape[rows : rows + 2] != (width, height):
        return
    right = (*value.shape[:rows], height, width, *value.shape[rows + 2 :])
    raise GraphError(
        f'the input "{key}" has the shape {value.shape}, with width and height swapped: the size is {width} x {height}',
        hint=f"give an array of the shape {right}: (height, width) come in this order",
        where=where,
    )


def _fits(value: object, kind: Any) -> bool:
    if kind is float:
        return isinstance(value, float | int)
    try:
        return isinstance(value, get_origin(kind) or kind)
    except TypeError:  # a type that isinstance cannot check, such as a protocol
        return True


def _shown(value: object) -> str:
    if isinstance(value, type):
        return f"the class {value.__name__}"
    return "an array" if isinstance(value, np.ndarray) else _with_article(type(value).__name__)


def _with_article(word: str) -> str:
    return f"{'an' if word[0].lower() in 'aeiou' else 'a'} {word}"
