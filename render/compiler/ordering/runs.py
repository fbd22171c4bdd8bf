"""Runs: nodes that draw the same way to the same targets, each waiting for the one before, are ordered as one.

The modifiers of a render target stand in a row. A scheduler that took them one at a time would come to the same order
step by step, since each can join the pass that the one before has left open and nothing else becomes ready in between.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from render.compiler.ordering.facts import NodeFacts
from render.compiler.ordering.gates import Gates


@dataclass(frozen=True)
class Runs:
    """What is ordered as one: ``members`` are the node numbers of each run, in their order; ``facts`` are those of its
    first member with the cost of all, ``gates`` those between runs. Runs are numbered by their first members."""

    members: Sequence[Sequence[int]]
    facts: Sequence[NodeFacts]
    gates: Gates


def runs_of(facts: Sequence[NodeFacts], gates: Gates) -> Runs:
    """The longest runs. A node goes on with the run of another if the two are ``alike`` and each waits, and is waited
    for, by the same nodes, but that it waits for the other one as well: so nobody can begin between them."""
    following = _following(facts, gates)
    if not following:
        return Runs([(node,) for node in range(len(facts))], facts, gates)
    members: list[Sequence[int]] = []
    merged: list[NodeFacts] = []
    run_of = [0] * len(facts)
    joined = set(following.values())
    for first, fact in enumerate(facts):
        if first in joined:
            continue
        row = [first]
        while (then := following.get(row[-1])) is not None:
            row.append(then)
        for node in row:
            run_of[node] = len(members)
        members.append(row)
        merged.append(fact if len(row) == 1 else fact._replace(cost=sum([facts[node].cost for node in row])))
    return Runs(members, merged, _between(gates, run_of, len(members)))


def _following(facts: Sequence[NodeFacts], gates: Gates) -> dict[int, int]:
    """By node, the one that goes on with its run."""
    followers: dict[int, list[int]] = {}
    leaders: dict[int, list[int]] = {}
    # Gates other than those between two nodes.
    arriving: list[list[int]] = [[] for _ in facts]
    leaving: list[list[int]] = [[] for _ in facts]
    for gate, (before, after) in enumerate(zip(gates.befores, gates.afters, strict=True)):
        if len(before) == 1 == len(after):
            followers.setdefault(before[0], []).append(after[0])
            leaders.setdefault(after[0], []).append(before[0])
            continue
        for node in before:
            leaving[node].append(gate)
        for node in after:
            arriving[node].append(gate)
    found = {}
    for one, others in followers.items():
        alike = facts[one].alike
        if not alike or len(others) > 1:
            continue
        (other,) = others
        if (
            len(leaders[other]) == 1
            and arriving[one] == arriving[other]
            and leaving[one] == leaving[other]
            and alike == facts[other].alike
        ):
            found[one] = other
    return found


def _between(gates: Gates, run_of: Sequence[int], count: int) -> Gates:
    """The gates with runs in place of nodes, and without those inside of runs."""
    times: dict[tuple[tuple[int, ...], tuple[int, ...]], int] = {}
    run = run_of.__getitem__
    for before, after, number in zip(gates.befores, gates.afters, gates.times, strict=True):
        if run_of[before[0]] != run_of[after[0]]:
            key = tuple(dict.fromkeys(map(run, before))), tuple(dict.fromkeys(map(run, after)))
            times[key] = times.get(key, 0) + number
    return Gates.between(times, count)
