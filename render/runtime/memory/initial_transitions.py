"""Transitions images into their layout before the first live range that expects it."""

from __future__ import annotations

from collections.abc import Iterable

from renderwright.render.backend.protocol import BoundBarrier, Recorder
from renderwright.render.runtime.memory.resources import CopyKey, PlanResources
from renderwright.render.runtime.memory.transitions import transition
from renderwright.render.sync.flags import Layout


def transition_to_general(recorder: Recorder, copies: Iterable[CopyKey], resources: PlanResources) -> None:
    """Transition the images of these copies to the general layout and discard their contents (``ImageReuse``)."""
    barriers = [
        BoundBarrier(transition(*key, Layout.UNDEFINED, Layout.GENERAL), resources.physicals[key]) for key in copies
    ]
    if barriers:
        recorder.barriers(barriers)
