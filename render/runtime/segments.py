"""Parts of a lowered frame with a command buffer each, which are recorded anew only when their calls change."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from renderwright.render.backend.command_buffers import CommandBuffer, OpList, same_lists
from renderwright.render.backend.protocol import Backend
from renderwright.render.runtime.node_run import NodeRun
from renderwright.render.runtime.out_of_memory import record

LoweredItem = OpList | NodeRun

RunNode = Callable[[NodeRun, list[OpList]], None]
"""Executes a node and appends its commands."""


@dataclass(eq=False)
class Segment:
    """Consecutive items of a submission, whose passes begin and end in it. ``users`` frames share it.

    ``recorded`` are the lists that the command buffer was last recorded from. It is ``kept`` if no execute function
    has a say in them any more; then only the blocks of ``writing`` are filled.
    """

    items: tuple[LoweredItem, ...]
    commands: CommandBuffer
    recorded: tuple[OpList, ...] | None = None
    kept: bool = False
    users: int = 1
    writing: tuple[NodeRun, ...] = ()

    @property
    def settled(self) -> bool:
        """Whether the command buffer can be submitted from now on without a look at the items."""
        return self.kept and not self.writing

    def update(self, run: RunNode, backend: Backend) -> None:
        """Execute the nodes, and record the command buffer if its calls have changed."""
        if not self.kept:
            self._record(self._executed(run), backend)
        elif failed := self._failed(run):
            self._record(self._without(failed), backend)

    def _executed(self, run: RunNode) -> list[OpList]:
        """The lists of all items."""
        lists: list[OpList] = []
        for item in self.items:
            if isinstance(item, NodeRun):
                run(item, lists)
            else:
                lists.append(item)
        return lists

    def _failed(self, run: RunNode) -> list[NodeRun]:
        """Fill the blocks; returns the nodes that failed."""
        failed = []
        for item in self.writing:
            lists: list[OpList] = []
            run(item, lists)
            if not lists:
                failed.append(item)
        return failed

    def _without(self, failed: list[NodeRun]) -> list[OpList]:
        """The lists of all items but these nodes."""
        lists = (item.recorded if isinstance(item, NodeRun) else item for item in self.items if item not in failed)
        return [one for one in lists if one is not None]

    def _record(self, lists: list[OpList], backend: Backend) -> None:
        self.kept = False
        if self.recorded is None or not same_lists(self.recorded, lists):
            self.recorded = None
            record(backend, self.commands, lists)
            self.recorded = tuple(lists)
        runs = [item for item in self.items if isinstance(item, NodeRun)]
        self.kept = not any(one.once for one in lists) and all(item.keeps for item in runs)
        self.writing = tuple(item for item in runs if item.writers)
