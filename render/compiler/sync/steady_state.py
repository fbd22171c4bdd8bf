"""How frames in which different nodes run hand over to one another.

What one frame leaves to the next must be in a state that does not depend on which nodes ran: between frames a resource
*rests* in one layout, its contents visible to all who read it in that layout. A frame that leaves it otherwise returns
it. What the first use of any memory waits for covers the uses of all frames.
"""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import dataclass
from functools import reduce

from renderwright.render.compiler.rates import irregular_resources
from renderwright.render.compiler.sync.histories import Life
from renderwright.render.compiler.values.instances import InstanceGraph
from renderwright.render.sync.derive import Step
from renderwright.render.sync.merge import merge_scopes
from renderwright.render.sync.scopes import Scope
from renderwright.render.types.resources import Buffer, Texture


@dataclass(frozen=True)
class Rest:
    """The lives of a frame in which all nodes run, and the resting scopes by id.

    A resource has a resting scope if it outlives the frame and is used by nodes that do not run in every frame.
    ``irregular`` says that there are such nodes.
    """

    lives: Mapping[str, Life]
    scopes: Mapping[str, Scope]
    irregular: bool = False


def rest_of(graph: InstanceGraph, lasting: Set[str], lives: Mapping[str, Life]) -> Rest:
    """The resting scopes of a graph, all of whose nodes run in ``lives``; ``lasting`` outlive their frame."""
    irregular = irregular_resources(graph)
    if not irregular:
        return Rest(lives, {})
    # A buffer from outside is the same in every frame. A texture may be another one, of which nothing is known.
    outside = {r.id: r.resource.desc for r in graph.resources if r.resource.external}
    wanted = (lasting | set(graph.sinks)) - {name for name, desc in outside.items() if isinstance(desc, Texture)}
    wanted |= {name for name, desc in outside.items() if isinstance(desc, Buffer)}
    scopes = {}
    for name in irregular & wanted & lives.keys():
        if lives[name].own:
            scopes[name] = _resting_scope(lives[name])
    return Rest(lives, scopes, True)


def _resting_scope(life: Life) -> Scope:
    """All reads in the layout of the frame's last use; that use itself when it writes and there are no such reads."""
    last = (*life.own, *life.present)[-1].scope
    reads = [step.scope for step in life.steps if not step.scope.writes and step.scope.layout == last.layout]
    return reduce(merge_scopes, reads) if reads else last


def returning(steps: tuple[Step, ...], rest: Scope, end: int) -> tuple[Step, ...]:
    """The steps of one frame, and at its ``end`` one more if they do not leave the resource at rest.

    Reads in the resting layout are widened to all of those, so that no barrier is needed between them.
    """
    widened = as_resting(steps, rest)
    if not widened or widened[-1].scope == rest:
        return widened
    return (*widened, Step(max(end, widened[-1].place + 1), rest))


def as_resting(steps: tuple[Step, ...], rest: Scope) -> tuple[Step, ...]:
    """The steps with reads in the resting layout widened to all of those."""
    return tuple(
        step._replace(scope=rest)
        if not (step.scope.writes or rest.writes) and step.scope.layout == rest.layout
        else step
        for step in steps
    )
