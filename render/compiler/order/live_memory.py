"""Live memory at each point of the schedule, and how each unit would change it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from renderwright.render.compiler.order.node_facts import Copy, NodeFacts


@dataclass(slots=True, eq=False)
class _LiveRange:
    """The live range of one copy; ``users`` are the unscheduled executing units that use it."""

    bytes: float
    begun: bool
    ends: bool
    users: set[int] = field(default_factory=set)


class LiveMemory:
    """Counts live bytes while units are scheduled. ``sizes`` are bytes by resource id.

    A resource is live from its first user to its last one. ``sinks`` and resources with history readers stay live at
    the end of the frame; the previous frame's copy is live from the start to its last reader. A unit that executes
    nothing begins live ranges and ends none. ``peak`` is the largest number of live bytes so far.
    """

    def __init__(self, facts: Sequence[NodeFacts], sizes: Mapping[str, float], sinks: Collection[str]) -> None:
        ranges = _live_ranges(facts, sizes, sinks)
        self._ranges = [[ranges[copy] for copy in unit.copies if copy in ranges] for unit in facts]
        self._executes = [unit.executes for unit in facts]
        self._largest = max([each.bytes for each in ranges.values()], default=1.0)
        self._live = sum([each.bytes for each in ranges.values() if each.begun])
        self.peak = self._live

    def relief(self, unit: int) -> float:
        """Bytes whose live ranges end with the executing unit less those that begin with it, in units of the largest
        resource, clamped to [-1, 1]."""
        change = 0.0
        for each in self._ranges[unit]:
            if not each.begun:
                change -= each.bytes
            if each.ends and len(each.users) == 1:
                change += each.bytes
        return max(-1.0, min(1.0, change / self._largest))

    def schedule(self, unit: int) -> list[int]:
        """The unit comes next; returns units whose relief changes."""
        changed: list[int] = []
        for each in self._ranges[unit]:
            if not each.begun:
                each.begun = True
                self._live += each.bytes
                changed += each.users
        self.peak = max(self.peak, self._live)
        if self._executes[unit]:
            for each in self._ranges[unit]:
                each.users.discard(unit)
                if each.ends and len(each.users) == 1:
                    changed += each.users
                elif each.ends and not each.users:
                    self._live -= each.bytes
        return changed


def _live_ranges(
    facts: Sequence[NodeFacts], sizes: Mapping[str, float], sinks: Collection[str]
) -> Mapping[Copy, _LiveRange]:
    """The live ranges of all copies that take memory, before anything is scheduled."""
    persistent = {name for unit in facts for name, previous in unit.copies if previous}.union(sinks)
    found: dict[Copy, _LiveRange] = {}
    for number, unit in enumerate(facts):
        for copy in unit.copies:
            name, previous = copy
            if not sizes[name]:
                continue
            if copy not in found:
                found[copy] = _LiveRange(sizes[name], begun=previous, ends=previous or name not in persistent)
            if unit.executes:
                found[copy].users.add(number)
    return found
