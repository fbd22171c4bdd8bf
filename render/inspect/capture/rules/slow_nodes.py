"""Nodes that take a large part of the GPU's time."""

from __future__ import annotations

from collections.abc import Iterator

from renderwright.render.inspect.capture.finding import Finding, Looked, Of

LEAST_SHARE = 0.2
"""Of the GPU's time of a frame."""


def slow_nodes(looked: Looked) -> Iterator[Finding]:
    """Nodes whose median is a large share of the sum of all medians."""
    times = looked.document["times"]
    rows = times["nodes"] if times is not None else []
    whole = sum(row["gpu_ms"] or 0.0 for row in rows)
    for row in rows:
        share = (row["gpu_ms"] or 0.0) / whole if whole else 0.0
        if share >= LEAST_SHARE:
            yield Finding(
                "slow-node",
                f"`{row['node']}` takes {row['gpu_ms']:.2f} ms, {share:.0%} of the nodes' time on the GPU",
                "a smaller resolution or fewer samples may do",
                (row["node"],),
                (),
                looked.owners.get(row["node"], ""),
                0,
                share,
                Of.GPU_TIME,
            )
