"""A frame's submissions: the plan's own, with the work before and behind them."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from renderwright.render.backend.command_buffers import CommandBuffer, OpList, QueuedCommands
from renderwright.render.backend.protocol import Backend
from renderwright.render.runtime.out_of_memory import record
from renderwright.render.sync.queues import GRAPHICS

BEGIN, END = "begin", "end"


class FrameEnds:
    """Command buffers of the graphics queue for what is recorded anew where it occurs at all: before and behind the
    plan's submissions, one of each a slot."""

    def __init__(self, backend: Backend) -> None:
        self._backend = backend
        self._known: dict[tuple[int, str], CommandBuffer] = {}

    def reserve(self, slot: int) -> None:
        """Create the command buffers of a slot, so that no memory is needed for them when there is work."""
        for name in (BEGIN, END):
            if (slot, name) not in self._known:
                made = self._backend.create_commands(slot, GRAPHICS, f"{name} of frame slot {slot}")
                self._known[slot, name] = made

    def recorded(self, slot: int, name: str, lists: list[OpList]) -> tuple[CommandBuffer, ...]:
        """The command buffer with these lists, after ``reserve``; none without lists."""
        if not lists:
            return ()
        record(self._backend, self._known[slot, name], lists)
        return (self._known[slot, name],)

    def destroy(self) -> None:
        """Release the command buffers."""
        for commands in self._known.values():
            self._backend.destroy(commands)
        self._known.clear()


@dataclass
class FrameLists:
    """``opening`` goes to the graphics queue before everything else, and all queues wait for it.

    ``submissions`` are the plan's, which wait for one another. ``closing`` waits for all of them, on the graphics
    queue.
    """

    slot: int
    ends: FrameEnds
    opening: list[OpList] = field(default_factory=list)
    submissions: list[QueuedCommands] = field(default_factory=list)
    closing: list[OpList] = field(default_factory=list)

    def opened(self) -> list[QueuedCommands]:
        """Only the opening lists."""
        opening = self._opening()
        return [QueuedCommands(opening)] if opening else []

    def queued(self) -> list[QueuedCommands]:
        """All submissions, in order; the plan's own objects where nothing is added."""
        opening, closing = self._opening(), self.ends.recorded(self.slot, END, self.closing)
        if not opening and not closing:
            return self.submissions
        if len(self.submissions) == 1:
            only = self.submissions[0]
            return [replace(only, commands=(*opening, *only.commands, *closing))]
        found = self._behind(opening) if opening else list(self.submissions)
        if closing:
            last = {item.queue: number for number, item in enumerate(found)}
            waits = tuple(sorted(number for queue, number in last.items() if queue != GRAPHICS))
            found.append(QueuedCommands(closing, GRAPHICS, waits))
        return found

    def _opening(self) -> tuple[CommandBuffer, ...]:
        return self.ends.recorded(self.slot, BEGIN, self.opening)

    def _behind(self, opening: tuple[CommandBuffer, ...]) -> list[QueuedCommands]:
        first, *others = self.submissions
        if first.queue == GRAPHICS:
            found = [replace(first, commands=(*opening, *first.commands)), *others]
        else:
            shifted = [replace(item, waits=tuple(number + 1 for number in item.waits)) for item in self.submissions]
            found = [QueuedCommands(opening), *shifted]
        begun = {GRAPHICS}
        for number, item in enumerate(found):
            if item.queue not in begun:
                begun.add(item.queue)
                found[number] = replace(item, waits=tuple(sorted({0, *item.waits})))
        return found
