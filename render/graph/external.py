"""Providers of external resources and values."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from numpy.typing import NDArray

from renderwright.render.types.physical import Physical


@dataclass(frozen=True)
class ExternalContext:
    """Arguments of a provider: the multiplexing index, the frame, and its slot in flight."""

    index: Mapping[str, int]
    frame: int
    slot: int


ExternalProvider = Callable[[ExternalContext], Physical | NDArray[Any]]
"""Returns the physical resource behind an external name; called before the nodes of a frame execute.

A texture of a fixed size and one sample may be an array instead: (height, width, channels) or (layers, height, width,
channels) of the format's type. It is uploaded once, and again when the provider returns another array. Further mips are
made from it. So may a buffer of a fixed size: an array of as many bytes, which nodes read.
"""

ValueProvider = Callable[[ExternalContext], Any]
"""Returns the value of an external blob, or what ``ExternalProvider`` returns for a texture or buffer."""


class ExternalProviders:
    """The providers of external resources, by name: those ``set`` by the application, which are always the current
    ones, and those of declarations (``own``) for the others."""

    def __init__(self, set: Mapping[str, ExternalProvider], own: Mapping[str, ExternalProvider]) -> None:
        self._set = set
        self._own = own

    def of(self, name: str) -> ExternalProvider | None:
        """The provider of a resource; None if there is none."""
        return self._set.get(name) or self._own.get(name)
