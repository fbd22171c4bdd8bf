"""Images that lives find in their layout have to be in it before the first of these."""

from __future__ import annotations

from render.backend.protocol import BoundBarrier, Recorder
from render.runtime.resources import PlanResources
from render.runtime.transitions import transition
from render.sync.flags import Layout
from render.sync.images import Images


def settle(recorder: Recorder, images: Images, resources: PlanResources, parity: int) -> None:
    """Bring them into the general layout in front of a frame of that parity; nobody wants what they hold."""
    barriers = [
        BoundBarrier(transition(*key, Layout.UNDEFINED, Layout.GENERAL), resources.physicals[key])
        for key in images.settled[parity]
    ]
    if barriers:
        recorder.barriers(barriers)
