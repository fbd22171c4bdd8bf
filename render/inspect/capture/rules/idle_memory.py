"""Resources that wait in memory while the heap is fullest."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from renderwright.render.inspect.capture.finding import Finding, Looked, Of, mebibytes

LEAST_GAP = 4
"""Nodes between two uses, below which a resource does not count as waiting."""
LEAST_SHARE = 0.02
"""Of all heaps."""


def idle_memory(looked: Looked) -> Iterator[Finding]:
    """Resources without whose idle time fewer bytes would be in use at once."""
    heaps = _bytes_in_use(looked)
    users = _users(looked)
    for item in looked.resources.values():
        if not item["copies"] or item["kept"]:
            continue
        heap = item["copies"]["even"]["heap"]
        gap = max(pairwise(users[item["id"]]), key=lambda pair: pair[1] - pair[0], default=None)
        if gap is None or gap[1] - gap[0] <= LEAST_GAP or heap not in heaps:
            continue
        saved = _saved(heaps[heap], item, gap, len(looked.numbers))
        share = saved / max(1, looked.heap_bytes)
        if share >= LEAST_SHARE:
            yield _finding(looked, item, gap, saved, share)


def _finding(looked: Looked, item: Mapping[str, Any], gap: tuple[int, int], saved: int, share: float) -> Finding:
    nodes = looked.plan["nodes"]
    before, after = nodes[gap[0]]["id"], nodes[gap[1]]["id"]
    return Finding(
        "idle-memory",
        f"`{item['id']}` ({mebibytes(item['size'])}) waits from `{before}` to `{after}`, {gap[1] - gap[0] - 1} nodes "
        f"later, while memory is fullest; without that wait {mebibytes(saved)} less would be in use at once",
        f"let `{after}` run earlier, read something smaller there, or make `{item['id']}` later",
        (before, after),
        (item["id"],),
        nodes[gap[1]]["plugin"],
        saved,
        share,
        Of.MEMORY,
    )


def _users(looked: Looked) -> Mapping[str, Sequence[int]]:
    """The places of the nodes that use a resource in its own frame, in order."""
    found: dict[str, set[int]] = defaultdict(set)
    for access in looked.accesses:
        if "frames_ago" not in access:
            found[access["resource"]].add(looked.numbers[access["node"]])
    return defaultdict(list, {name: sorted(places) for name, places in found.items()})


def _bytes_in_use(looked: Looked) -> Mapping[int, NDArray[np.int64]]:
    """The bytes in use at each moment of an even and an odd frame, by heap."""
    moments = 2 * len(looked.numbers)
    heaps: dict[int, NDArray[np.int64]] = defaultdict(lambda: np.zeros(moments, np.int64))
    for item in looked.resources.values():
        copies = list(item["copies"].values())
        for copy in copies[:1] if item["kept"] else copies:
            start, end = copy["arc"]
            # Copies beyond the first two are alive all the time.
            heaps[copy["heap"]][np.arange(start, min(end, start + moments)) % moments] += item["size"]
    return heaps


def _saved(used: NDArray[np.int64], item: Mapping[str, Any], gap: tuple[int, int], count: int) -> int:
    """How many bytes fewer would be in use at once if the resource had none in the gap."""
    less = used.copy()
    for frame in (0, 1):
        less[frame * count + gap[0] + 1 : frame * count + gap[1]] -= item["size"]
    return int(used.max() - less.max())
