"""What stands between the uses of one copy of a resource in the course of its life."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from render.compiler.batches import Link, link_of
from render.compiler.handover import waiting_for
from render.compiler.lives import Clock, Life, Pattern
from render.compiler.rest import as_resting, returning
from render.compiler.stages import ResourceInstance
from render.graph.resources import Texture
from render.sync.barriers import BarrierReason, Split
from render.sync.derive import Dependency, Opening, Step, derive, final_layout, first_run, last_run
from render.sync.flags import Access, Layout, Stage
from render.sync.usages import Scope

_CONTENTS = Access.SHADER_SAMPLED_READ | Access.SHADER_STORAGE_READ | Access.TRANSFER_READ

# The stage at which a frame waits until the display has let go of its image.
_ACQUIRED = Opening(Stage.COLOR_ATTACHMENT_OUTPUT, Access.NONE, BarrierReason.ACQUIRE)

# What comes with contents is there for all shaders to sample, and goes out like that.
_ASSET = Scope(
    Stage.VERTEX_SHADER | Stage.FRAGMENT_SHADER | Stage.COMPUTE_SHADER,
    Access.SHADER_SAMPLED_READ,
    Layout.SHADER_READ_ONLY,
)

# To be told by ``sync``.
OPEN = Opening(Stage.NONE, Access.NONE, BarrierReason.ACTIVATE)


class Course(NamedTuple):
    """The links of a resource that the frame makes anew, as if the numbers of its steps were their places; and the
    layout that the frame leaves it in (``left_in``)."""

    links: tuple[Link, ...]
    layout: Layout


def course_of(name: str, pattern: Pattern, short: Split) -> Course:
    """What stands at the steps of a life, wherever these are; ``short`` is ``link_of``'s."""
    steps = pattern.steps
    here = pattern.own + pattern.present
    found: list[Link] = []
    for dependency in derive(steps, OPEN, shared=pattern.shared):
        after = dependency.after
        split = why_split(dependency, bool(found), (after < here) == (dependency.place < here))
        found.append(link_of(name, dependency, split, short, opens=not found))
    return Course(tuple(found), left_in(steps[:here], steps[here:]))


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


def resting(life: Life, rest: Scope, clock: Clock, *, opens: bool) -> Sequence[Dependency]:
    """Those of a resource that is the same at the end of every frame; ``opens`` says that each frame makes it anew."""
    own = returning((*life.own, *life.present), rest, clock.end)
    if not opens:
        return derive(own, rest=rest)
    return (*derive(own, OPEN), *derive(as_resting(life.history, rest), rest=rest))


def outer_rest(item: ResourceInstance, whole: Life) -> Scope | None:
    """How a texture from outside comes and goes, if it comes with contents: those whose first use reads it do. The
    others, like what is on its way to the display, are made anew."""
    if not item.resource.external or not isinstance(item.resource.desc, Texture) or whole.present:
        return None
    lives = [life for _, life in whole.cells] or [whole]
    read = any(life.own and life.own[0].scope.access & _CONTENTS for life in lives)
    return _ASSET if read else None


def outside(item: ResourceInstance, life: Life, whole: Life, clock: Clock) -> Sequence[Dependency]:
    """Those of a resource from outside; ``whole`` is the life in a frame in which all nodes run."""
    if isinstance(item.resource.desc, Texture):
        return _made_outside(life, whole)
    return _outside_buffer(life.own, clock)


def _made_outside(life: Life, whole: Life) -> Sequence[Dependency]:
    """An image from outside that the frame draws to, perhaps for the display."""
    if life.present:
        *dependencies, last = derive(life.steps, _ACQUIRED)
        return (*dependencies, last._replace(reason=BarrierReason.PRESENT))
    # No semaphore stands between this frame and the last one that used the image.
    return derive(life.own, waiting_for(whole.own, _ACQUIRED))


def _outside_buffer(steps: Sequence[Step], clock: Clock) -> Sequence[Dependency]:
    """The same buffer serves every frame: the barriers of the middle one of three, if anything writes it at all."""
    if not any(step.scope.writes for step in steps):
        return ()
    three = [step._replace(place=step.place + turn * clock.length) for turn in range(3) for step in steps]
    return [
        dependency._replace(place=dependency.place - clock.length, after=dependency.after - clock.length)
        for dependency in derive(three, shared=True)
        if clock.frame(dependency.place) == 1
    ]
