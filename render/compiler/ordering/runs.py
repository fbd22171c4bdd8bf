"""Runs: nodes that draw the same way to the same targets, each waiting for the one before, are ordered as one.

The modifiers of a render target stand in a row. A scheduler that took them one at a time would come to the same order
step by step, since each can join the pass that the one before has left open and nothing else becomes ready in between.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from render.compiler.ordering.facts import NodeFacts
from render.compiler.ordering.gates import Gates, Waits


@dataclass(frozen=True)
class Runs:
    """What is ordered as one: ``members`` are the node numbers of each run, in their order; ``facts`` are those of its
    first member with the cost of all, ``gates`` those between runs. Runs are numbered by the keys of their first
    members."""

    members: Sequence[Sequence[int]]
    facts: Sequence[NodeFacts]
    gates: Gates


def runs_of(facts: Sequence[NodeFacts], waits: Waits) -> Runs:
    """The longest runs. A node goes on with the run of another if the two are ``alike`` and each waits, and is waited
    for, by the same nodes, but that it waits for the other one as well: so nobody can begin between them."""
    following = _following(facts, waits)
    joined = set(following.values())
    heads = [node for node in range(len(facts)) if node not in joined]
    heads.sort(key=lambda node: facts[node].key)
    members: list[Sequence[int]] = []
    merged: list[NodeFacts] = []
    run_of = [0] * len(facts)
    for run, head in enumerate(heads):
        run_of[head] = run
        if head not in following:
            members.append((head,))
            merged.append(facts[head])
            continue
        row = [head]
        node = head
        while node in following:
            node = following[node]
            row.append(node)
            run_of[node] = run
        members.append(row)
        merged.append(facts[head]._replace(cost=sum([facts[node].cost for node in row])))
    return Runs(members, merged, waits.gates_between(run_of, len(heads)))


def _following(facts: Sequence[NodeFacts], waits: Waits) -> dict[int, int]:
    """By node, the one that goes on with its run."""
    behind = [0] * len(facts)
    before = [0] * len(facts)
    for one, other, _ in waits.pairs:
        behind[one] += 1
        before[other] += 1
    # As bits, which sides of which groups a node is on.
    company = [0] * len(facts)
    bit = 1
    for sides, _ in waits.groups:
        for side in sides:
            for node in side:
                company[node] |= bit
            bit <<= 1
    return {
        one: other
        for one, other, _ in waits.pairs
        if behind[one] == 1 == before[other]
        and company[one] == company[other]
        and facts[one].alike
        and facts[one].alike == facts[other].alike
    }
