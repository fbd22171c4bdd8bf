"""What stands between the uses of a resource that is there before the frame and after it, or comes from outside."""

from __future__ import annotations

from collections.abc import Sequence

from renderwright.render.compiler.sync.aliasing import waiting_for
from renderwright.render.compiler.sync.histories import Life
from renderwright.render.compiler.sync.program_points import Clock
from renderwright.render.compiler.sync.shapes import OPEN
from renderwright.render.compiler.sync.steady_state import as_resting, returning
from renderwright.render.compiler.values.instances import ResourceInstance
from renderwright.render.sync.barriers import BarrierReason
from renderwright.render.sync.derive import Dependency, Opening, Step, derive
from renderwright.render.sync.flags import Access, Layout, Stage
from renderwright.render.sync.scopes import Scope
from renderwright.render.types.resources import Texture

_CONTENTS = Access.SHADER_SAMPLED_READ | Access.SHADER_STORAGE_READ | Access.TRANSFER_READ

# The stage at which a frame waits until the display has let go of its image.
_ACQUIRED = Opening(Stage.COLOR_ATTACHMENT_OUTPUT, Access.NONE, BarrierReason.ACQUIRE)

# What comes with contents is there for all shaders to sample, and goes out like that.
_ASSET = Scope(
    Stage.VERTEX_SHADER | Stage.FRAGMENT_SHADER | Stage.COMPUTE_SHADER,
    Access.SHADER_SAMPLED_READ,
    Layout.SHADER_READ_ONLY,
)


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
