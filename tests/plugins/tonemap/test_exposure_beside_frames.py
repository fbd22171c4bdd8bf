"""Auto exposure is found on the compute queue while the next frame is drawn; the pictures are those of one queue."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "render" / "runtime"))

import numpy as np
import pytest
from queue_frames import SeveralQueues

from renderwright.engine.clock import FixedStepClock
from renderwright.engine.options import PluginChoice, SettingChange
from renderwright.engine.session import Session
from renderwright.games.marbles.game import Marbles
from renderwright.render.backend.vulkan.backend import VulkanBackend
from renderwright.render.compiler.values.options import CompileOptions
from renderwright.render.sync.queues import ALL_QUEUES, GRAPHICS

FINDERS = ["tonemap/adapt", "tonemap/begin", "tonemap/measure"]


@pytest.mark.vulkan
def test_pictures_are_those_of_one_queue() -> None:
    backend = VulkanBackend(validate=True, wrap=SeveralQueues().wrap)
    settings = (SettingChange("tonemap", "auto_exposure", "true"), SettingChange("tonemap", "exposure", "-3"))
    choice = PluginChoice(settings=settings)
    shown: dict[tuple[str, ...], list[np.ndarray]] = {}
    for queues in (ALL_QUEUES, (GRAPHICS,)):
        clock = FixedStepClock(Marbles.step, frame=1 / 60)
        options = CompileOptions(queues=queues)
        session = Session(Marbles, backend, (64, 36), choice=choice, clock=clock, options=options, verify=True)
        target = backend.create_target((64, 36))
        crossing = session.runtime.plan.queues.wait_points
        found = sorted(session.runtime.plan.graph.nodes[number].id for number in crossing)
        assert found == (FINDERS if queues == ALL_QUEUES else [])
        for _ in range(5):
            session.step()
            session.render(target)
            shown.setdefault(queues, []).append(session.picture())
        session.close()
        target.close()
    backend.close()
    first, second = shown.values()
    assert all(np.array_equal(one, other) for one, other in zip(first, second, strict=True))
    assert not np.array_equal(first[0], first[1]), "the second frame has the exposure that the first one found"
    assert [message.text for message in backend.validation_messages] == []
