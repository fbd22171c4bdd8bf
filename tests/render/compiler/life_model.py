"""Lives and memory of a compiled plan, checked moment by moment: each node of many frames in turn, each byte range."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from renderwright.render.compiler.rates import is_rated
from renderwright.render.compiler.values.instances import InstanceGraph
from renderwright.render.compiler.values.placement import PlacedResource
from renderwright.render.compiler.values.plan import Plan
from renderwright.render.graph.requests import Verb
from renderwright.render.types.resources import Blob
from renderwright.render.types.usages import READ_ONLY_USAGES, Usage

FRAMES = 6
WATCHED = (2, 3)
"""An even and an odd frame with whole frames around them."""


def live_moments(graph: InstanceGraph) -> dict[tuple[str, int], set[int]]:
    """By (resource id, copy), the moments of the circle of two frames in which the copy's bytes must not be touched."""
    count = len(graph.nodes)
    kept = _kept(graph)
    times: dict[tuple[str, int], list[int]] = defaultdict(list)  # by resource and the frame that made it
    for frame in range(FRAMES):
        for number, each in enumerate(graph.nodes):
            now = frame * count + number
            for use in each.uses:
                for name in use.resources:
                    times[name, frame - use.reads_history].append(now)
                    if use.usage is Usage.HOST_READ and not use.reads_history:
                        times[name, frame].append((frame + 2) * count - 1)
        for name in graph.sinks:
            times[name, frame].append((frame + 1) * count - 1)
    alive = {}
    for (name, frame), moments in times.items():
        if frame in WATCHED:
            whole = range(2 * count) if name in kept else range(min(moments), max(moments) + 1)
            alive[name, frame % 2] = {moment % (2 * count) for moment in whole}
    return alive


def _kept(graph: InstanceGraph) -> set[str]:
    """What a node with a rate creates, modifies, or writes to otherwise."""
    return {
        name
        for each in graph.nodes
        if is_rated(each.declaration)
        for use in each.uses
        if use.request.verb in (Verb.CREATE, Verb.MODIFY) or (use.usage and use.usage not in READ_ONLY_USAGES)
        for name in use.resources
    }


def wrong_lives(plan: Plan) -> Iterator[str]:
    """What is wrong with the live ranges and with what has memory."""
    period = 2 * len(plan.graph.nodes)
    alive = live_moments(plan.graph)
    placed = {item.id: item for item in plan.placement.resources}
    for item in plan.graph.resources:
        owned = not item.resource.external and not isinstance(item.resource.desc, Blob)
        copies = placed[item.id].copies
        if len(copies) != (2 if owned else 0):
            yield f"{item.id} has {len(copies)} copies"
        for number, copy in enumerate(copies):
            start, end = copy.live_range
            if not (0 <= start < period and start < end <= start + period):
                yield f"{item.id} has the live range {copy.live_range} on a circle of {period}"
            found = {moment % period for moment in range(start, end)}
            if found != alive[item.id, number]:
                yield f"copy {number} of {item.id} lives in {sorted(found)}, not in {sorted(alive[item.id, number])}"


def wrong_memory(plan: Plan, *, alias: bool = True) -> Iterator[str]:
    """What is wrong with offsets and heaps."""
    alive = live_moments(plan.graph)
    by_heap: dict[int, list[tuple[PlacedResource, int]]] = defaultdict(list)
    for item in plan.placement.resources:
        for number, copy in enumerate(item.copies[:1] if item.kept else item.copies):
            by_heap[copy.heap].append((item, number))
            if copy.offset < 0 or copy.offset % item.alignment:
                yield f"{item.id} lies at {copy.offset}, which is not aligned to {item.alignment}"
        if item.kept and len(set(item.copies)) > 1:
            yield f"{item.id} is kept, but has two places"
    if sorted(by_heap) != list(range(len(plan.placement.heaps))):
        yield "there are heaps with nothing in them"
    for heap, members in by_heap.items():
        busy: dict[int, int] = defaultdict(int)
        for at, (item, number) in enumerate(members):
            low, lives = item.copies[number].offset, alive[item.id, number]
            for moment in lives:
                busy[moment] += item.size
            for other, twin in members[:at]:
                start = other.copies[twin].offset
                shares = low < start + other.size and start < low + item.size
                if shares and (not alias or lives & alive[other.id, twin]):
                    yield f"{item.id} and {other.id} share bytes at one time"
        size = max(item.copies[number].offset + item.size for item, number in members)
        found = plan.placement.heaps[heap]
        if (found.size, found.load) != (size, max(busy.values())):
            yield f"heap {heap} has {found.size} bytes and the load {found.load}, not {size} and {max(busy.values())}"
