"""The views that one node draws at once (multiview), and why a node is not drawn so."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


@dataclass(frozen=True)
class Views:
    """The instances of a dimension that are drawn at once: view n is instance n, and layer n of the attachments."""

    dimension: str
    count: int


class WhyApart(StrEnum):
    """Why a node that declares multiview is drawn for each view by itself."""

    DIMENSION = "dimension"
    """There is no such dimension."""
    MOST = "most"
    """It has more views than can be drawn at once."""
    RATE = "rate"
    """It does not run in every frame."""
    TARGETS = "targets"
    """It renders to nothing, or to a resource that exists once for all views."""
    WRITES = "writes"
    """It writes a resource other than by rendering to it."""
    READS = "reads"
    """It reads a resource of each view that is neither a value nor a texture that can have layers."""
    TEXTURE = "texture"
    """A texture cannot have a layer for each view."""
    DRAWN_APART = "alone"
    """It executes nothing, and the node that draws into its textures does so for each view by itself."""


@dataclass(frozen=True)
class Apart:
    """A node (by name) that declares multiview and is drawn for each view by itself; why, also in words."""

    node: str
    reason: WhyApart
    message: str
