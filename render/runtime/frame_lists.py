"""Collects a frame's op lists and turns them into submissions."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from renderwright.render.backend.protocol import OpList, QueuedLists
from renderwright.render.sync.queues import GRAPHICS


@dataclass
class FrameLists:
    """``opening`` goes to the graphics queue (command buffer 0) before everything else, and all queues wait for it.

    ``submissions`` are the plan's, which wait for one another. ``closing`` waits for all of them; it is recorded into
    the command buffer ``closing_buffer`` of the graphics queue.
    """

    opening: list[OpList] = field(default_factory=list)
    submissions: list[QueuedLists] = field(default_factory=list)
    closing: list[OpList] = field(default_factory=list)

    @property
    def closing_buffer(self) -> int:
        """A command buffer that no submission uses; a single submission shares its own."""
        return 0 if len(self.submissions) == 1 else len(self.submissions)

    def opened(self) -> list[QueuedLists]:
        """Only the opening lists."""
        return [QueuedLists(self.opening)] if self.opening else []

    def queued(self) -> list[QueuedLists]:
        """All submissions, in order."""
        if len(self.submissions) == 1:
            only = self.submissions[0]
            return [replace(only, lists=[*self.opening, *only.lists, *self.closing])]
        found = self._behind_the_opening() if self.opening else list(self.submissions)
        if self.closing:
            last = {item.queue: number for number, item in enumerate(found)}
            waits = tuple(sorted(number for queue, number in last.items() if queue != GRAPHICS))
            found.append(QueuedLists(self.closing, GRAPHICS, self.closing_buffer, waits))
        return found

    def _behind_the_opening(self) -> list[QueuedLists]:
        first, *others = self.submissions
        if first.queue == GRAPHICS:
            found = [replace(first, lists=[*self.opening, *first.lists]), *others]
        else:
            shifted = [replace(item, waits=tuple(number + 1 for number in item.waits)) for item in self.submissions]
            found = [*self.opened(), *shifted]
        begun = {GRAPHICS}
        for number, item in enumerate(found):
            if item.queue not in begun:
                begun.add(item.queue)
                found[number] = replace(item, waits=tuple(sorted({0, *item.waits})))
        return found
