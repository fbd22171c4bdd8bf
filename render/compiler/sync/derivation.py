"""The barriers of even and odd frames, but for what first uses of memory wait for: that depends on who shares it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from renderwright.render.compiler.resources.access_history import Timeline
from renderwright.render.compiler.resources.requirements import Outline
from renderwright.render.compiler.sync.aliasing import Ends, Reach
from renderwright.render.compiler.sync.batches import Batched, Batches, Link, Placed, link_of
from renderwright.render.compiler.sync.external import outer_rest, outside, resting
from renderwright.render.compiler.sync.gpu_work import node_times, work_of
from renderwright.render.compiler.sync.histories import Running, lives
from renderwright.render.compiler.sync.program_points import Clock
from renderwright.render.compiler.sync.semaphore_coverage import Waited
from renderwright.render.compiler.sync.shapes import left_in
from renderwright.render.compiler.sync.steady_state import Rest, rest_of
from renderwright.render.compiler.sync.subresources import cell_links, cells_cleared, cells_reach_of
from renderwright.render.compiler.values.instances import InstanceGraph
from renderwright.render.compiler.values.passes import StatePlan
from renderwright.render.incremental.memo import Parts
from renderwright.render.sync.barriers import ClearOp, Split, Splitting
from renderwright.render.sync.derive import Dependency
from renderwright.render.sync.flags import Access, Layout
from renderwright.render.sync.layouts import SEPARATE, Layouts
from renderwright.render.types.parts import WHOLE
from renderwright.render.types.resources import Texture


@dataclass(frozen=True)
class Flows:
    """The batches of even and odd frames. The barriers of their first uses have no source yet; those of one copy of a
    resource wait for the ``reaches`` (by id) of all that share its memory, but for what is over by the ``ends``.
    ``queues`` are those of the passes. ``lasts`` are the places at which the lives of what shares memory end, counted
    on into the next frame of ``length`` places: of one queue in the general layout, where all nodes run in every frame.
    ``rest``, ``shared``, ``splitting`` and ``layouts`` are ``SyncPlan``'s."""

    batched: Batched
    queues: tuple[str, ...]
    reaches: Mapping[str, Reach]
    ends: Ends | None
    lasts: Mapping[str, int]
    length: int
    rest: tuple[tuple[str, Layout], ...]
    shared: frozenset[str]
    splitting: Splitting
    layouts: Layouts


def flows(
    graph: InstanceGraph,
    times: Mapping[str, Timeline],
    outline: Outline,
    state: StatePlan,
    over: Waited | None = None,
    splitting: Splitting | None = None,
    rest: Rest | None = None,
    layouts: Layouts = SEPARATE,
    parts: Parts | None = None,
) -> Flows:
    """Each copy lives through its own frame's uses and then the next frame's history uses.

    ``rest`` is that of the whole graph when ``graph`` is without nodes that do not run in this frame; None when all of
    them run. ``outline`` is that of the whole graph. ``over`` is None where there is but one queue. Textures are in
    these ``layouts``.
    """
    parts = parts or Parts()
    clock = Clock(state)
    kept = {name: rest.lives[name] for name in rest.scopes} if rest is not None else None
    regular = layouts.unified and rest is None and over is None and not graph.rated
    splitting = splitting or Splitting()
    short = Split.OFF if math.isinf(splitting.above) else Split.SHORT
    all_lives = lives(graph, times, clock, kept, layouts, parts, short)
    if rest is None:
        rest = rest_of(graph, outline.lasting, all_lives)
    owned = {shape.item.id for shape in outline.resources if shape.owned}
    running = Running(graph)
    work = work_of(state, node_times(graph.nodes, splitting), splitting.above)
    batches = Batches(clock, work)
    rows: list[Placed] = []
    left = []
    lasting = parts.of(_lasting)
    for item in graph.resources:
        name = item.id
        life = all_lives.get(name)
        if life is None:
            continue
        layout: Layout | None = None
        pattern = life.pattern
        if not (item.resource.external or life.cells or name in rest.scopes):
            rows.append((pattern.links, (*life.places, -1)))
            layout = pattern.layout
        else:
            scope = rest.scopes.get(name) or outer_rest(item, rest.lives[name])
            opens = not item.resource.external and (scope is None or item.creator in running)
            if life.cells:
                rows += cell_links(item, life, rest.lives[name], scope, clock, short, opens=opens)
            else:
                dependencies = (
                    outside(item, life, rest.lives[name], clock)
                    if scope is None
                    else resting(life, scope, clock, opens=opens)
                )
                flow = tuple([dependency._replace(place=0, after=1) for dependency in dependencies])
                places = [(dependency.place, dependency.after) for dependency in dependencies]
                rows += zip(lasting(name, name, flow, opens), places, strict=True)
            layout = scope.layout if scope else left_in((*life.own, *life.present), life.history)
        if pattern.cleared:
            assert item.resource.clear is not None
            for place, part in cells_cleared(item, life) if life.cells else ((life.places[0], WHOLE),):
                even, odd = (ClearOp(name, copy, item.resource.clear, part) for copy in (0, 1))
                batches.clear(place, even, odd)
        if isinstance(item.resource.desc, Texture) and name in owned:
            left.append((name, layout))
    # With nodes that do not run in every frame, the last use of all may not have been the last one.
    if over is not None:
        rows = [([lighter for each in links if (lighter := _lighter(each, at, over))], at) for links, at in rows]
    batches.add(rows)
    those = [(name, life) for name, life in rest.lives.items() if name in owned]
    if rest.irregular:
        reaches = {name: life.pattern.reach for name, life in those}
    else:
        reaches = {name: cells_reach_of(life) if life.cells else life.pattern.last_reach for name, life in those}
    return Flows(
        batches.finish(),
        tuple([item.queue for item in state.passes]),
        reaches,
        _ends(rest, reaches, over) if over is not None else None,
        {name: (all_lives[name].places or (0,))[-1] for name in reaches} if regular else {},
        clock.length,
        tuple(left),
        frozenset(name for name, life in all_lives.items() if life.shared) if clock.several else frozenset(),
        splitting,
        layouts,
    )


def _lasting(name: str, dependencies: Sequence[Dependency], opens: bool) -> Sequence[Sequence[Link]]:
    """The links, one by one, of a resource that is there before the frame and after it, or ``opens`` at rest."""
    return [
        (link_of(name, dependency, Split.LASTING, opens=opens and not number),)
        for number, dependency in enumerate(dependencies)
    ]


def _lighter(link: Link, places: Sequence[int], over: Waited) -> Link | None:
    """A link at these places without what semaphores have seen to; None if that is all of it."""
    after = places[link.after]
    if after == -1 or link.behind or link.whole[0].owners or not over.covers(after, places[link.place]):
        return link
    if link.whole[0].old_layout == link.whole[0].new_layout:
        return None
    # The layout is changed behind the semaphore's wait, whose effect any stage carries on.
    even, odd = (barrier._replace(src_stages=barrier.dst_stages, src_access=Access.NONE) for barrier in link.whole)
    return replace(link, whole=(even, odd), short=(even, odd), halves=None)


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
