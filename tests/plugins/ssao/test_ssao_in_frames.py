"""Ambient occlusion as a part of frames: it dims the sky's light, and leaves nothing behind when it is off."""

from __future__ import annotations

import numpy as np
import pytest
from pyglm import glm

from renderwright.engine.clock import FixedStepClock
from renderwright.engine.frame import build_frame
from renderwright.engine.game import Game, GameContext
from renderwright.engine.options import PluginChoice, SettingChange
from renderwright.engine.renderer.frame_input import FrameInput
from renderwright.engine.renderer.gpu_scene import GpuScene
from renderwright.engine.scene import DirectionalLight, Scene, Sky
from renderwright.engine.scene.material import Material
from renderwright.engine.scene.primitives import box, plane
from renderwright.engine.scene.transform import Transform
from renderwright.engine.session import Session
from renderwright.render.backend.null import NullBackend
from renderwright.render.backend.vulkan.backend import VulkanBackend
from renderwright.render.compiler.pipeline import compile_snapshot
from renderwright.render.compiler.values.options import CompileOptions
from renderwright.render.compiler.values.plan import Plan
from renderwright.render.memory.needs import RowMajorModel

EXTENT = (128, 72)


class Overcast(Game):
    """Boxes on a floor under a sky without a sun."""

    title = "Overcast"
    plugins = ("tonemap",)

    def setup(self, context: GameContext) -> None:
        scene = context.scene
        scene.sun = None
        scene.camera.position = glm.vec3(2.0, 2.0, 3.0)
        scene.camera.target = glm.vec3(0.0, 0.4, 0.0)
        grey = Material(base_color=(0.5, 0.5, 0.5, 1), roughness=0.9)
        scene.spawn(plane(20, 20), grey)
        scene.spawn(box(1.0), grey, Transform(glm.vec3(0, 0.5, 0)))
        scene.spawn(box(1.0), grey, Transform(glm.vec3(1.1, 0.5, -0.3)))


class OvercastForward(Overcast):
    """By the forward skeleton: no normals, no base colours."""

    skeleton = "forward"


class Sunny(Overcast):
    """All light comes from the sun."""

    def setup(self, context: GameContext) -> None:
        super().setup(context)
        context.scene.sun = DirectionalLight(glm.vec3(-0.4, -1.0, -0.3))
        context.scene.sky = Sky(intensity=0.0)


def plan_of(game: type[Game], *enable: str) -> Plan:
    frame = FrameInput.of(Scene(), GpuScene(NullBackend()))
    graph = build_frame(game, PluginChoice(enable=enable), EXTENT, frame, backend="vulkan").graph
    assert graph.declare() == ()
    return compile_snapshot(graph.snapshot(), graph.sizes(), CompileOptions(), RowMajorModel())


@pytest.mark.parametrize("game", [Overcast, OvercastForward])
def test_it_is_in_the_frame_with_or_without_normals(game: type[Game]) -> None:
    plan = plan_of(game, "ssao")
    order = [node.declaration.name for node in plan.graph.nodes]
    lighting = "deferred_lighting" if game is Overcast else "forward_opaque"
    nodes = ["ssao/downsample", "ssao/search", "ssao/denoise", "ssao/upsample", lighting]
    assert sorted(order.index(name) for name in nodes) == [order.index(name) for name in nodes]
    assert not any(placed.has_history for placed in plan.placement.resources)


def start(game: type[Game], backend: VulkanBackend, *enable: str, **settings: str) -> Session:
    changes = [SettingChange("tonemap", "dither", "false")]
    changes += [SettingChange("ssao", key, value) for key, value in settings.items()]
    choice = PluginChoice(enable=enable, settings=tuple(changes))
    return Session(game, backend, EXTENT, choice=choice, clock=FixedStepClock(game.step, frame=1 / 60), strict=True)


def picture(session: Session, frames: int = 2) -> np.ndarray:
    target = session.backend.create_target(session.extent)
    try:
        for _ in range(frames):
            session.step()
            session.render(target)
        return session.picture()[..., :3].astype(int)
    finally:
        session.backend.wait_idle()
        target.close()


def played(game: type[Game], backend: VulkanBackend, *enable: str, **settings: str) -> np.ndarray:
    session = start(game, backend, *enable, **settings)
    try:
        return picture(session)
    finally:
        session.close()


@pytest.mark.vulkan
@pytest.mark.parametrize("game", [Overcast, OvercastForward])
def test_corners_get_darker_and_nothing_brighter(game: type[Game], backend: VulkanBackend) -> None:
    darker = played(game, backend) - played(game, backend, "ssao")
    assert darker.min() >= -1  # the tone curve mixes channels: less blue may round red up
    assert darker.max() > 20
    assert (darker.max(axis=2) > 8).mean() < 0.4
    assert (darker.max(axis=2) == 0).mean() > 0.2


@pytest.mark.vulkan
def test_both_skeletons_agree(backend: VulkanBackend) -> None:
    """Normals of depth serve as well as normals, and bounces are all that is missing without base colours."""
    deferred, forward = (played(game, backend, "ssao", multi_bounce="false") for game in (Overcast, OvercastForward))
    assert np.abs(deferred - forward).mean() < 1.0


@pytest.mark.vulkan
def test_sunlight_is_left_alone(backend: VulkanBackend) -> None:
    assert np.array_equal(played(Sunny, backend, "ssao"), played(Sunny, backend))


@pytest.mark.vulkan
def test_it_goes_in_mid_run_without_a_trace(backend: VulkanBackend) -> None:
    session = start(Overcast, backend)
    try:
        before = picture(session)
        assert session.toggle("ssao") is True
        assert np.array_equal(picture(session), played(Overcast, backend, "ssao"))
        session.plugins.set("ssao", "quality", "full")
        assert np.array_equal(picture(session), played(Overcast, backend, "ssao", quality="full"))
        assert session.toggle("ssao") is False
        assert np.array_equal(picture(session), before)
        assert np.array_equal(before, played(Overcast, backend)), "off is the same as never on"
    finally:
        session.close()
