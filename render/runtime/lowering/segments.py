"""Parts of a lowered frame with a command buffer each, which are recorded anew only when their calls change."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass, field

from renderwright.render.backend.command_buffers import CommandBuffer, OpList, same_lists
from renderwright.render.backend.protocol import Backend
from renderwright.render.runtime.lowering.node_run import NodeRun
from renderwright.render.runtime.out_of_memory import record

LoweredItem = OpList | NodeRun

MOST_NAMED = 4
"""Nodes in the name of a command buffer."""

RunNode = Callable[[NodeRun, list[OpList]], None]
"""Executes a node and appends its commands."""


@dataclass(eq=False)
class Segment:
    """Consecutive items of a submission, whose passes begin and end in it. ``users`` frames share it.

    ``recorded`` are the lists that the command buffer was last recorded from. It is ``kept`` if all nodes keep their
    commands; then only the ``attentive`` ones are run when they are due, which fill blocks or look at blobs. Each is
    there with its commands in the buffer: it may have others since, of a segment of another frame.
    """

    items: tuple[LoweredItem, ...]
    commands: CommandBuffer
    recorded: list[OpList] | None = None
    kept: bool = False
    users: int = 1
    attentive: Mapping[NodeRun, OpList | None] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._runs = tuple(item for item in self.items if isinstance(item, NodeRun))

    @property
    def settled(self) -> bool:
        """Whether the command buffer can be submitted from now on without a look at the items."""
        return self.kept and not self.attentive

    def update(self, run: RunNode, backend: Backend) -> None:
        """Execute the nodes, and record the command buffer if its calls have changed."""
        if not self.kept:
            self._record(self._executed(run), backend)
        elif changed := self._changed(run):
            self._record(self._lists(changed), backend)

    def record_ahead(self, backend: Backend) -> None:
        """Record the command buffer before its first frame, if the commands of all items are known by then."""
        lists = self._expected()
        if self.recorded is None and lists is not None and not any(one.once for one in lists):
            backend.record(self.commands, lists)
            self.recorded = lists

    def forget(self, runs: Set[NodeRun]) -> None:
        """Look at all items in the next frame if one of ``runs`` is among them."""
        if not runs.isdisjoint(self._runs):
            self.kept = False

    def reopen(self, *, record: bool) -> None:
        """Run all nodes in the next update, and record the command buffer anew if asked to."""
        self.kept = False
        if record:
            self.recorded = None

    def _expected(self) -> list[OpList] | None:
        """The lists of all items in a frame to come, as ``_executed`` gives them; None if one is not known."""
        lists = []
        for item in self.items:
            one = item.expected if isinstance(item, NodeRun) else item
            if one is None:
                return None
            if one.ops or not isinstance(item, NodeRun):
                lists.append(one)
        return lists

    def _executed(self, run: RunNode) -> list[OpList]:
        """The lists of all items."""
        lists: list[OpList] = []
        for item in self.items:
            if isinstance(item, NodeRun):
                run(item, lists)
            else:
                lists.append(item)
        return lists

    def _changed(self, run: RunNode) -> dict[NodeRun, OpList | None]:
        """Run the nodes that are due; the commands of those that have others now, None for none and for a failure."""
        found: dict[NodeRun, OpList | None] = {}
        for item, before in self.attentive.items():
            if item.due:
                lists: list[OpList] = []
                run(item, lists)
                if item.recorded is None:
                    found[item] = lists[0] if lists else None
            if item.recorded is not None and item.recorded is not before:
                found[item] = item.recorded
        return found

    def _lists(self, changed: Mapping[NodeRun, OpList | None]) -> list[OpList]:
        """The lists of all items, with these changes."""
        found = []
        for item in self.items:
            one = changed.get(item, item.recorded) if isinstance(item, NodeRun) else item
            if one is not None and one.ops:
                found.append(one)
        return found

    def _record(self, lists: list[OpList], backend: Backend) -> None:
        self.kept = False
        if self.recorded is None or not same_lists(self.recorded, lists):
            self.recorded = None
            record(backend, self.commands, lists)
            self.recorded = lists
        self.kept = all(run.keeps for run in self._runs) and not any(one.once for one in lists)
        self.attentive = {run: run.recorded for run in self._runs if run.attentive} if self.kept else {}


def new_segment(items: tuple[LoweredItem, ...], backend: Backend, slot: int, queue: str) -> Segment:
    """A segment with an empty command buffer, which is named after its nodes."""
    nodes = [item.instance.id for item in items if isinstance(item, NodeRun)]
    return Segment(items, backend.create_commands(slot, queue, f"{_in_words(nodes)}, frame slot {slot}"))


def _in_words(nodes: Sequence[str]) -> str:
    """What a command buffer has, in few words: tools and streams limit the length of a name."""
    if len(nodes) > MOST_NAMED:
        return f"{len(nodes)} nodes from {nodes[0]} to {nodes[-1]}"
    return ", ".join(nodes) or "barriers"
