"""Counts of changes outside the graph, which stable nodes depend on."""

from __future__ import annotations

from renderwright.render.graph.blob_cell import BlobCell


class Revision:
    """A count of changes to something outside the graph. Nodes that are ``reg.stable(revision)`` are executed again
    after it has advanced.

    One revision can serve several nodes. It belongs to the thread that renders frames.
    """

    def __init__(self) -> None:
        self.cell = BlobCell()

    def advance(self) -> None:
        """What is counted has changed."""
        self.cell.value = object()
