"""Barriers of a resource in a steady state: it outlives the frame, and nodes use it that may be skipped.

Between frames such a resource is in one layout, its contents visible to all readers in that layout, whichever nodes
ran. A frame that leaves it otherwise ends with a barrier back to the steady state.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from functools import reduce

from renderwright.render.compiler.rates import resources_of_rated_nodes
from renderwright.render.compiler.sync.pass_accesses import CopyAccesses
from renderwright.render.compiler.sync.pending import NOT_YET_KNOWN, PendingBarrier, unsplit
from renderwright.render.compiler.sync.program_points import ProgramPoints
from renderwright.render.compiler.values.instances import InstanceGraph
from renderwright.render.sync.derive import ResourceAccess, derive
from renderwright.render.sync.merge import merge_scopes
from renderwright.render.sync.scopes import Scope
from renderwright.render.types.resources import Buffer, Texture


@dataclass(frozen=True)
class SteadyStates:
    """The accesses of a frame in which all nodes run, and the steady scopes, by resource id.

    ``may_skip_nodes`` says that there are nodes that may be skipped and use resources.
    """

    accesses: Mapping[str, CopyAccesses]
    scopes: Mapping[str, Scope]
    may_skip_nodes: bool = False

    @property
    def steady_accesses(self) -> Mapping[str, CopyAccesses]:
        """The accesses to resources in a steady state."""
        return {name: self.accesses[name] for name in self.scopes}


def steady_states(graph: InstanceGraph, carried_over: Set[str], accesses: Mapping[str, CopyAccesses]) -> SteadyStates:
    """The steady states of a graph, all of whose nodes run in ``accesses``. Later frames find the contents of
    ``carried_over`` resources."""
    of_rated_nodes = resources_of_rated_nodes(graph)
    if not of_rated_nodes:
        return SteadyStates(accesses, {})
    # An external buffer is the same in every frame. An external texture may be another one each time.
    external = {item.id: item.resource.desc for item in graph.resources if item.resource.external}
    outliving = carried_over | set(graph.sinks)
    outliving -= {name for name, desc in external.items() if isinstance(desc, Texture)}
    outliving |= {name for name, desc in external.items() if isinstance(desc, Buffer)}
    used = [name for name in of_rated_nodes & outliving & accesses.keys() if accesses[name].own]
    return SteadyStates(accesses, {name: _steady_scope(accesses[name]) for name in used}, True)


def _steady_scope(accesses: CopyAccesses) -> Scope:
    """All reads in the layout of the frame's last access; that access itself if it writes and there are none."""
    last = (*accesses.own, *accesses.at_end)[-1].scope
    reads = [each.scope for each in accesses.all if not each.scope.writes and each.scope.layout == last.layout]
    return reduce(merge_scopes, reads) if reads else last


def steady_barriers(
    resource: str, accesses: CopyAccesses, steady: Scope, points: ProgramPoints, *, discarded: bool
) -> Sequence[PendingBarrier]:
    """The barriers of a resource that is in the same ``steady`` scope at the end of every frame; each frame makes it
    anew if its contents are ``discarded``."""
    own = _returning((*accesses.own, *accesses.at_end), steady, points)
    if not discarded:
        return unsplit(resource, derive(own, steady=steady))
    history = derive(_widened(accesses.history_reads, steady), steady=steady)
    return unsplit(resource, (*derive(own, NOT_YET_KNOWN), *history), first_use=True)


def _returning(accesses: Sequence[ResourceAccess], steady: Scope, points: ProgramPoints) -> Sequence[ResourceAccess]:
    """The accesses of a frame, and at its end one more if they do not leave the resource in its steady state."""
    widened = _widened(accesses, steady)
    if not widened or widened[-1].scope == steady:
        return widened
    return (*widened, ResourceAccess(points.end_behind(widened[-1].point), steady))


def _widened(accesses: Sequence[ResourceAccess], steady: Scope) -> Sequence[ResourceAccess]:
    """The accesses with reads in the steady layout widened to the steady scope, so that no barrier is needed between
    them."""
    if steady.writes:
        return accesses
    return [
        each if each.scope.writes or each.scope.layout != steady.layout else each._replace(scope=steady)
        for each in accesses
    ]
