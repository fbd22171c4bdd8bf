"""The memory of a resource in words: offsets, live ranges, and the resources that it aliases."""

from __future__ import annotations

from collections.abc import Iterator

from renderwright.render.compiler.values.placement import Copy, PlacedResource
from renderwright.render.inspect.plan_index import PlanIndex
from renderwright.render.inspect.words import COPY_NAMES, bytes_text, some

_MOST_SHARERS = 8

GUARANTEED = 1 << 30
"""The least ``maxMemoryAllocationSize`` of a device, in bytes (Vulkan specification: "Required Limits")."""


def memory_lines(index: PlanIndex, resource: str) -> Iterator[str]:
    """The offsets and live ranges of the copies, and the resources that share their bytes."""
    placed = index.placed.get(resource)
    if placed is None or not placed.copies:
        external = index.resources[resource].resource.external
        yield f"memory: none of the graph's ({'the application owns it' if external else 'a value on the CPU'})"
        return
    yield f"memory: {bytes_text(placed.size)}, aligned to {placed.alignment}"
    if placed.size > GUARANTEED:
        yield "  more than the 1 GiB that every device can allocate at once; some will refuse it"
    spans = [(copy.offset, copy.offset + placed.size) for copy in placed.copies]
    heap = placed.copies[0].heap
    where = f"of heap {heap} ({index.plan.placement.heaps[heap].memory_class})"
    for copies, label, when in _copy_times(index, placed):
        places = some(dict.fromkeys(f"{spans[copy][0]} to {spans[copy][1]}" for copy in copies))
        yield f"  {label}: bytes {places} {where}, in use {when}"
    sharers = list(sharing_lines(index, resource))
    yield from (f"  {line}" for line in sharers[:_MOST_SHARERS])
    if len(sharers) > _MOST_SHARERS:
        yield f"  and {len(sharers) - _MOST_SHARERS} more that lie in parts of it"
    if not sharers:
        yield "  nothing else lies there"


def sharing_lines(index: PlanIndex, resource: str) -> Iterator[str]:
    """A line for each other resource whose bytes overlap with this one's, or two if its copies differ."""
    placed = index.placed[resource]
    for other in index.placed.values():
        if other.id == resource or not other.copies:
            continue
        found = [
            [span for own in placed.copies if (span := _overlap(own, placed.size, copy, other.size))]
            for copy in other.copies
        ]
        for copies, label, when in _copy_times(index, other, same=found[0] == found[1]):
            spans = dict.fromkeys(f"{start} to {end}" for start, end in found[copies[0]])
            if spans:
                yield f"shares bytes {some(spans)} with `{other.id}` ({label}), in use {when}"


def _copy_times(
    index: PlanIndex, placed: PlacedResource, *, same: bool = True
) -> Iterator[tuple[tuple[int, ...], str, str]]:
    """Groups of copies, each with a label and its live range in words.

    Both copies are one group if their live ranges are equal and ``same`` says that the overlaps are, too.
    """
    count = len(index.nodes)
    even, odd = (copy.live_range for copy in placed.copies[:2])
    if len(placed.copies) > 2:
        yield tuple(range(len(placed.copies))), f"{len(placed.copies)} copies, for as many frames", "all the time"
    elif placed.kept:
        yield (0,), "one copy for all frames", "all the time"
    elif same and placed.copies[0].heap == placed.copies[1].heap and even[1] <= count and odd[0] == even[0] + count:
        first, last = index.nodes[even[0]].id, index.nodes[even[1] - 1].id
        yield (0, 1), "both copies", f"from `{first}` to `{last}` of their own frames"
    else:
        for number, live_range in enumerate((even, odd)):
            yield (number,), f"{COPY_NAMES[number]} copy", time_text(index, live_range)


def sharers(index: PlanIndex, resource: str, copy: int) -> list[str]:
    """The ids of the other resources whose bytes overlap with those of one copy."""
    placed = index.placed.get(resource)
    if placed is None or not placed.copies:
        return []
    heap, start, _ = placed.copies[copy]
    end = start + placed.size
    found = [name for name, there, begin, stop in index.spans if there == heap and begin < end and start < stop]
    return [name for name in dict.fromkeys(found) if name != resource]


def _overlap(own: Copy, size: int, other: Copy, other_size: int) -> tuple[int, int] | None:
    start, end = max(own.offset, other.offset), min(own.offset + size, other.offset + other_size)
    return (start, end) if own.heap == other.heap and start < end else None


def time_text(index: PlanIndex, live_range: tuple[int, int]) -> str:
    """A live range in words: ``from `a` to `b` of even frames``."""
    count = len(index.nodes)
    start, end = live_range
    if end - start >= 2 * count:
        return "all the time"
    first, last = index.nodes[start % count].id, index.nodes[(end - 1) % count].id
    frame, last_frame = start // count % 2, (end - 1) // count % 2
    if frame == last_frame and end - start <= count:
        return f"from `{first}` to `{last}` of {COPY_NAMES[frame]} frames"
    return f"from `{first}` of {COPY_NAMES[frame]} frames to `{last}` of the next"
