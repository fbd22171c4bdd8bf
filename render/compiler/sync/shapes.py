"""The life of one copy of a resource but for its places, and what stands between its uses when frames make it anew."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import count

from renderwright.render.columns import rows_of
from renderwright.render.compiler.sync.aliasing import Reach, reach_of
from renderwright.render.compiler.sync.batches import Link, link_of
from renderwright.render.sync.barriers import BarrierReason, Split
from renderwright.render.sync.derive import (
    Dependency,
    Opening,
    Step,
    derive,
    final_layout,
    first_run,
    is_shared,
    last_run,
)
from renderwright.render.sync.flags import Access, Layout, Stage
from renderwright.render.sync.scopes import Scope

# To be told by ``sync``.
OPEN = Opening(Stage.NONE, Access.NONE, BarrierReason.ACTIVATE)


@dataclass(frozen=True)
class Pattern:
    """A life but for its places: the scope and the queue of each step.

    So many of the steps are in the life's ``own`` frame, then as many at that frame's end when it is presented
    (``present``), the others in the next frame as history. ``cleared`` says that the first step is a clear command.
    ``name`` is the resource's, and ``short`` is ``link_of``'s.
    """

    scopes: tuple[Scope, ...]
    queues: tuple[str, ...]
    own: int
    present: int
    cleared: bool
    name: str = ""
    short: Split = Split.SHORT

    @cached_property
    def shared(self) -> bool:
        """Whether no queue owns the resource: several use it at once, or another one in the frame after."""
        if len(set(self.queues)) < 2:
            return False
        return len(self.scopes) > self.own + self.present or is_shared(self.steps)

    @cached_property
    def steps(self) -> tuple[Step, ...]:
        """The steps, places being their numbers."""
        return tuple(rows_of(Step, count(), self.scopes, self.queues))

    @cached_property
    def reach(self) -> Reach:
        """What is to be waited for if it is not known which of the steps was the last one."""
        return reach_of(self.scopes, self.queues)

    @cached_property
    def last_reach(self) -> Reach:
        """What is to be waited for where all steps have been: these wait for one another."""
        last = last_run(self.steps)
        return reach_of([step.scope for step in last], [step.queue for step in last])

    @cached_property
    def links(self) -> Sequence[Link]:
        """Those of a resource that the frame makes anew, as if the numbers of its steps were their places."""
        here = self.own + self.present
        found: list[Link] = []
        for dependency in derive(self.steps, OPEN, shared=self.shared):
            one_frame = (dependency.after < here) == (dependency.place < here)
            split = why_split(dependency, bool(found), one_frame)
            found.append(link_of(self.name, dependency, split, self.short, opens=not found))
        return tuple(found)

    @cached_property
    def layout(self) -> Layout:
        """The layout that the frame leaves such a resource in (``left_in``)."""
        here = self.own + self.present
        return left_in(self.steps[:here], self.steps[here:])


def left_in(steps: Sequence[Step], history: Sequence[Step]) -> Layout:
    """The layout in which a frame of these ``steps`` leaves the copy that the next one's history readers start from:
    where any of these run on another queue, the change to their layout comes before that one waits."""
    last = last_run(steps)
    queues = {step.queue for step in last}
    if history and len(queues) == 1 and {step.queue for step in first_run(history)} != queues:
        return history[0].scope.layout
    return final_layout(last)


def why_split(dependency: Dependency, opened: bool, one_frame: bool) -> Split:
    """Whether a barrier of a resource that the frame makes anew may be split, or why not; ``opened`` if it is not the
    life's first, ``one_frame`` if what it waits for runs in its own frame."""
    if dependency.behind or dependency.owners:
        return Split.QUEUES
    if dependency.after < 0:
        return Split.QUEUES if opened else Split.OWNERS
    if not one_frame:
        return Split.FRAMES
    return Split.HOST if dependency.dst.stages & Stage.HOST else Split.SPLIT
