"""How a session turns a game's cameras into views; no GPU."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import ClassVar

import pytest
from pyglm import glm

from renderwright.engine.clock import FixedStepClock
from renderwright.engine.game import Game, GameContext
from renderwright.engine.options import PluginChoice
from renderwright.engine.scene import Camera
from renderwright.engine.session import Session
from renderwright.engine.views import View
from renderwright.render.backend.null import NullBackend
from renderwright.render.errors import UsageError

EXTENT = (640, 360)


class Pair(Game):
    """Two cameras at most, and a HUD for each that says how wide it is."""

    title = "Pair"
    plugins: ClassVar[tuple[str, ...]] = ("split_screen",)
    max_players = 2
    drawn: ClassVar[list[tuple[float, ...]]] = []

    def setup(self, context: GameContext) -> None:
        self.update(0.0)

    def update(self, dt: float) -> None:
        cameras = self.context.scene.cameras
        cameras[:] = [Camera(glm.vec3(x, 1, 4), glm.vec3(0)) for x in range(self.context.players)]

    def draw(self, alpha: float) -> None:
        self.drawn.append(tuple(hud.width for hud in self.context.huds))


@dataclass(frozen=True)
class Samples:
    count: int = 4

    def part(self, view: View, number: int) -> View:
        return replace(view, offset=(number / 4, 0.0))


@pytest.fixture
def session() -> Iterator[Session]:
    Pair.drawn.clear()
    backend = NullBackend()
    session = Session(Pair, backend, EXTENT, clock=FixedStepClock(Pair.step, frame=1 / 60), players=2, strict=True)
    yield session
    session.close()
    backend.close()


def show(session: Session, extent: tuple[int, int] = EXTENT) -> dict[str, int]:
    """One frame; the counts of its plan's ``camera``."""
    session.step()
    target = session.backend.create_target(extent)
    session.render(target)
    target.close()
    instances = [item.index for item in session.runtime.plan.graph.resources if item.resource.root == "camera"]
    return {dimension: 1 + max(dict(index)[dimension] for index in instances) for dimension, _ in instances[0]}


def test_players_get_views_and_huds(session: Session) -> None:
    assert show(session)["view"] == 2
    assert Pair.drawn[-1] == (638.0, 638.0), "in HUD units: half of 1280, less the separator"
    viewport = session.runtime.plan.placement.extents
    assert dict(viewport)["viewport"] == dict(viewport)["main_view"] == (319, 360)
    session.set_players(1)
    assert show(session)["view"] == 1
    assert Pair.drawn[-1] == (1280.0,)


def test_the_hud_is_written_anew_only_where_its_shape_has_changed(session: Session) -> None:
    show(session)
    Pair.drawn.clear()
    show(session)
    assert len(Pair.drawn) == 1
    show(session, (320, 360))
    assert [len(set(widths)) for widths in Pair.drawn[1:]] == [1, 1]
    assert Pair.drawn[1] != Pair.drawn[2], "once for the old size, and again for the new one"


def test_a_toggle_between_step_and_frame_is_in_the_frame(session: Session) -> None:
    show(session)
    session.step()
    session.toggle("split_screen")
    target = session.backend.create_target(EXTENT)
    session.render(target)
    target.close()
    assert session._input.views.counts == {"view": 1}
    assert len(session.context.huds) == 1


def test_the_application_adds_splits_of_its_own(session: Session) -> None:
    session.splits["sample"] = Samples()
    counts = show(session)
    assert (counts["view"], counts["sample"]) == (2, 4)
    jitters = {session.runtime.blob(f"camera@view=0,sample={number}").jitter for number in range(4)}
    assert len(jitters) == 4
    session.splits.clear()
    assert show(session)["sample"] == 1


@pytest.mark.parametrize("players", [0, 3])
def test_a_game_is_for_so_many(session: Session, players: int) -> None:
    with pytest.raises(UsageError, match="does not support") as refused:
        session.set_players(players)
    assert "1 to 2" in refused.value.hint


def test_a_game_that_says_nothing_is_for_one() -> None:
    backend = NullBackend()
    with pytest.raises(UsageError, match="2 players") as refused:
        Session(Game, backend, EXTENT, choice=PluginChoice(), players=2)
    assert "one player" in refused.value.hint
    assert "max_players" in refused.value.hint
    backend.close()
