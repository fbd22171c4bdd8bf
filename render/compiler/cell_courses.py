"""What stands between the uses of a texture of which parts are used: each cell has a course of its own, and neighbours
share the barriers that they have in common."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from render.compiler.batches import Copies, Link, links_of
from render.compiler.courses import OPEN, outside, resting, why_split
from render.compiler.handover import Reach, reach_of
from render.compiler.lives import Clock, Life
from render.compiler.stages import ResourceInstance
from render.graph.resources import Texture
from render.sync.barriers import Barrier, Split
from render.sync.derive import Dependency, Step, derive, last_run
from render.sync.flags import Layout
from render.sync.ranges import Part, joined
from render.sync.usages import Scope


class Placed(NamedTuple):
    """A link with its places on the clock; ``opens`` marks the first one of a life."""

    place: int
    after: int
    link: Link
    opens: bool


class _Bond(NamedTuple):
    """A dependency of a cell but for what it waits for, and why that may not be split, if it is known already.

    Neighbours that have it in common wait together, for the last access that any of them waits for.
    """

    dependency: Dependency
    split: Split
    opens: bool


def cell_links(
    item: ResourceInstance, life: Life, whole: Life, rest: Scope | None, clock: Clock, *, opens: bool
) -> Sequence[Placed]:
    """The links of all cells. ``whole`` is the life in a frame in which all nodes run, ``rest`` the texture's resting
    scope if it has one."""
    desc = item.resource.desc
    assert isinstance(desc, Texture)
    wholes = dict(whole.cells)
    asset = item.resource.external and all(step.scope.layout is Layout.SHADER_READ_ONLY for step in whole.own)
    bonds: dict[_Bond, list[Part]] = {}
    afters: dict[_Bond, int] = {}
    for part, own in () if asset else life.cells:
        for bond, after in _bonds(item, own, wholes[part], rest, clock, opens=opens, shared=life.shared):
            bonds.setdefault(bond, []).append(part)
            afters[bond] = max(after, afters.get(bond, -1))
    return [
        Placed(bond.dependency.place, afters[bond], _link(item.id, bond, part), bond.opens)
        for bond, parts in bonds.items()
        for part in joined(parts, desc.mips, desc.layers)
    ]


def cells_cleared(item: ResourceInstance, life: Life) -> Sequence[tuple[int, Part]]:
    """What is cleared by commands, with the places of these."""
    desc = item.resource.desc
    assert isinstance(desc, Texture)
    places: dict[int, list[Part]] = {}
    for part, own in life.cells:
        if own.cleared:
            places.setdefault(own.own[0].place, []).append(part)
    return [(place, part) for place, parts in places.items() for part in joined(parts, desc.mips, desc.layers)]


def cells_reach_of(life: Life) -> Reach:
    """``last_reach_of`` of all cells together."""
    steps = [step for _, own in life.cells for step in last_run(own.steps)]
    return reach_of([step.scope for step in steps], [step.queue for step in steps])


def _bonds(
    item: ResourceInstance, life: Life, whole: Life, rest: Scope | None, clock: Clock, *, opens: bool, shared: bool
) -> Iterator[tuple[_Bond, int]]:
    """What a cell has, each with the place of the last access that it waits for."""
    if rest is not None:
        if opens and not life.own and not life.present:
            # Nobody uses it in this frame; still all of the texture is in one layout at the end.
            life = replace(life, present=(Step(clock.end, rest),))
        found = resting(life, rest, clock, opens=opens)
    elif not opens:
        found = outside(item, life, whole, clock) if life.steps else ()
    else:
        found = derive(life.steps, OPEN, shared=shared)
    for number, dependency in enumerate(found):
        split = Split.LASTING
        if rest is None and opens:
            one_frame = dependency.after >= 0 and clock.frame(dependency.after) == clock.frame(dependency.place)
            split = why_split(dependency, number > 0, one_frame)
        yield _Bond(dependency._replace(after=-1), split, opens and number == 0), dependency.after


def _link(name: str, bond: _Bond, part: Part) -> Link:
    (link,) = links_of(name, [bond.dependency], bond.split)
    halves = _of(link.halves, part) if link.halves is not None else None
    return link._replace(whole=_of(link.whole, part), halves=halves)


def _of(copies: Copies, part: Part) -> Copies:
    even, odd = copies
    return _part_of(even, part), _part_of(odd, part)


def _part_of(barrier: Barrier, part: Part) -> Barrier:
    return replace(barrier, mips=part.mips, layers=part.layers)
