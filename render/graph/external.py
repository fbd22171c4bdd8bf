"""Providers of external resources and values."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from renderwright.render.types.physical import Physical


@dataclass(frozen=True)
class ExternalContext:
    """Arguments of a provider: the multiplexing index, the frame, and its slot in flight."""

    index: Mapping[str, int]
    frame: int
    slot: int


ExternalProvider = Callable[[ExternalContext], Physical]
"""Returns the physical resource behind an external name; called before the nodes of a frame execute."""

ValueProvider = Callable[[ExternalContext], Any]
"""Returns the value of an external blob, or the physical resource of an external texture or buffer."""
