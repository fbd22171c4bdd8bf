"""The nodes that set the values of blobs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from renderwright.render.compiler.values.instances import NodeInstance
from renderwright.render.graph.blob_cell import BlobCell
from renderwright.render.graph.requests import Verb
from renderwright.render.runtime.memory.resources import CopyKey

_SETTING = (Verb.CREATE, Verb.MODIFY, Verb.RENAME)


class BlobWriters:
    """The blobs with a cell in ``cells`` that ``nodes`` set."""

    def __init__(self, nodes: Iterable[NodeInstance], cells: Mapping[CopyKey, BlobCell]) -> None:
        self._cells = cells
        self._counts = Counter(blob for node in nodes for blob in self.set_by(node))

    def set_by(self, node: NodeInstance) -> list[str]:
        """The blobs whose values a node sets."""
        return [
            resource
            for use in node.uses
            if use.usage is None and use.request.verb in _SETTING
            for resource in use.resources
            if (resource, 0) in self._cells
        ]

    def keep_values(self, node: NodeInstance) -> bool:
        """Whether the node's blobs keep their values while it is not executed: no other node sets them, and each slot
        has cells of its own."""
        return all(
            self._counts[blob] == 1 and self._cells[blob, 0] is not self._cells[blob, 1] for blob in self.set_by(node)
        )
