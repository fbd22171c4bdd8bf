"""Queue family ownership: which resources have to belong to all queues.

That is decided before passes are formed, so it holds for every resource for which barriers need it, and maybe more.
"""

from __future__ import annotations

from collections.abc import Sequence

from renderwright.render.compiler.resources.access_history import AccessHistory
from renderwright.render.sync.derive import ResourceAccess, is_shared
from renderwright.render.sync.queues import GRAPHICS


def belongs_to_all(time: AccessHistory, queues: Sequence[str], *, lasts: bool) -> bool:
    """Whether several queues use the resource at once. ``queues`` are those of the nodes, by number.

    A resource that ``lasts`` beyond the frame belongs to all if any other queue than graphics uses it, since the
    runtime carries it over and reads it back on the graphics queue. So does a texture of which several queues use
    parts.
    """
    steps = [ResourceAccess(access.node, access.scope, queues[access.node]) for access in (*time.own, *time.history)]
    used = {step.queue for step in steps}
    if used <= {GRAPHICS}:
        return False
    return lasts or (len(used) > 1 and (bool(time.cells) or is_shared(steps)))
