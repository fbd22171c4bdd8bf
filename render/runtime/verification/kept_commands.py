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
from renderwright.render.runtime.checks.undefined import named
from renderwright.render.runtime.failures import FailureHandler, FailurePhase, NodeFailure
from renderwright.render.runtime.lowering.node_run import NodeRun
from renderwright.render.runtime.verification.block_values import BlockValues
from renderwright.render.runtime.verification.comparisons import Comparisons
from renderwright.render.runtime.verification.noted_calls import NotedCall, NotingRecorder
from renderwright.render.runtime.verification.recorded_actions import in_words
from renderwright.render.runtime.verification.recording_differences import difference
from renderwright.render.runtime.verification.same_values import same_values

_BLOCK_HINT = "drop reg.stable(), or have reg.uniform's function depend on nothing that the execution changes"


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
            ""
            if same_values(now, self.value)
            else f'blob "{self.name}" is {in_words(now)}, kept {in_words(self.value)}'
        )


class KeptCommandsCheck:
    """Records nodes that keep their commands as well, and compares both call by call.

    It also compares the values of functions that fill uniform blocks, before and after the node is executed: a node
    that keeps its commands is not executed. ``report`` is called once for a node whose commands or values are others
    although no blob that it has read has changed. From then on it does not keep its commands. ``comparisons`` says
    which nodes were compared.
    """

    def __init__(self, report: FailureHandler) -> None:
        self._report = report
        self._calls: WeakKeyDictionary[NodeRun, Sequence[NotedCall]] = WeakKeyDictionary()
        self._unstable: dict[str, NodeDeclaration] = {}
        self._blocks = BlockValues()
        self.comparisons = Comparisons()

    def run(self, item: NodeRun, frame: int, check: FrameCheck | None) -> OpList | None:
        """Record a node; returns the kept commands if they are the same."""
        if item.execute is None:
            return None
        if self._unstable.get(item.instance.declaration.name) == item.instance.declaration:
            item.forget()
            return item.run(frame, check)
        self._check_blocks(item)
        item.fill_blocks()
        self.comparisons.note(item)
        unchanged, kept, seen = item.unchanged, item.recorded, item.seen
        blobs = _blobs(item)
        noting = NotingRecorder(item.recorder)
        recorded = item.record(frame, check, noting.as_recorder())
        if unchanged:
            found, hint = self._difference(item, noting.calls, blobs, seen)
            if not found:
                item.recorded, item.seen = kept, seen
                return kept
            self._found(item.instance, found, hint)
        else:
            self._blocks.executed(item.writers)
        self._calls[item] = noting.calls
        return recorded

    def _difference(
        self, item: NodeRun, calls: Sequence[NotedCall], blobs: Sequence[_Blob], seen: Sequence[tuple[BlobCell, int]]
    ) -> tuple[str, str]:
        """How a node that was executed again differs from what it keeps, with a hint; '' if it does not."""
        changes = (difference(calls, self._calls[item]), *(blob.difference() for blob in blobs))
        if found := next(filter(None, changes), ""):
            read = dict.fromkeys(blob.name for blob in blobs if any(blob.cell is cell for cell, _ in seen))
            return found, _hint(list(read))
        for writer in item.writers:
            if member := self._blocks.changed_member(writer):
                return f'"{member}" of {writer.packer.what} has another value after the node is executed', _BLOCK_HINT
        return "", ""

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

    def _found(self, node: NodeInstance, what: str, hint: str) -> None:
        declaration = node.declaration
        self._unstable[declaration.name] = declaration
        error = CheckError(
            f"{named(node)} is reg.stable(), but differs from what is kept when it is executed again, although no "
            f"blob that it has read has changed: {what}",
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


def _hint(read: Sequence[str]) -> str:
    """What to do about commands or blobs that differ; the node has read these blobs."""
    hint = (
        "drop reg.stable(), read what it depends on through the registry, as the .value of a blob, "
        "or count the changes by reg.stable(revision)"
    )
    if not read:
        return hint
    blobs = " or ".join(f'"{name}"' for name in read)
    return f"{hint}; if {blobs} was changed in place, set another object as its value"
