"""Nodes with the same attachments, which could share a render pass if all of them were ready at one time."""

from __future__ import annotations

from collections.abc import Sequence

from renderwright.render.compiler.order.facts import NodeFacts
from renderwright.render.compiler.order.gates import Gates
from renderwright.render.compiler.values.uses import Attached

_MIXED = -1
_NONE = -2


def shared_targets(facts: Sequence[NodeFacts]) -> list[int]:
    """A number for each node's set of targets; 0 for none, and for those that no other node has."""
    firsts: dict[tuple[Attached, ...], int] = {}
    found = [0] * len(facts)
    for node, fact in enumerate(facts):
        if fact.targets:
            first = firsts.setdefault(fact.targets, node)
            if first != node:
                found[first] = found[node] = first + 1
    return found


class Partners:
    """Counts, for each set of targets that ``several`` nodes have, those that wait for others than nodes with these.

    ``targets`` are the numbers of the nodes' sets of targets, 0 for none.
    """

    def __init__(self, facts: Sequence[NodeFacts], gates: Gates, targets: Sequence[int]) -> None:
        self._gates = gates
        self._target = targets
        members: dict[int, list[int]] = {}
        for node, target in enumerate(targets):
            if target and facts[node].executes:
                members.setdefault(target, []).append(node)
        # Who is alone has no partner to wait for.
        self._members = {target: nodes for target, nodes in members.items() if len(nodes) > 1}
        self.several = bool(self._members)
        self._outside = [0] * len(gates.befores)
        self._waiting = dict.fromkeys(self._members, 0)
        # The targets of each node, or those that the nodes in front of a gate have in common.
        self._from: list[int] = []
        if self._members:
            # Nodes that execute nothing count for nobody.
            kinds = [target if fact.executes else _NONE for target, fact in zip(targets, facts, strict=True)]
            self._from = [_common({kind}) for kind in kinds]
            self._from += [_common({kinds[node] for node in nodes}) for nodes in gates.befores[gates.count :]]
        for target, nodes in self._members.items():
            common = self._from
            for node in nodes:
                self._outside[node] = sum([common[before] != target for before in gates.befores[node]])
            self._waiting[target] = sum([self._outside[node] > 0 for node in nodes])

    def wait(self, target: int) -> bool:
        """Whether any of several nodes with these targets waits for another kind of node."""
        return self._waiting.get(target, 0) > 0

    def open(self, before: int) -> Sequence[int]:
        """Nobody waits for this node or gate any more; the nodes whose partners no longer wait because of that."""
        complete: list[int] = []
        outside, common = self._outside, self._from[before]
        for node in self._gates.afters[before]:
            if not outside[node]:
                continue
            target = self._target[node]
            if common == target:
                continue
            outside[node] -= 1
            if not outside[node]:
                self._waiting[target] -= 1
                if not self._waiting[target]:
                    complete += self._members[target]
        return complete


def _common(kinds: set[int]) -> int:
    """The targets that all of the nodes that execute have, if they have the same."""
    kinds.discard(_NONE)
    return kinds.pop() if len(kinds) == 1 else _MIXED
