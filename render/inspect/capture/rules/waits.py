"""Queues that stand still for one another."""

from __future__ import annotations

from collections.abc import Iterator

from renderwright.render.inspect.capture.finding import Finding, Looked, Of

LEAST_SHARE = 0.03
"""Of the planned time of the frame."""


def idle_queues(looked: Looked) -> Iterator[Finding]:
    """Nodes before which their queue stands still, by the schedule that the planner's costs give."""
    queues = looked.document["queues"]
    waits = {wait["node"]: wait["for"] for wait in queues["waits"]}
    ends = {row["node"]: row["begin"] + row["cost"] for row in queues["schedule"]}
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
            f"let `{row['node']}` run later, or `{last}` earlier, so that other nodes run in between",
            (row["node"], last),
            (),
            looked.owners[row["node"]],
            0,
            share,
            Of.PLANNED_TIME,
        )
