"""Runs: nodes that draw the same way to the same targets, each waiting for the one before, are ordered as one.

The modifiers of a render target stand in a row. A scheduler that took them one at a time would come to the same order
step by step, since each can join the pass that the one before has left open and nothing else becomes ready in between.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from renderwright.render.compiler.order.facts import NodeFacts
from renderwright.render.compiler.order.gates import Gates, Waits


@dataclass(frozen=True)
class Runs:
    """What is ordered as one: ``members`` are the node numbers of each run, in their order; ``facts`` are those of its
    first member with the cost of all, ``gates`` those between runs. Runs are numbered as their first members are."""

    members: Sequence[Sequence[int]]
    facts: Sequence[NodeFacts]
    gates: Gates


def runs_of(facts: Sequence[NodeFacts], waits: Waits) -> Runs:
    """The longest runs.

    A node goes on with the run of another if the two are ``alike`` and each waits, and is waited for, by the same
    nodes, but that it waits for the other one as well: so nobody can begin between them."""
    following = _following(facts, waits)
    if not following:
        return Runs(list(zip(range(len(facts)))), facts, waits.gates())
    joined = set(following.values())
    members = [_row(head, following) for head in range(len(facts)) if head not in joined]
    merged = [
        replace(facts[row[0]], cost=sum([facts[node].cost for node in row])) if len(row) > 1 else facts[row[0]]
        for row in members
    ]
    run_of = {node: run for run, row in enumerate(members) for node in row}
    return Runs(members, merged, waits.between(run_of, len(members)).gates())


def _row(head: int, following: Mapping[int, int]) -> Sequence[int]:
    row = [head]
    while row[-1] in following:
        row.append(following[row[-1]])
    return row


def _following(facts: Sequence[NodeFacts], waits: Waits) -> dict[int, int]:
    """By node, the one that goes on with its run."""
    pairs = [(one, other) for one, other in waits.pairs if facts[one].alike and facts[one].alike == facts[other].alike]
    if not pairs:
        return {}
    behind = [0] * len(facts)
    before = [0] * len(facts)
    for one, other in waits.pairs:
        behind[one] += 1
        before[other] += 1
    # As bits, which sides of which groups a node is on.
    company = [0] * len(facts)
    bit = 1
    for sides in waits.groups:
        for side in sides:
            for node in side:
                company[node] |= bit
            bit <<= 1
    return {one: other for one, other in pairs if behind[one] == 1 == before[other] and company[one] == company[other]}
