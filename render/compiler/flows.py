"""The barriers of even and odd frames, but for what first uses of memory wait for: that depends on who shares it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from render.compiler.batches import FirstUse, FrameBatches, issue_of, links_of
from render.compiler.between import Work, node_times
from render.compiler.cell_courses import Placed, cell_links, cells_cleared, cells_reach_of
from render.compiler.courses import chained, left_in, outer_rest, outside, resting
from render.compiler.handover import Ends, Reach, last_reach_of, reach_of
from render.compiler.lives import Clock, lives
from render.compiler.memo import Parts
from render.compiler.outline import Outline
from render.compiler.rest import Rest, rest_of
from render.compiler.stages import InstanceGraph, StatePlan
from render.compiler.timeline import Timeline
from render.compiler.waited import Waited
from render.graph.resources import Texture
from render.sync.barriers import BarrierBatch, ClearOp, Split, Splitting
from render.sync.flags import Access, Layout
from render.sync.ranges import WHOLE, Part


@dataclass(frozen=True)
class Flows:
    """The batches of even and odd frames. The barriers at ``first_uses`` have no source yet; those of one copy of a
    resource wait for the ``reaches`` (by id) of all that share its memory, but for what is over by the ``ends``.
    ``rest``, ``shared`` and ``splitting`` are ``SyncPlan``'s."""

    frames: tuple[tuple[BarrierBatch, ...], tuple[BarrierBatch, ...]]
    first_uses: tuple[FirstUse, ...]
    reaches: Mapping[str, Reach]
    ends: Ends | None
    rest: tuple[tuple[str, Layout], ...]
    shared: frozenset[str]
    splitting: Splitting


def flows(
    graph: InstanceGraph,
    times: Mapping[str, Timeline],
    outline: Outline,
    state: StatePlan,
    over: Waited | None = None,
    splitting: Splitting | None = None,
    rest: Rest | None = None,
    parts: Parts | None = None,
) -> Flows:
    """Each copy lives through its own frame's uses and then the next frame's history uses.

    ``rest`` is that of the whole graph when ``graph`` is without nodes that do not run in this frame; None when all of
    them run. ``outline`` is that of the whole graph. ``over`` is None where there is but one queue.
    """
    parts = parts or Parts()
    clock = Clock(state)
    kept = {name: rest.lives[name] for name in rest.scopes} if rest is not None else None
    all_lives = lives(graph, times, clock, kept)
    if rest is None:
        rest = rest_of(graph, outline.lasting, all_lives)
    owned = {shape.item.id for shape in outline.resources if shape.owned}
    running = {node.id for node in graph.nodes}
    splitting = splitting or Splitting()
    work = Work(clock, state, node_times(graph.nodes, splitting), splitting.above)
    frames = (FrameBatches(clock), FrameBatches(clock))
    layouts = []
    links, chain = parts.of(links_of), parts.of(chained)
    for item in graph.resources:
        name = item.id
        life = all_lives.get(name)
        if life is None:
            continue
        scope = rest.scopes.get(name) or outer_rest(item, rest.lives[name])
        placed: Sequence[Placed]
        opens = not item.resource.external and (scope is None or item.creator in running)
        if life.cells:
            placed = cell_links(item, life, rest.lives[name], scope, clock, opens=opens)
        elif scope is None and opens:
            steps = life.steps
            found = chain(name, name, life.scopes, life.queues, len(life.own) + len(life.present), life.shared)
            placed = [
                Placed(steps[link.place].place, steps[link.after].place if link.after >= 0 else -1, link, not number)
                for number, link in enumerate(found)
            ]
        else:
            dependencies = (
                outside(item, life, rest.lives[name], clock)
                if scope is None
                else resting(life, scope, clock, opens=opens)
            )
            flow = tuple([dependency._replace(place=0, after=-1) for dependency in dependencies])
            found = links(name, name, flow, Split.LASTING)
            placed = [
                Placed(dependency.place, dependency.after, link, opens and not number)
                for number, (dependency, link) in enumerate(zip(dependencies, found, strict=True))
            ]
        if over is not None:
            placed = [lighter for each in placed if (lighter := _lighter(each, over))]
        cleared: Sequence[tuple[int, Part]] = ()
        if life.cleared:
            cleared = cells_cleared(item, life) if life.cells else ((life.own[0].place, WHOLE),)
        issues = [issue_of(link, place, after, clock, work, opens=first) for place, after, link, first in placed]
        for copy in (0, 1):
            for issue in issues:
                frames[(copy + issue.frame) % 2].add(issue, copy)
            for place, part in cleared:
                assert item.resource.clear is not None
                frames[copy].clear(place, ClearOp(name, copy, item.resource.clear, part))
        if isinstance(item.resource.desc, Texture) and name in owned:
            layouts.append((name, scope.layout if scope else left_in(life)))
    # With nodes that do not run in every frame, the last use of all may not have been the last one.
    reach = parts.of(reach_of if rest.irregular else last_reach_of)
    reaches = {}
    for name, life in rest.lives.items():
        if name in owned:
            last = life.cells and not rest.irregular
            reaches[name] = cells_reach_of(life) if last else reach(name, life.scopes, life.queues)
    even, odd = (frame.finish(number) for number, frame in enumerate(frames))
    return Flows(
        (even[0], odd[0]),
        (*even[1], *odd[1]),
        reaches,
        _ends(rest, reaches, over) if over is not None else None,
        tuple(layouts),
        frozenset(name for name, life in all_lives.items() if life.shared) if clock.several else frozenset(),
        splitting,
    )


def _lighter(placed: Placed, over: Waited) -> Placed | None:
    """A link without what semaphores have seen to; None if that is all of it."""
    link = placed.link
    if placed.after == -1 or link.behind or link.whole[0].owners or not over.covers(placed.after, placed.place):
        return placed
    if link.whole[0].old_layout == link.whole[0].new_layout:
        return None
    # The layout is changed behind the semaphore's wait, whose effect any stage carries on.
    even, odd = (barrier._replace(src_stages=barrier.dst_stages, src_access=Access.NONE) for barrier in link.whole)
    return placed._replace(link=link._replace(whole=(even, odd), halves=None))


def _ends(rest: Rest, reaches: Mapping[str, Reach], over: Waited) -> Ends:
    spans: dict[str, dict[str, tuple[int, int, int]]] = {}
    for name in reaches:
        own, life = spans.setdefault(name, {}), rest.lives[name]
        moves = len(set(life.queues)) > 1
        for step in life.steps:
            place = step.place
            # A change of layout is a write, too, and so is one of owners.
            written = place if step.scope.writes or moves or step.scope.layout is not Layout.UNDEFINED else -1
            first, last, write = own.get(step.queue, (place, place, -1))
            own[step.queue] = (min(first, place), max(last, place), max(write, written))
    return Ends(over, spans)
