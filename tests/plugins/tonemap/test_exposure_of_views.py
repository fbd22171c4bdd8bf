"""A player has one exposure, found from all that is shown of the player's view; each player has another one."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import pytest
from playing import frames_of
from view_scenes import EYES, Company, session_of, show_only, single

from renderwright.engine.session import Session
from renderwright.render.backend.vulkan.backend import VulkanBackend

pytestmark = pytest.mark.vulkan

EXTENT = (128, 64)
MEASURED = ("tonemap/histograms", "tonemap/exposure")
Play = Callable[..., Session]


@pytest.fixture
def play(backend: VulkanBackend) -> Iterator[Play]:
    """Starts sessions with an exposure that adapts, which can be read."""
    sessions: list[Session] = []

    def start(*enable: str, players: int = 1, **settings: str) -> Session:
        chosen = {"tonemap.auto_exposure": "true", "split_screen.separator": "0", **EYES, **settings}
        session = session_of(backend, EXTENT, game=Company, players=players, enable=enable, **chosen)
        for name in MEASURED:
            session.graph.add_sink(name)
        sessions.append(session)
        return session

    yield start
    for session in sessions:
        session.close()


def read(session: Session, name: str, player: int = 0) -> np.ndarray:
    """What the last frame found for a player."""
    found = [
        item.id
        for item in session.runtime.plan.graph.resources
        if name in item.resource.names and dict(item.index).get("view", 0) == player
    ]
    (one,) = found
    return np.frombuffer(session.backend.read_buffer(session.runtime.resource(one)), np.uint32)


def sums(session: Session, player: int = 0) -> np.ndarray:
    """Of each tile's bins: the weight, and the weight times the place in the bin."""
    return read(session, "tonemap/histograms", player).reshape(-1, 2)


def stops(session: Session, player: int = 0) -> float:
    return float(read(session, "tonemap/exposure", player).view(np.float32)[0])


def test_both_eyes_have_the_exposure_of_what_they_see_together(play: Play) -> None:
    together = play("vr")
    frames_of(together, 1)
    views = together._input.views
    apart = []
    for index, _ in views.instances():
        session = play("vr")
        show_only(session, single(views, index, pair=False))
        frames_of(session, 1, views.viewport)
        apart.append(session)
    assert len(apart) == 2
    assert stops(apart[0]) != stops(apart[1]), "each eye alone would have another exposure"
    assert min(map(stops, apart)) < stops(together) < max(map(stops, apart))
    assert np.array_equal(sums(together), sums(apart[0]) + sums(apart[1]))


def test_each_player_has_an_exposure(play: Play) -> None:
    together = play("split_screen", players=2)
    frames_of(together, 1)
    views = together._input.views
    for index, _ in views.instances():
        session = play(players=2)
        show_only(session, single(views, index, pair=False))
        frames_of(session, 1, views.viewport)
        assert np.array_equal(sums(session), sums(together, index["view"]))
        assert stops(session) == stops(together, index["view"])
    assert stops(together, 0) != stops(together, 1)


@pytest.mark.parametrize("plugin", ["ssaa", "vr"])
def test_nothing_begins_anew_when_a_view_is_split_in_mid_run(play: Play, plugin: str) -> None:
    session = play(**{"tonemap.speed_to_light": "0", "tonemap.speed_to_dark": "0"})
    frames_of(session, 2)
    before = stops(session)
    assert before != 0.0
    session.toggle(plugin)
    frames_of(session, 1)
    assert stops(session) == before
    session.toggle(plugin)
    frames_of(session, 1)
    assert stops(session) == before


def test_all_samples_are_measured(play: Play) -> None:
    one, four = play(), play("ssaa")
    for session in (one, four):
        frames_of(session, 1)
    assert sums(four)[:, 0].sum() == 4 * sums(one)[:, 0].sum()
    assert stops(four) == pytest.approx(stops(one), abs=0.1)
