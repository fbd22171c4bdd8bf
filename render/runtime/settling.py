"""Images that lives find in their layout have to be in it before the first of these."""

from __future__ import annotations

from collections.abc import Iterable

from renderwright.render.backend.protocol import BoundBarrier, Recorder
from renderwright.render.runtime.resources import CopyKey, PlanResources
from renderwright.render.runtime.transitions import transition
from renderwright.render.sync.flags import Layout


def settle(recorder: Recorder, copies: Iterable[CopyKey], resources: PlanResources) -> None:
    """Bring the images of these copies into the general layout; nobody wants what they hold (``Images``)."""
    barriers = [
        BoundBarrier(transition(*key, Layout.UNDEFINED, Layout.GENERAL), resources.physicals[key]) for key in copies
    ]
    if barriers:
        recorder.barriers(barriers)
