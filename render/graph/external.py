"""Resources from outside the graph, and how a provider gives them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from renderwright.render.types.physical import Physical


@dataclass(frozen=True)
class ExternalContext:
    """What a provider of an external resource is told: the multiplexing index, the frame, and its slot in flight."""

    index: Mapping[str, int]
    frame: int
    slot: int


ExternalProvider = Callable[[ExternalContext], Physical]
"""Gives the physical resource that an external name stands for; called before the nodes of a frame execute."""

ValueProvider = Callable[[ExternalContext], Any]
"""Gives the value of an external blob, or the physical resource of an external texture or buffer."""
