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
            yield _finding(looked, item, gap, saved, _hint(looked, item, heaps[heap], gap, users))


def _finding(looked: Looked, item: Mapping[str, Any], gap: tuple[int, int], saved: int, hint: str) -> Finding:
    nodes = looked.plan["nodes"]
    before, after = nodes[gap[0]]["id"], nodes[gap[1]]["id"]
    return Finding(
        "idle-memory",
        f"`{item['id']}` ({mebibytes(item['size'])}) waits from `{before}` to `{after}`, {gap[1] - gap[0]} nodes "
        f"later, while memory is fullest; without that wait {mebibytes(saved)} less would be in use at once",
        hint,
        (before, after),
        (item["id"],),
        nodes[gap[1]]["plugin"],
        saved,
        saved / max(1, looked.heap_bytes),
        Of.MEMORY,
    )


def _hint(
    looked: Looked,
    item: Mapping[str, Any],
    used: NDArray[np.int64],
    gap: tuple[int, int],
    users: Mapping[str, Sequence[int]],
) -> str:
    """What the edges allow to do about a wait; if nothing, which edges forbid it.

    A node that reads what is there already may run when it likes: the resource waits for the last one all the same.
    """
    heap, is_made = item["copies"]["even"]["heap"], gap[0] == users[item["id"]][0]
    before, after = (looked.plan["nodes"][at]["id"] for at in gap)
    latest, earliest = looked.places[before]["latest"], looked.places[after]["earliest"]
    ways = []
    for node, at, to, word in ((after, gap[1], earliest, "earliest"), (before, gap[0], latest, "latest")):
        saved = _saved_by_moving(looked, heap, used, (at, to), users)
        if saved > 0:
            ways.append(
                f"let `{node}`, now number {at + 1}, run as number {to + 1} at the {word} ({mebibytes(saved)} less)"
            )
    if ways:
        return ", or ".join([*ways, f"read something smaller in `{after}`"])
    order = looked.plan["nodes"]
    held = []
    if is_made and latest + 1 < gap[1]:
        held.append(_edge(looked, before, "before", order[latest + 1]["id"]))
    if earliest - 1 > gap[0]:
        held.append(_edge(looked, after, "after", order[earliest - 1]["id"]))
    smaller = f"read something smaller in `{after}`"
    if not held:
        return f"another place of one of the two alone saves nothing; {smaller}"
    declared = "; is the declared edge needed?" if any("declared" in one for one in held) else ""
    return f"neither node can move so far that it saves memory: {', and '.join(held)}; {smaller}{declared}"


def _edge(looked: Looked, node: str, word: str, other: str) -> str:
    """An edge in words, with its reason."""
    reason = looked.reasons.get((node, other) if word == "before" else (other, node))
    return f"`{node}` runs {word} `{other}`" + (f" ({reason})" if reason else "")


def _saved_by_moving(
    looked: Looked, heap: int, used: NDArray[np.int64], move: tuple[int, int], users: Mapping[str, Sequence[int]]
) -> int:
    """How many bytes fewer would be in use at once if a node ran at another place, the others in the order they have.

    Resources with a history, which live on into the next frame, stay as they are.
    """
    at, to = move
    count = len(looked.numbers)
    order = [place for place in range(count) if place != at]
    order.insert(to, at)
    places = {place: number for number, place in enumerate(order)}
    then = used.copy()
    for item in looked.resources.values():
        own = users[item["id"]]
        if not own or item["history"] or not item["copies"] or item["copies"]["even"]["heap"] != heap:
            continue
        moved = sorted(places[place] for place in own)
        for frame in (0, count):
            then[frame + own[0] : frame + own[-1] + 1] -= item["size"]
            then[frame + moved[0] : frame + moved[-1] + 1] += item["size"]
    return int(used.max() - then.max())


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
