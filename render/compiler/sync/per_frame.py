"""Barriers of a per-frame resource: each frame makes it anew, and the next one may read it as history."""

from __future__ import annotations

from collections.abc import Sequence

from renderwright.render.compiler.sync.pass_accesses import CopyAccesses
from renderwright.render.compiler.sync.pending import NOT_YET_KNOWN, PendingBarrier
from renderwright.render.compiler.sync.program_points import ProgramPoints
from renderwright.render.compiler.sync.splitting import why_unsplit
from renderwright.render.sync.barriers import Split
from renderwright.render.sync.derive import ResourceAccess, derive, final_layout, first_group, last_group
from renderwright.render.sync.flags import Layout


def per_frame_barriers(
    resource: str, accesses: CopyAccesses, points: ProgramPoints, *, concurrent: bool
) -> Sequence[PendingBarrier]:
    """The first use discards the contents and waits for all that shares the memory; each later access waits for the one
    before it."""
    dependencies = derive(accesses.all, NOT_YET_KNOWN, concurrent=concurrent)
    first_uses = [PendingBarrier(resource, first, Split.FIRST_USE, first_use=True) for first in dependencies[:1]]
    later = [PendingBarrier(resource, each, why_unsplit(each, points)) for each in dependencies[1:]]
    return [*first_uses, *later]


def layout_left(own: Sequence[ResourceAccess], history: Sequence[ResourceAccess]) -> Layout:
    """The layout in which a frame leaves its copy, from which the next frame's history readers start.

    If all of those readers are on another queue, the layout is changed to theirs before that queue waits.
    """
    last = last_group(own)
    queues = {access.queue for access in last}
    if history and len(queues) == 1 and {access.queue for access in first_group(history)} != queues:
        return history[0].scope.layout
    return final_layout(last)
