"""The accesses to each resource as the barriers see them: one step a pass, over its own frame and the next."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from functools import cached_property
from itertools import repeat
from typing import NamedTuple

from renderwright.render.columns import rows_of
from renderwright.render.compiler.resources.access_history import NodeAccess, Timeline
from renderwright.render.compiler.resources.clear_commands import cells_to_clear, needs_clear_command
from renderwright.render.compiler.sync.program_points import Clock
from renderwright.render.compiler.sync.shapes import Pattern
from renderwright.render.compiler.values.instances import InstanceGraph
from renderwright.render.incremental.memo import Parts
from renderwright.render.sync.barriers import Split
from renderwright.render.sync.derive import Step
from renderwright.render.sync.flags import Access, Layout, Stage
from renderwright.render.sync.layouts import SEPARATE, Layouts, in_general
from renderwright.render.sync.merge import merge_scopes
from renderwright.render.sync.scopes import Scope
from renderwright.render.types.parts import Part

_CLEAR = Scope(Stage.CLEAR, Access.TRANSFER_WRITE, Layout.TRANSFER_DST)

# Presentation waits for a semaphore. The stage is for an image without one: the next frame's first barrier waits there.
_PRESENT = Scope(Stage.COLOR_ATTACHMENT_OUTPUT, Access.NONE, Layout.PRESENT_SRC)


class Life(NamedTuple):
    """The steps of one copy: in its own frame, at that frame's end when it is presented, and in the next frame as
    history.

    Where parts of a texture are used, ``cells`` are the lives of those that its users tell apart, and the steps are all
    of theirs.
    """

    places: tuple[int, ...]
    pattern: Pattern
    cells: tuple[tuple[Part, Life], ...] = ()

    @classmethod
    def of(
        cls,
        own: Sequence[Step],
        present: Sequence[Step],
        history: Sequence[Step],
        *,
        cleared: bool,
        cells: tuple[tuple[Part, Life], ...] = (),
    ) -> Life:
        """The life of these steps."""
        steps = (*own, *present, *history)
        places, scopes, queues = zip(*steps, strict=True) if steps else ((), (), ())
        return cls(places, Pattern(scopes, queues, len(own), len(present), cleared), cells)

    def with_present(self, present: Sequence[Step]) -> Life:
        """The same but for what comes at the frame's end."""
        return Life.of(self.own, present, self.history, cleared=self.cleared)

    @property
    def steps(self) -> tuple[Step, ...]:
        """All of them, in order."""
        return tuple(map(Step, self.places, self.pattern.scopes, self.pattern.queues))

    @property
    def own(self) -> tuple[Step, ...]:
        """Those in the life's own frame."""
        return self.steps[: self.pattern.own]

    @property
    def present(self) -> tuple[Step, ...]:
        """That at the end of this frame, if it is presented."""
        return self.steps[self.pattern.own : self.pattern.own + self.pattern.present]

    @property
    def history(self) -> tuple[Step, ...]:
        """Those in the next frame."""
        return self.steps[self.pattern.own + self.pattern.present :]

    @property
    def cleared(self) -> bool:
        """Whether the first step is a clear command."""
        return self.pattern.cleared

    @property
    def scopes(self) -> tuple[Scope, ...]:
        """Those of all steps."""
        return self.pattern.scopes

    @property
    def queues(self) -> tuple[str, ...]:
        """Those of all steps."""
        return self.pattern.queues

    @property
    def shared(self) -> bool:
        """Whether no queue owns the resource."""
        return any(life.shared for _, life in self.cells) if self.cells else self.pattern.shared


def layouts_of(graph: InstanceGraph, unified: bool) -> Layouts:
    """The layouts of a graph's textures, ``unified`` or not."""
    return Layouts(True, frozenset(r.id for r in graph.resources if r.resource.external)) if unified else SEPARATE


def lives(
    graph: InstanceGraph,
    times: Mapping[str, Timeline],
    clock: Clock,
    wholes: Mapping[str, Life] | None = None,
    layouts: Layouts = SEPARATE,
    parts: Parts | None = None,
    short: Split = Split.SHORT,
) -> Mapping[str, Life]:
    """The life of every texture and buffer, by resource id; textures are in these ``layouts``.

    ``wholes`` are those of which parts are cleared for readers that may rest: their lives in a frame in which all run.
    ``short`` is ``link_of``'s.
    """
    running = Running(graph)
    result: dict[str, Life] = {}
    plain: dict[str, _Plain] = {}
    for item in graph.resources:
        name = item.id
        time = times.get(name)
        if time is None:
            continue
        general = layouts.general(item.id)
        if time.cells:
            wanted = cells_to_clear(item, time) if item.creator in running else frozenset()
            if wholes and name in wholes and item.creator in running:
                cleared_parts = {part for part, life in wholes[name].cells if life.cleared}
                wanted |= {cell.part for cell in time.cells if not cell.own and cell.part in cleared_parts}
            lasts = bool(time.history) or name in graph.sinks
            result[name] = _cell_lives(time, clock, wanted, lasts=lasts, general=general)
        else:
            cleared = needs_clear_command(item, time) and item.creator in running
            plain[name] = _plain(time, clock, cleared=cleared, general=general)
    patterns = (parts or Parts()).of(Pattern)
    if plain:
        places, *traits = zip(*plain.values(), strict=True)
        names = list(plain)
        found = rows_of(Life, places, patterns.all(names, *traits, names, repeat(short)), repeat(()))
        result.update(zip(plain, found, strict=True))
    if len(plain) == len(result):
        return result
    return {item.id: result[item.id] for item in graph.resources if item.id in result}


_Plain = tuple[tuple[int, ...], tuple[Scope, ...], tuple[str, ...], int, int, bool]
"""The places of a life and what makes its ``Pattern``."""


def _plain(time: Timeline, clock: Clock, *, cleared: bool, general: bool) -> _Plain:
    """The life of what is used as a whole."""
    places, scopes = _scopes(time.own, clock, general=general)
    if cleared:
        # The first step stands behind the command.
        places = (places[0], places[0] + 1, *places[1:])
        scopes = (_clear(general=general), *scopes)
    own = len(places)
    if time.presented:
        places = (*places, clock.end)
        scopes = (*scopes, _PRESENT)
    present = len(places) - own
    if time.history:
        at, others = _scopes(time.history, clock, general=general)
        places += tuple([place + clock.length for place in at])
        scopes += others
    return places, scopes, clock.queues(places), own, present, cleared


class Running:
    """Which nodes (by id) run in a frame: asked for few of them, if any."""

    def __init__(self, graph: InstanceGraph) -> None:
        self._graph = graph

    @cached_property
    def _ids(self) -> Set[str]:
        return {node.id for node in self._graph.nodes}

    def __contains__(self, name: str) -> bool:
        return name in self._ids


def _cell_lives(time: Timeline, clock: Clock, cleared: Set[Part], *, lasts: bool, general: bool) -> Life:
    """The life of a texture of which parts are used; the ``cleared`` ones begin with a clear command.

    What nobody writes before it is read is cleared where the texture's life begins: all readers wait for that.
    What ``lasts`` ends in one layout, that of the next frame's readers if there are any: from outside, a texture has
    one layout.
    """
    found: list[tuple[Part, Life]] = []
    owns = [_steps(cell.own, clock, 0, general=general) for cell in time.cells]
    clear = _clear(general=general)
    begin = min([own[0] for own in owns if own], key=lambda step: step.place, default=None)
    for cell, own in zip(time.cells, owns, strict=True):
        history = _steps(cell.history, clock, 1, general=general)
        if cell.part in cleared:
            if own and (own[0].scope.writes or begin is None or begin.place == own[0].place):
                own = _behind_clear(own, general=general)
            else:
                own = (Step(begin.place, clear, begin.queue) if begin else Step(clock.end, clear), *own)
        present = (Step(clock.end, _PRESENT),) if time.presented else ()
        found.append((cell.part, Life.of(own, present, history, cleared=cell.part in cleared)))
    used = any(life.own or life.history for _, life in found)  # in this frame, where its users may rest
    if lasts and not time.presented and used:
        end = _end(found)
        found = [(part, _ending_in(life, end, clock)) for part, life in found]

    def together(steps: Iterable[Sequence[Step]]) -> tuple[Step, ...]:
        return tuple(sorted([step for each in steps for step in each], key=lambda step: step.place))

    lives = [life for _, life in found]
    return Life.of(
        together(life.own for life in lives),
        together(life.present for life in lives),
        together(life.history for life in lives),
        cleared=bool(cleared),
        cells=tuple(found),
    )


def _end(cells: Sequence[tuple[Part, Life]]) -> Scope:
    """How all of a texture is left: as its first history reader wants it, else as its last user of all left it."""
    history = [step for _, life in cells for step in life.history]
    own = [step for _, life in cells for step in life.own]
    step = min(history, key=lambda step: step.place) if history else max(own, key=lambda step: step.place)
    return step.scope


def _ending_in(life: Life, end: Scope, clock: Clock) -> Life:
    if life.own and life.own[-1].scope.layout == end.layout:
        return life
    place = max(clock.end, life.own[-1].place + 1) if life.own else clock.end
    return life.with_present((Step(place, end),))


def _behind_clear(steps: tuple[Step, ...], *, general: bool) -> tuple[Step, ...]:
    """The steps with a clear command in front."""
    first = steps[0]
    clear = Step(first.place, _clear(general=general), first.queue)
    return (clear, first._replace(place=first.place + 1), *steps[1:])


def _clear(*, general: bool) -> Scope:
    return in_general(_CLEAR) if general else _CLEAR


def _scopes(
    accesses: Iterable[NodeAccess], clock: Clock, *, general: bool
) -> tuple[tuple[int, ...], tuple[Scope, ...]]:
    """The passes of the accesses by their places, and one scope for all that stand in one; only what needs no barrier
    in between shares a pass.

    With ``general`` the texture is in GENERAL whatever the usages.
    """
    found: list[int] = []
    scopes: list[Scope] = []
    before = -1
    places = clock.places()
    for access in accesses:
        at, scope = places[access.node], access.scope
        if at != before:
            found.append(at)
            scopes.append(scope)
        elif scope is not scopes[-1]:
            scopes[-1] = merge_scopes(scopes[-1], scope)
        before = at
    return tuple(found), tuple(map(in_general, scopes) if general else scopes)


def _steps(accesses: Iterable[NodeAccess], clock: Clock, frame: int, *, general: bool) -> tuple[Step, ...]:
    """The same as steps, in this frame (0) or the next (1)."""
    start = frame * clock.length
    places, scopes = _scopes(accesses, clock, general=general)
    return tuple(rows_of(Step, [start + place for place in places], scopes, clock.queues(places)))
