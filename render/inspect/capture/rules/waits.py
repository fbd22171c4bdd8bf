"""Queues that stand still for one another."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from renderwright.render.inspect.capture.finding import Finding, Looked, Of

LEAST_SHARE = 0.03
"""Of the planned time of the frame."""


def idle_queues(looked: Looked) -> Iterator[Finding]:
    """Nodes before which their queue stands still, by the schedule that the planner's costs give."""
    queues = looked.document["queues"]
    waits = {wait["node"]: wait["for"] for wait in queues["waits"]}
    ends = {row["node"]: row["begin"] + row["cost"] for row in queues["schedule"]}
    begins = {row["node"]: row["begin"] for row in queues["schedule"]}
    whole = max(ends.values(), default=0.0)
    begun = set[str]()
    for row in queues["schedule"]:
        first = row["queue"] not in begun
        begun.add(row["queue"])
        share = row["idle"] / whole if whole else 0.0
        # What stands still at the beginning of its frame waits for the first thing to do.
        if first or share < LEAST_SHARE or row["node"] not in waits:
            continue
        last = max(waits[row["node"]], key=ends.__getitem__)
        yield Finding(
            "idle-queue",
            f"the {row['queue']} queue stands still for {share:.0%} of the frame before `{row['node']}`, which waits "
            f"for `{last}` on another queue",
            _hint(looked, row, last, begins, ends),
            (row["node"], last),
            (),
            looked.owners[row["node"]],
            0,
            share,
            Of.PLANNED_TIME,
        )


def _hint(
    looked: Looked, row: Mapping[str, Any], last: str, begins: Mapping[str, float], ends: Mapping[str, float]
) -> str:
    """What the edges allow to do about a wait for ``last``, and what is waited for."""
    node, queue = row["node"], row["queue"]
    ways = [f"let `{other}` run before `{node}`" for other in _beside(looked, row, last)[:1]]
    needed = max((ends[other] for other in looked.predecessors[last]), default=0.0)
    if begins[last] > needed and looked.places[last]["earliest"] < looked.numbers[last]:
        ways.append(f"let `{last}` run earlier, as number {looked.places[last]['earliest'] + 1} at the earliest")
    first = ", or ".join(ways) if ways else f"the edges leave the {queue} queue nothing else to do then"
    return f"{first}; {_waited_for(looked, node, last)}"


def _beside(looked: Looked, row: Mapping[str, Any], last: str) -> list[str]:
    """The later nodes of a queue that could run in place of one that waits for ``last``."""
    place = looked.numbers[row["node"]]
    dependent = {last}
    found = []
    for other in looked.document["queues"]["schedule"]:
        node, before = other["node"], looked.predecessors[other["node"]]
        if dependent & {*before}:
            dependent.add(node)
        elif (
            looked.numbers[node] > place
            and other["queue"] == row["queue"]
            and other["cost"] > 0
            and all(looked.numbers[one] < place for one in before)
        ):
            found.append(node)
    return found


def _waited_for(looked: Looked, node: str, last: str) -> str:
    """What of ``last`` a node waits for, as a question."""
    made = {access["resource"] for access in looked.accesses if access["node"] == last and access["writes"]}
    for access in looked.accesses:
        if access["node"] == node and access["resource"] in made:
            item = looked.resources[access["resource"]]
            verb = "reads" if access["reads"] and not access["writes"] else "uses"
            return f"`{node}` {verb} {item['kind']} `{item['id']}`, which `{last}` has written: does it need to?"
    reason = looked.reasons.get((last, node))
    return f"`{node}` runs after `{last}`" + (f" ({reason})" if reason else "") + ": does it need to?"
