"""The blobs of a plan, and the values that they are expected to have in frames to come."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from renderwright.render.backend.protocol import FRAMES_IN_FLIGHT
from renderwright.render.errors import BackendError
from renderwright.render.graph.blob_cell import BlobCell
from renderwright.render.runtime.lowering.node_run import ExpectedValue
from renderwright.render.runtime.memory.resources import CopyKey


@dataclass(frozen=True)
class PlanCells:
    """The cells of a plan's blobs: its ``own`` by resource instance (id) and slot, the ``external`` ones by resource
    instance."""

    own: Mapping[CopyKey, BlobCell]
    external: Mapping[str, BlobCell]

    def of(self, name: str, frame: int) -> BlobCell | None:
        """The cell that a resource instance (id) has in a frame."""
        return self.external.get(name) or self.own.get((name, frame % FRAMES_IN_FLIGHT))

    def value(self, name: str, frame: int) -> Any:
        """The CPU value that a resource instance (id) had in a frame."""
        cell = self.of(name, frame)
        if cell is None:
            known = sorted({resource for resource, _ in self.own})
            raise BackendError(f'the plan has no blob "{name}"', hint=f"it has: {', '.join(known)}")
        return cell.value

    def names(self) -> Iterator[tuple[BlobCell, str]]:
        """Every cell with its resource instance."""
        yield from ((cell, name) for (name, _), cell in self.own.items())
        yield from ((cell, name) for name, cell in self.external.items())


def expected_values(cells: PlanCells, before: PlanCells, last_frame: Callable[[], int]) -> ExpectedValue:
    """Blobs with ``cells`` are expected to have the values of the last frame of the plan ``before``."""
    names = dict(cells.names())

    def expected(cell: BlobCell) -> BlobCell | None:
        return before.of(names[cell], last_frame()) if cell in names else None

    return expected
