"""``play --verify-recording``: finds stable nodes whose commands do not stay the same."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from weakref import WeakKeyDictionary

from renderwright.render.backend.command_buffers import OpList
from renderwright.render.compiler.values.instances import NodeInstance
from renderwright.render.errors import CheckError
from renderwright.render.graph.blob_cell import BlobCell
from renderwright.render.graph.requests import NodeDeclaration
from renderwright.render.runtime.checks.frame_check import FrameCheck
from renderwright.render.runtime.checks.noted_calls import NotedCall, NotingRecorder
from renderwright.render.runtime.checks.recording_differences import difference, in_words
from renderwright.render.runtime.checks.same_values import same_values
from renderwright.render.runtime.checks.undefined import named
from renderwright.render.runtime.failures import FailureHandler, FailurePhase, NodeFailure
from renderwright.render.runtime.node_run import NodeRun


@dataclass(frozen=True)
class _Blob:
    """A blob of a node before it runs."""

    name: str
    cell: BlobCell
    value: Any

    def difference(self) -> str:
        """How the node has changed the value; '' if it has not."""
        now = self.cell.value
        return (
            "" if same_values(now, self.value) else f'blob "{self.name}": {in_words(now)}, kept {in_words(self.value)}'
        )


class KeptCommandsCheck:
    """Records nodes that keep their commands as well, and compares both call by call.

    ``report`` is called once for a node whose commands are others although no blob that it has read has changed. From
    then on it does not keep its commands.
    """

    def __init__(self, report: FailureHandler) -> None:
        self._report = report
        self._calls: WeakKeyDictionary[NodeRun, Sequence[NotedCall]] = WeakKeyDictionary()
        self._unstable: dict[str, NodeDeclaration] = {}

    def run(self, item: NodeRun, frame: int, check: FrameCheck | None) -> OpList | None:
        """Record a node; returns the kept commands if they are the same."""
        if item.execute is None:
            return None
        if self._unstable.get(item.instance.declaration.name) == item.instance.declaration:
            item.forget()
            return item.run(frame, check)
        self._check_blocks(item)
        item.fill_blocks()
        unchanged, kept, seen = item.unchanged, item.recorded, item.seen
        blobs = _blobs(item)
        noting = NotingRecorder(item.recorder)
        recorded = item.record(frame, check, noting.as_recorder())
        if unchanged:
            differences = [difference(noting.calls, self._calls[item]), *(blob.difference() for blob in blobs)]
            found = next(filter(None, differences), "")
            if not found:
                item.recorded, item.seen = kept, seen
                return kept
            self._found(item.instance, found, [blob.name for blob in blobs if any(blob.cell is one for one, _ in seen)])
        self._calls[item] = noting.calls
        return recorded

    def _check_blocks(self, item: NodeRun) -> None:
        for writer in item.writers:
            if writer.changed_in_place():
                declaration = item.instance.declaration
                self._unstable[declaration.name] = declaration
                error = CheckError(
                    f"{writer.packer.what} has values that were changed in place, so the device does not see them",
                    hint="set another object as the blob's value, or give reg.uniform a function",
                    where=declaration.source,
                )
                self._report(NodeFailure(declaration.name, declaration.plugin, FailurePhase.CHECK, error))
                item.forget()
                return

    def _found(self, node: NodeInstance, what: str, read: Sequence[str]) -> None:
        declaration = node.declaration
        self._unstable[declaration.name] = declaration
        hint = (
            "drop reg.stable(), read what it depends on through the registry, as the .value of a blob, "
            "or count the changes by reg.stable(revision)"
        )
        if read:
            blobs = " or ".join(f'"{name}"' for name in dict.fromkeys(read))
            hint += f"; if {blobs} was changed in place, set another object as its value"
        error = CheckError(
            f"{named(node)} is reg.stable(), and records other commands than those kept although no blob that it "
            f"has read has changed: {what}",
            hint=hint,
            where=declaration.source,
        )
        self._report(NodeFailure(declaration.name, declaration.plugin, FailurePhase.CHECK, error))


def _blobs(item: NodeRun) -> list[_Blob]:
    return [
        _Blob(use.request.name, cell, cell.value)
        for use in item.instance.uses
        for cell in item.handles[use.number][1].cells
    ]
