"""Several views that one node draws at once, or why it does not."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


@dataclass(frozen=True)
class Views:
    """The instances of a dimension that are drawn at once: view n is instance n, and layer n of what is rendered to.

    Vulkan calls this multiview.
    """

    dimension: str
    count: int


class WhyApart(StrEnum):
    """Why a node that could be drawn for several views at once is not."""

    DIMENSION = "dimension"
    """There is no such dimension."""
    MOST = "most"
    """It has more views than can be drawn at once."""
    RATE = "rate"
    """It does not run in every frame."""
    TARGETS = "targets"
    """It renders to nothing, or to what exists once for all views."""
    WRITES = "writes"
    """It writes something in another way than by rendering to it."""
    READS = "reads"
    """It reads something of each view that is no texture with layers and no value."""
    TEXTURE = "texture"
    """A texture cannot have a layer for each view."""
    ALONE = "alone"
    """It executes nothing, and who draws into its textures does so for each view by itself."""


@dataclass(frozen=True)
class Apart:
    """A node (by name) that says that it can be drawn for several views at once, and is not; why, in words too."""

    node: str
    reason: WhyApart
    message: str
