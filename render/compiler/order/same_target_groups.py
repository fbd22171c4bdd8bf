"""Same-target groups: units that could share a render pass if all of them were ready at the same time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence

from renderwright.render.compiler.order.dependency_graph import DependencyGraph
from renderwright.render.compiler.order.node_facts import NodeFacts
from renderwright.render.compiler.values.uses import Attached

NO_TARGETS = -1
_MIXED = -2


def target_groups(facts: Sequence[NodeFacts]) -> list[int]:
    """By unit, a number for its set of attachments, or ``NO_TARGETS``."""
    numbers: dict[tuple[Attached, ...], int] = {}
    return [numbers.setdefault(unit.targets, len(numbers)) if unit.targets else NO_TARGETS for unit in facts]


class SameTargetGroups:
    """Tells which groups are incomplete: some of their units still depend on units outside the group.

    A unit depends on the outside through each unscheduled predecessor of another group, or join node whose predecessors
    are not all of this group. Units that execute nothing belong to no group.
    """

    def __init__(self, facts: Sequence[NodeFacts], dependencies: DependencyGraph, groups: Sequence[int]) -> None:
        self._dependencies = dependencies
        self._members: dict[int, list[int]] = {}
        for unit, group in enumerate(groups):
            if group != NO_TARGETS and facts[unit].executes:
                self._members.setdefault(group, []).append(unit)
        executed = [{group} if unit.executes else set() for group, unit in zip(groups, facts, strict=True)]
        joined = dependencies.predecessors[dependencies.units :]
        self._group = [_common(each) for each in executed]
        self._group += [_common(set().union(*[executed[unit] for unit in units])) for units in joined]
        self._outside = [0] * len(self._group)
        for members in self._members.values():
            for unit in members:
                self._outside[unit] = sum([self._crosses(before, unit) for before in dependencies.predecessors[unit]])
        self._incomplete = Counter(
            {group: sum([self._outside[unit] > 0 for unit in units]) for group, units in self._members.items()}
        )

    def incomplete(self, group: int) -> bool:
        """Whether a unit of the group depends on an unscheduled unit outside of it."""
        return self._incomplete[group] > 0

    def resolve(self, node: int) -> Collection[int]:
        """Successors no longer wait for the unit or join node; returns the units of groups that this completes."""
        completed: list[int] = []
        for unit in self._dependencies.successors[node]:
            if not self._outside[unit] or not self._crosses(node, unit):
                continue
            self._outside[unit] -= 1
            if not self._outside[unit]:
                group = self._group[unit]
                self._incomplete[group] -= 1
                if not self._incomplete[group]:
                    completed += self._members[group]
        return completed

    def _crosses(self, before: int, unit: int) -> bool:
        return self._group[before] != self._group[unit]


def _common(groups: set[int]) -> int:
    return next(iter(groups)) if len(groups) == 1 else _MIXED
