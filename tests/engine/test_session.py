"""Whole frames of a small scene on a real driver: what plugins change, and that nothing else changes the picture."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from playing import Picture, frames_of
from pyglm import glm

from renderwright.engine.clock import FixedStepClock
from renderwright.engine.game import Game, GameContext
from renderwright.engine.options import PluginChoice, SettingChange
from renderwright.engine.scene.light import PointLight
from renderwright.engine.scene.material import Material
from renderwright.engine.scene.primitives import box, plane, sphere
from renderwright.engine.scene.transform import Transform
from renderwright.engine.session import Session
from renderwright.render.backend.vulkan.backend import VulkanBackend
from renderwright.render.errors import PluginError, UsageError

pytestmark = pytest.mark.vulkan

EXTENT = (128, 72)
ALL = ("bloom", "shadows", "tonemap")


class Still(Game):
    """A ground, a box that throws a shadow, a lamp that blooms; nothing moves."""

    title = "Still"

    def setup(self, context: GameContext) -> None:
        scene = context.scene
        scene.camera.position = glm.vec3(2.0, 2.5, 2.5)
        scene.sun.direction = glm.vec3(0.6, -1.0, 0.3)
        scene.spawn(plane(20, 20), Material(base_color=(0.5, 0.5, 0.5, 1), roughness=0.8))
        scene.spawn(box(1.0), Material(base_color=(0.8, 0.2, 0.1, 1)), Transform(glm.vec3(0, 0.5, 0)))
        scene.spawn(sphere(0.3), Material(emissive=(40, 20, 5)), Transform(glm.vec3(-1.2, 0.6, 0.5)))
        scene.add_light(PointLight(glm.vec3(1, 1, 1), (0.2, 0.4, 1.0), 5.0, 6.0))

    def draw(self, alpha: float) -> None:
        self.context.hud.text(4, 4, "still", 40)


class StillForward(Still):
    """The same by the forward skeleton."""

    skeleton = "forward"


Play = Callable[..., Session]


@pytest.fixture
def play(backend: VulkanBackend) -> Iterator[Play]:
    """Starts sessions; their pictures come from ``picture``."""
    sessions: list[Session] = []

    def start(*off: str, game: type[Game] = Still, settings: tuple[SettingChange, ...] = ()) -> Session:
        choice = PluginChoice(disable=off, settings=settings)
        session = Session(game, backend, EXTENT, choice=choice, clock=FixedStepClock(game.step, frame=1 / 60))
        sessions.append(session)
        return session

    yield start
    for session in sessions:
        session.close()


def picture(session: Session, frames: int = 2) -> Picture:
    return frames_of(session, frames)[-1]


def placed_bytes(session: Session) -> int:
    """What the resources would take without sharing memory."""
    return sum(placed.size for placed in session.runtime.plan.placement.resources if placed.copies)


def test_each_plugin_changes_the_picture_and_frees_memory_when_off(play: Play) -> None:
    full = play()
    pictures = {(): picture(full)}
    heaps, sizes = {(): full.runtime.heap_bytes}, {(): placed_bytes(full)}
    for off in (("shadows",), ("bloom",), ("tonemap",), ("bloom", "shadows"), ALL):
        session = play(*off)
        pictures[off] = picture(session)
        heaps[off], sizes[off] = session.runtime.heap_bytes, placed_bytes(session)
        names = {node.declaration.plugin for node in session.runtime.plan.graph.nodes}
        assert not names & set(off)
    shown = list(pictures.values())
    for number, one in enumerate(shown):
        assert one.std() > 10
        assert all(not np.array_equal(one, other) for other in shown[number + 1 :])
    assert heaps["shadows",] < heaps[()]
    # Bloom lives in memory that the G-buffer has left, so without it the heap need not shrink; what it places is gone.
    assert heaps[ALL] <= heaps["bloom", "shadows"] <= heaps["shadows",]
    assert sizes[ALL] < sizes["bloom", "shadows"] < sizes["shadows",] < sizes[()]


def test_the_shadow_is_dark_and_the_light_is_not(play: Play) -> None:
    lit, shadowed = picture(play("shadows")).astype(int), picture(play()).astype(int)
    darker = (lit - shadowed).max(axis=2)
    assert (darker > 25).mean() > 0.01
    assert (darker > 25).mean() < 0.3
    assert (np.abs(darker) < 12).mean() > 0.6


def test_bloom_spreads_light_around_the_lamp(play: Play) -> None:
    plain, bloomed = picture(play("bloom")).astype(int), picture(play()).astype(int)
    brighter = (bloomed - plain).sum(axis=2)
    lamp = plain.sum(axis=2).argmax()
    row, column = divmod(int(lamp), EXTENT[0])
    around = brighter[max(0, row - 10) : row + 10, max(0, column - 10) : column + 10]
    assert around.mean() > brighter[:, -10:].mean()
    assert (around > 6).any()


def test_switching_in_mid_run_ends_where_a_fresh_run_starts(play: Play) -> None:
    session = play()
    picture(session, 3)
    for plugin in ALL:
        assert session.toggle(plugin) is False
        assert np.array_equal(picture(session), picture(play(plugin)))
        assert session.toggle(plugin) is True
    assert np.array_equal(picture(session), picture(play()))


def test_resizing_ends_where_a_fresh_run_starts(play: Play, backend: VulkanBackend) -> None:
    session = play()
    before = picture(session)
    session.resize((64, 64))
    assert picture(session).shape == (64, 64, 4)
    session.resize(EXTENT)
    assert np.array_equal(picture(session), before)


def test_forward_and_deferred_agree(play: Play) -> None:
    deferred, forward = picture(play()).astype(int), picture(play(game=StillForward)).astype(int)
    assert np.abs(deferred - forward).mean() < 3.0


@pytest.mark.parametrize(
    "changes",
    [
        *({"order": order} for order in ("memory", "overlap", "declared", "random:1", "random:2")),
        {"alias": False},
    ],
    ids=lambda changes: changes.get("order", "alone in memory"),
)
def test_order_and_aliasing_do_not_change_the_picture(play: Play, changes: dict[str, Any]) -> None:
    session = play()
    session.runtime.options = replace(session.runtime.options, **changes)
    assert np.array_equal(picture(session, 3), picture(play(), 3))


def test_two_runs_are_equal_byte_for_byte(play: Play) -> None:
    assert np.array_equal(picture(play(), 5), picture(play(), 5))


def test_settings_reach_the_shaders(play: Play) -> None:
    bright = picture(play(settings=(SettingChange("tonemap", "exposure", "2"),)))
    assert bright.mean() > picture(play()).mean() + 10


def test_settings_change_in_mid_run(play: Play) -> None:
    session = play()
    picture(session)
    plan = session.runtime.plan
    session.plugins.set("tonemap", "exposure", "2")
    expected = picture(play(settings=(SettingChange("tonemap", "exposure", "2"),)))
    assert np.array_equal(picture(session), expected)
    assert session.runtime.plan.placement is plan.placement


def test_a_wrong_setting_or_plugin_is_a_usage_error(play: Play) -> None:
    with pytest.raises(UsageError, match="exposure"):
        play(settings=(SettingChange("tonemap", "exposur", "2"),))
    with pytest.raises(UsageError, match="shadows"):
        play("shadwos")


def test_a_plugin_that_fails_in_mid_run_is_quarantined(play: Play) -> None:
    session = play()
    session.plugins.quarantine("bloom", RuntimeError("its node raised"))
    assert np.array_equal(picture(session), picture(play("bloom")))
    assert session.plugins.status("bloom").state == "quarantined"


def test_strict_makes_a_failing_plugin_fatal(backend: VulkanBackend) -> None:
    session = Session(Still, backend, EXTENT, strict=True, clock=FixedStepClock(Still.step, frame=1 / 60))
    try:
        with pytest.raises(PluginError, match="bloom"):
            session.plugins.quarantine("bloom", RuntimeError("its node raised"))
    finally:
        session.close()
