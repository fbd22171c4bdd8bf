"""Each effect in whole frames: off is as if not installed, on changes the picture, and switching leaves no trace.

``bloom``, ``shadows`` and ``tonemap`` are switched in mid-run by ``tests/engine/test_session.py``.
"""

from __future__ import annotations

import ast
import importlib
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from playing import frames_of
from pyglm import glm
from view_scenes import VISIBLE, change_settings, session_of

from renderwright import plugins
from renderwright.engine.frame import build_frame
from renderwright.engine.game import Game, GameContext
from renderwright.engine.options import PluginChoice, SettingChange
from renderwright.engine.plugins import describe_settings
from renderwright.engine.renderer.frame_input import FrameInput
from renderwright.engine.renderer.gpu_scene import GpuScene
from renderwright.engine.scene import Scene
from renderwright.engine.scene.material import Material
from renderwright.engine.scene.primitives import box, plane, sphere
from renderwright.engine.scene.transform import Transform
from renderwright.engine.session import Session
from renderwright.engine.skeleton import find_skeleton
from renderwright.render.backend.null import NullBackend
from renderwright.render.backend.vulkan.backend import VulkanBackend
from renderwright.render.compiler.pipeline import compile_snapshot
from renderwright.render.compiler.values.options import CompileOptions
from renderwright.render.memory.needs import RowMajorModel

pytestmark = pytest.mark.vulkan

EXTENT = (96, 54)
EFFECTS = ("depth_of_field", "fog", "fxaa", "motion_blur", "outline")
OTHERS = ("contact_shadows", "ssr", "grading", "ssaa", "ssao", "taa", "volumetric_fog", "vr")
"""Off by default as well, and larger."""
DEFERRED = ("ssr",)
"""Effects that read normals and materials, which the forward skeleton has not."""
USUAL = ("bloom", "shadows", "tonemap")
"""On by default."""


class Moving(Game):
    """A box and a lamp that slide over a ground."""

    title = "Moving"

    def setup(self, context: GameContext) -> None:
        scene = context.scene
        scene.camera.position = glm.vec3(2.0, 2.5, 3.5)
        scene.camera.target = glm.vec3(0.0, 0.5, 0.0)
        scene.spawn(plane(60, 60), Material(base_color=(0.5, 0.5, 0.5, 1)))
        red = Material(base_color=(0.8, 0.2, 0.1, 1))
        self.box = scene.spawn(box(1.0), red, Transform(glm.vec3(-1.0, 0.5, 0.0)))
        self.lamp = scene.spawn(sphere(0.3), Material(emissive=(9, 5, 1)), Transform(glm.vec3(0.8, 0.6, 1.0)))

    def update(self, dt: float) -> None:
        for slider in (self.box, self.lamp):
            slider.transform.position += glm.vec3(8.0 * dt, 0.0, 0.0)


class MovingForward(Moving):
    """The same by the forward skeleton, which has no normals."""

    skeleton = "forward"


@pytest.fixture
def play(backend: VulkanBackend) -> Iterator[Callable[..., Session]]:
    """Starts a session with plugins besides the usual ones."""
    sessions: list[Session] = []

    def start(*enable: str, disable: tuple[str, ...] = (), game: type[Game] = Moving) -> Session:
        session = session_of(backend, EXTENT, game=game, enable=enable, disable=disable, **VISIBLE)
        sessions.append(session)
        return session

    yield start
    for session in sessions:
        session.close()


def picture(session: Session, frames: int) -> np.ndarray:
    return frames_of(session, frames)[-1]


@pytest.mark.parametrize("game", [Moving, MovingForward])
def test_on_changes_the_picture_and_off_leaves_no_trace(play, game) -> None:
    never, switched = play(game=game), play(game=game)
    change_settings(switched, VISIBLE)
    for effect in (*EFFECTS, *OTHERS):
        if game is MovingForward and effect in DEFERRED:
            continue
        switched.toggle(effect)
        shown = picture(switched, 2)
        assert shown.std() > 10
        assert not np.array_equal(shown, picture(never, 2)), effect
        switched.toggle(effect)
        assert np.array_equal(picture(switched, 2), picture(never, 2)), effect


def test_off_is_as_if_not_installed(play, monkeypatch) -> None:
    installed = picture(play(), 2)
    off = {effect: picture(play(disable=(effect,)), 2) for effect in USUAL}
    with monkeypatch.context() as environment:
        environment.setenv("RENDERWRIGHT_PLUGINS", ",".join(USUAL))
        assert np.array_equal(picture(play(), 2), installed)
    for effect, shown in off.items():
        with monkeypatch.context() as environment:
            environment.setenv("RENDERWRIGHT_BLOCK_PLUGINS", effect)
            assert np.array_equal(picture(play(), 2), shown), effect
        assert not np.array_equal(shown, installed), effect


@pytest.mark.parametrize("effect", EFFECTS)
def test_switching_in_mid_run_ends_where_an_unbroken_run_does(play, effect: str) -> None:
    """Two frames more, because motion is against the frame before."""
    always, switched = play(effect), play(effect)
    picture(switched, 2)
    assert switched.toggle(effect) is False
    picture(switched, 2)
    assert switched.toggle(effect) is True
    assert np.array_equal(picture(switched, 2), picture(always, 6))


def test_a_history_ends_with_the_first_frame_without_its_effect(play) -> None:
    """One that is off and on again between two frames was never off, whatever joins it."""
    effect = "taa"
    continued, begun_anew, never = play(effect), play(effect), play()
    for session in (continued, begun_anew, never):
        change_settings(session, VISIBLE)
    picture(continued, 3)
    picture(begun_anew, 2)
    begun_anew.toggle(effect)
    picture(begun_anew, 1)
    picture(never, 3)
    continued.toggle(effect)
    for session in (continued, begun_anew, never):
        for name in (effect, *EFFECTS):
            session.toggle(name)
    shown = picture(begun_anew, 2)
    assert np.array_equal(shown, picture(never, 2))
    assert not np.array_equal(shown, picture(continued, 2))


def test_the_order_of_switching_on_makes_no_difference(play) -> None:
    effects = ("taa", "volumetric_fog", *EFFECTS)
    forwards, backwards = play(), play()
    for session, order in ((forwards, effects), (backwards, effects[::-1])):
        change_settings(session, VISIBLE)
        for name in order:
            session.toggle(name)
    assert np.array_equal(picture(forwards, 3), picture(backwards, 3))
    names = [dict(session.runtime.plan.resolved.aliases) for session in (forwards, backwards)]
    assert names[0] == names[1]


def test_all_together_in_the_right_order(play) -> None:
    session = play(*EFFECTS)
    assert picture(session, 3).std() > 10
    order = [node.declaration.name for node in session.runtime.plan.graph.nodes]
    wanted = ["outline/draw", "fog/veil", "depth_of_field/combine", "motion_blur/smear", "bloom/combine"]
    wanted += ["tonemap/tonemap", "fxaa/smooth", "compose"]
    assert sorted(wanted, key=order.index) == wanted


def test_auto_exposure_in_mid_run(play) -> None:
    plain, eye = play(), play()
    picture(eye, 1)
    eye.plugins.set("tonemap", "auto_exposure", True)
    adapted = picture(eye, 2)
    assert not np.array_equal(adapted, picture(plain, 3))
    eye.plugins.set("tonemap", "auto_exposure", False)
    assert np.array_equal(picture(eye, 1), picture(plain, 1))


def test_without_motion_vectors_motion_blur_stays_out_and_says_why(tmp_path: Path) -> None:
    lines = find_skeleton("deferred").read_text().splitlines()
    start = lines.index("  - name: motion")
    end = next(number for number in range(start + 1, len(lines)) if lines[number].startswith("  - name"))
    path = tmp_path / "plain.yaml"
    path.write_text("\n".join(lines[:start] + lines[end:]))
    plan = plan_with("motion_blur", path, 1)
    removed = {removal.node: removal for removal in plan.removed}
    assert {"motion_blur/tiles", "motion_blur/smear"} <= removed.keys()
    assert "motion_vectors" in str(removed["motion_blur/tiles"])


@pytest.mark.parametrize("effect", [*EFFECTS, "bloom", "tonemap"])
def test_with_two_views_there_are_two_of_each_node(effect: str) -> None:
    plan = plan_with(effect, find_skeleton("deferred"), 2)
    count = Counter(node.declaration.name for node in plan.graph.nodes if node.declaration.plugin == effect)
    assert len(count) >= {"bloom": 10, "tonemap": 3, "depth_of_field": 3, "motion_blur": 2}.get(effect, 1)
    shared = {"fog/air"}
    assert {number for name, number in count.items() if name not in shared} == {2}


def plan_with(effect: str, skeleton: Path, views: int):
    game = type("Split", (Game,), {"skeleton": str(skeleton)})
    frame = FrameInput.of(Scene(), GpuScene(NullBackend()))
    choice = PluginChoice(enable=(effect,), settings=(SettingChange("tonemap", "auto_exposure", "true"),))
    graph = build_frame(game, choice, EXTENT, frame, backend="vulkan").graph
    graph.set_count("view", views)
    assert graph.declare() == ()
    return compile_snapshot(graph.snapshot(), graph.sizes(), CompileOptions(), RowMajorModel())


@pytest.mark.parametrize("effect", sorted(set(EFFECTS) - {"depth_of_field"}))
def test_an_effect_is_small(effect: str) -> None:
    """Under 150 lines with its GLSL, without blank lines and comments: to show how little a plugin takes."""
    folder = Path(plugins.__file__).parent / effect
    code = [ast.unparse(_without_docstrings(file)) for file in folder.glob("*.py")]
    code += [file.read_text() for file in folder.glob("glsl/*")]
    lines = [line.strip() for text in code for line in text.splitlines()]
    assert 50 < len([line for line in lines if line and not line.startswith("//")]) < 150


def _without_docstrings(file: Path) -> ast.Module:
    tree = ast.parse(file.read_text())
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and ast.get_docstring(node) is not None:
            node.body = node.body[1:]
    return tree


@pytest.mark.parametrize("plugin", [*EFFECTS, "bloom", "tonemap"])
def test_every_number_among_the_settings_has_a_range(plugin: str) -> None:
    for setting in describe_settings(importlib.import_module(f"plugins.{plugin}").renderwright_settings()):
        assert setting.description
        assert setting.type not in ("number", "integer") or None not in (setting.minimum, setting.maximum)
