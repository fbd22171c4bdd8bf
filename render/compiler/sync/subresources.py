"""What stands between the uses of a texture of which parts are used: each cell has a course of its own, and neighbours
share the barriers that they have in common."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import reduce
from typing import NamedTuple

from renderwright.render.compiler.sync.aliasing import Reach, reach_of
from renderwright.render.compiler.sync.batches import Copies, Link, Placed, link_of
from renderwright.render.compiler.sync.external import outside, resting
from renderwright.render.compiler.sync.histories import Life
from renderwright.render.compiler.sync.program_points import Clock
from renderwright.render.compiler.sync.shapes import OPEN, why_split
from renderwright.render.compiler.values.instances import ResourceInstance
from renderwright.render.sync.barriers import Barrier, Split
from renderwright.render.sync.derive import Dependency, Step, derive, first_run, last_run
from renderwright.render.sync.flags import Access, Layout, Stage
from renderwright.render.sync.merge import merge_scopes
from renderwright.render.sync.scopes import Scope
from renderwright.render.types.parts import Part, joined
from renderwright.render.types.resources import Texture


class _Bond(NamedTuple):
    """A dependency of a cell but for what it waits for, and why that may not be split, if it is known already.

    Neighbours that have it in common wait together, for the last access that any of them waits for.
    """

    dependency: Dependency
    split: Split
    opens: bool


def cell_links(
    item: ResourceInstance, life: Life, whole: Life, rest: Scope | None, clock: Clock, short: Split, *, opens: bool
) -> Sequence[Placed]:
    """The links of all cells. ``whole`` is the life in a frame in which all nodes run, ``rest`` the texture's resting
    scope if it has one. ``short`` is ``link_of``'s."""
    desc = item.resource.desc
    assert isinstance(desc, Texture)
    wholes = dict(whole.cells)
    bonds: dict[_Bond, list[Part]] = {}
    afters: dict[_Bond, int] = {}
    for part, own in life.cells:
        for bond, after in _bonds(item, own, wholes[part], rest, clock, opens=opens, shared=life.shared):
            bonds.setdefault(bond, []).append(part)
            known = afters.get(bond, after)
            afters[bond] = -1 if -1 in (known, after) else max(known, after)
    together = _waiting_together(_opened_together(bonds, life, clock), afters, desc, clock)
    return [
        ((_link(item.id, bond, part, short),), (bond.dependency.place, afters.get(bond, -1)))
        for bond, parts in together.items()
        for part in joined(parts, desc.mips, desc.layers)
    ]


def _opened_together(bonds: Mapping[_Bond, Sequence[Part]], life: Life, clock: Clock) -> Mapping[_Bond, Sequence[Part]]:
    """The bonds with those that bring several cells from nowhere into one layout as a single one.

    It stands where the first of these cells is used; all of the memory is the texture's by then. What nobody writes
    before it is read is opened where the texture's life begins: all readers wait for that.
    """
    found: dict[_Bond, list[Part]] = {}
    lives = dict(life.cells)
    begin = min(life.own, key=lambda step: step.place, default=None)
    openings: dict[tuple[Layout, str, int], list[tuple[_Bond, Sequence[Part]]]] = {}
    for bond, parts in bonds.items():
        if bond.opens:
            dependency = bond.dependency
            if begin is not None and not dependency.dst.writes and clock.frame(dependency.place) == 0:
                at_rest = Step(dependency.place, dependency.dst, clock.queue(dependency.place))
                first = first_run(lives[parts[0]].steps) or (at_rest,)
                reads = [step.scope for step in first if step.queue == begin.queue]
                nobody = Scope(Stage.NONE, Access.NONE, dependency.dst.layout)
                dst = reduce(merge_scopes, reads) if reads else nobody
                bond = bond._replace(dependency=dependency._replace(place=begin.place, dst=dst))
            place = bond.dependency.place
            key = bond.dependency.dst.layout, clock.queue(place), clock.frame(place)
            openings.setdefault(key, []).append((bond, parts))
        else:
            found[bond] = list(parts)
    for those in openings.values():
        bond = min([bond for bond, _ in those], key=lambda bond: bond.dependency.place)
        dst = reduce(merge_scopes, [bond.dependency.dst for bond, _ in those])
        together = bond._replace(dependency=bond.dependency._replace(dst=dst))
        found[together] = [part for _, parts in those for part in parts]
    return found


def _waiting_together(
    bonds: Mapping[_Bond, Sequence[Part]], afters: Mapping[_Bond, int], desc: Texture, clock: Clock
) -> Mapping[_Bond, Sequence[Part]]:
    """The bonds without those of neighbours that can stand where another one does: it differs in its place alone, which
    comes sooner, and what they wait for is over by then.

    So mips that have been read one after another, and are drawn to again, change their layouts at once.
    """
    found: dict[_Bond, list[Part]] = {}
    earlier: dict[tuple[_Bond, str, int], list[_Bond]] = {}
    for bond, parts in sorted(bonds.items(), key=lambda item: item[0].dependency.place):
        if bond.split is Split.SPLIT:
            place = bond.dependency.place
            alike = bond._replace(dependency=bond.dependency._replace(place=0))
            others = earlier.setdefault((alike, clock.queue(place), clock.frame(place)), [])
            sooner = (other for other in others if afters[bond] <= afters[other])
            other = next((other for other in sooner if _saves(found[other], parts, desc)), None)
            if other is not None:
                found[other] += parts
                continue
            others.append(bond)
        found[bond] = list(parts)
    return found


def _saves(some: Sequence[Part], others: Sequence[Part], desc: Texture) -> bool:
    """Whether the parts need fewer barriers together than apart.

    Several mips of some of the layers stay apart: of an event with such a range validation layers see a part only.
    """
    one, other, both = (joined(parts, desc.mips, desc.layers) for parts in (some, others, (*some, *others)))
    seen = all(part.layers is None or (part.mips is not None and part.mips[1] == 1) for part in both)
    return seen and len(both) < len(one) + len(other)


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
    """``Pattern.last_reach`` of all cells together."""
    steps = [step for _, own in life.cells for step in last_run(own.steps)]
    return reach_of([step.scope for step in steps], [step.queue for step in steps])


def _bonds(
    item: ResourceInstance, life: Life, whole: Life, rest: Scope | None, clock: Clock, *, opens: bool, shared: bool
) -> Iterator[tuple[_Bond, int]]:
    """What a cell has, each with the place of the last access that it waits for."""
    if rest is not None:
        # It ends at rest. If nobody uses it in this frame, still all of the texture is in one layout at the end.
        life = life.with_present((Step(clock.end, rest),) if opens and not life.own else ())
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


def _link(name: str, bond: _Bond, part: Part, short: Split) -> Link:
    link = link_of(name, bond.dependency._replace(place=0, after=1), bond.split, short, opens=bond.opens)
    halves = _of(link.halves, part) if link.halves is not None else None
    return replace(link, whole=_of(link.whole, part), short=_of(link.short, part), halves=halves)


def _of(copies: Copies, part: Part) -> Copies:
    even, odd = copies
    return _part_of(even, part), _part_of(odd, part)


def _part_of(barrier: Barrier, part: Part) -> Barrier:
    return barrier._replace(mips=part.mips, layers=part.layers)
