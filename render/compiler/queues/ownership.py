"""Which resources have to belong to all queues, known before passes are: never fewer than barriers will ask for."""

from __future__ import annotations

from collections.abc import Sequence

from renderwright.render.compiler.resources.access_history import NodeAccess, Timeline
from renderwright.render.sync.derive import Step, is_shared
from renderwright.render.sync.queues import GRAPHICS


def belongs_to_all(time: Timeline, queues: Sequence[str], *, lasts: bool) -> bool:
    """Whether several queues use the resource at once. ``queues`` are those of the nodes, by number.

    So it is with what ``lasts`` beyond the frame if another queue than graphics uses it, since the runtime carries it
    over and reads it back on the graphics queue; and where queues use parts of a texture.
    """
    used = {queues[access.node] for access in (*time.own, *time.history)}
    if used <= {GRAPHICS}:
        return False
    return lasts or (len(used) > 1 and (bool(time.cells) or is_shared(_steps((*time.own, *time.history), queues))))


def _steps(accesses: Sequence[NodeAccess], queues: Sequence[str]) -> list[Step]:
    return [Step(access.node, access.scope, queues[access.node]) for access in accesses]
