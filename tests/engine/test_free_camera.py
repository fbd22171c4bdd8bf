"""The free camera: where keys, sticks and the mouse take it, and its limits."""

from __future__ import annotations

import math
import re
from pathlib import Path

import pytest
from pyglm import glm

from renderwright.engine.free_camera import CONTROLS, FreeCamera, Gaze
from renderwright.engine.game import Game, GameContext, GameRunner
from renderwright.engine.input import InputMap, InputState
from renderwright.engine.scene import Camera


@pytest.fixture
def state() -> InputState:
    return InputState(InputMap.from_dict(CONTROLS))


def held(state: InputState, *keys: str) -> InputState:
    for key in keys:
        state.press(key)
    state.begin_step()
    return state


def camera(**limits: float) -> FreeCamera:
    return FreeCamera(glm.vec3(1.0, 2.0, 3.0), Gaze(), 1.0, **{"reach": 10.0, **limits})


def test_a_gaze_turns_to_the_right_and_stops_before_the_zenith(state: InputState) -> None:
    gaze = Gaze()
    held(state, "right", "page_up")
    for _ in range(60):
        gaze.turn(state, 1.0 / 30.0)
    assert gaze.yaw == pytest.approx(-3.4)
    assert gaze.pitch == pytest.approx(1.4)
    gaze.yaw = -0.5 * math.pi
    assert glm.distance(gaze.ahead, glm.vec3(1, 0, 0)) < 1e-6
    assert glm.distance(Gaze(-0.5 * math.pi).rotation * glm.vec3(0, 0, -1), glm.vec3(1, 0, 0)) < 1e-6


def test_the_mouse_turns_while_a_button_is_held(state: InputState) -> None:
    gaze = Gaze()
    state.move_mouse((0.0, 0.0), (0.5, 0.25))
    gaze.turn(held(state), 0.1)
    assert (gaze.yaw, gaze.pitch) == (0.0, 0.0)
    state.move_mouse((0.0, 0.0), (0.5, 0.25))
    gaze.turn(held(state, "mouse_left"), 0.1)
    assert (gaze.yaw, gaze.pitch) == (pytest.approx(-0.8), pytest.approx(0.4))


def test_it_flies_where_it_looks(state: InputState) -> None:
    flying = camera()
    flying.gaze.yaw, flying.gaze.pitch = -0.5 * math.pi, math.radians(30.0)
    flying.fly(held(state, "w"), 1.0)
    way = flying.place - glm.vec3(1.0, 2.0, 3.0)
    assert glm.distance(glm.normalize(way), glm.vec3(math.cos(math.radians(30.0)), 0.5, 0.0)) < 1e-5
    shown = Camera()
    flying.show(shown)
    assert glm.distance(shown.forward(), glm.normalize(way)) < 1e-5
    assert shown.position == flying.place


def test_it_stays_within_its_reach_and_above_the_floor(state: InputState) -> None:
    flying = camera(reach=3.0, floor=0.5)
    held(state, "q", "d")
    for _ in range(100):
        flying.fly(state, 0.1)
    assert tuple(flying.place) == (pytest.approx(4.0), pytest.approx(0.5), pytest.approx(3.0))


def test_it_zooms_by_keys_and_wheel_within_limits(state: InputState) -> None:
    flying = camera()
    flying.fly(held(state, "equal"), 0.5)
    assert flying.fov_y == pytest.approx(math.exp(-0.3))
    state.release("equal")
    state.scroll_mouse(-2.0)
    flying.fly(held(state), 0.0)
    assert flying.fov_y == pytest.approx(math.exp(-0.3 + 0.12))
    held(state, "minus")
    for _ in range(100):
        flying.fly(state, 0.1)
    assert flying.fov_y == pytest.approx(math.radians(100.0))


def test_the_example_of_the_page_flies() -> None:
    page = (Path(__file__).parents[2] / "docs" / "writing-games.md").read_text(encoding="utf-8")
    (example,) = [block for block in re.findall(r"```python\n(.*?)```", page, re.DOTALL) if "FreeCamera" in block]
    names: dict[str, type[Game]] = {"Game": Game, "glm": glm}
    exec(compile(example, "docs/writing-games.md", "exec", dont_inherit=True), names)
    runner = GameRunner(names["Visit"](), GameContext())
    runner.start()
    runner.context.input.press("w")
    for _ in range(60):
        runner.frame(1.0 / 60.0)
    assert runner.context.scene.camera.position.z < 3.5
