"""The values of a uniform block that a node fills itself."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from renderwright.render.errors import GraphError, SourceLocation
from renderwright.render.graph.callables import check_no_argument

_PLAIN = (type(None), bool, int, float, str, bytes, list, tuple, set, frozenset)


@dataclass(frozen=True)
class UniformSource:
    """A uniform block that the node fills: its name in the shaders, and the supplier of its members.

    With ``constant`` the supplier gives the same values in all frames.
    """

    name: str
    supplier: Callable[[], Any]
    source: SourceLocation
    constant: bool = False


def uniform_source(node: str, name: str, values: Any, source: SourceLocation) -> UniformSource:
    """The source of a block from ``values``, or from the function that returns them."""
    if callable(values):
        check_no_argument(f'the function of the block "{name}" of "{node}"', values, source)
        return UniformSource(name, values, source)
    if isinstance(values, _PLAIN):
        raise GraphError(
            f'"{node}" fills the block "{name}" with {type(values).__name__}, which has no attributes or keys',
            hint="pass an object or a dict with a value for each member, or a function that returns one",
            where=source,
        )
    return UniformSource(name, lambda: values, source, constant=True)
