"""What the shadow nodes do in frames in which only the view, or nothing of theirs, has changed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

import pytest
from pyglm import glm
from shadow_scenes import Ball

from renderwright.engine.clock import FixedStepClock
from renderwright.engine.scene import PointLight
from renderwright.engine.session import Session
from renderwright.render.backend.null.backend import NullBackend
from renderwright.render.backend.target import Target
from renderwright.render.runtime.lowering.node_run import NodeRun

EXTENT = (32, 18)
SETTLING = 4
CASCADES = {f"shadows/cascade_{number}" for number in range(4)}


class Played:
    """A session whose frames tell which nodes they have executed."""

    def __init__(self, session: Session, target: Target, executed: set[str]) -> None:
        self.session, self._target, self._executed = session, target, executed
        self.lamp = session.context.scene.add_light(PointLight(glm.vec3(0.0, 2.0, 0.0)))
        for _ in range(SETTLING):
            self.frame()

    def frame(self) -> set[str]:
        self._executed.clear()
        self.session.step()
        self.session.render(self._target)
        return set(self._executed)


@pytest.fixture
def played(monkeypatch: pytest.MonkeyPatch) -> Iterator[Played]:
    executed: set[str] = set()
    record = NodeRun.record

    def noted(run: NodeRun, *arguments: object) -> object:
        executed.add(run.instance.id)
        return record(run, *arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(NodeRun, "record", noted)
    with (
        closing(NullBackend()) as backend,
        closing(backend.create_target(EXTENT)) as target,
        closing(
            Session(Ball, backend, EXTENT, strict=True, clock=FixedStepClock(Ball.step, frame=Ball.step))
        ) as session,
    ):
        yield Played(session, target, executed)


def test_maps_keep_their_commands_while_the_view_moves(played: Played) -> None:
    for _ in range(SETTLING):
        played.session.context.scene.camera.position.x += 0.5
        executed = played.frame()
        assert "shadows/fit" in executed
        assert executed & CASCADES == set()


def test_nothing_is_fitted_while_time_passes_and_a_lamp_moves(played: Played) -> None:
    for _ in range(SETTLING):
        played.lamp.position.x += 0.1
        executed = played.frame()
        assert "shadows/follow_sun" in executed
        assert "shadows/fit" not in executed


def test_maps_are_recorded_anew_where_the_sun_casts_no_shadows_any_more(played: Played) -> None:
    sun = played.session.context.scene.sun
    assert sun is not None
    sun.casts_shadow = False
    assert played.frame() >= CASCADES
