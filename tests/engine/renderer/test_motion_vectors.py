"""Motion vectors: made only when asked for, and equal to what the projections of both frames say."""

from __future__ import annotations

import numpy as np
import pytest
from pyglm import glm

from renderwright.engine.clock import FixedStepClock
from renderwright.engine.frame import build_frame
from renderwright.engine.game import Game, GameContext
from renderwright.engine.options import PluginChoice
from renderwright.engine.renderer.blobs import CameraView
from renderwright.engine.renderer.frame_input import FrameInput
from renderwright.engine.renderer.gpu_scene import GpuScene
from renderwright.engine.renderer.motion import MOTION_NODES, CameraMotion
from renderwright.engine.scene import Camera, Scene
from renderwright.engine.scene.draw_list import models_before
from renderwright.engine.scene.material import Material
from renderwright.engine.scene.primitives import box, plane
from renderwright.engine.scene.transform import Transform
from renderwright.engine.session import Session
from renderwright.render.backend.null import NullBackend
from renderwright.render.backend.vulkan.backend import VulkanBackend
from renderwright.render.compiler.pipeline import compile_snapshot
from renderwright.render.compiler.values.options import CompileOptions
from renderwright.render.compiler.values.plan import Plan
from renderwright.render.graph.declare import Execute
from renderwright.render.graph.frame_graph import FrameGraph
from renderwright.render.graph.registry import Registry
from renderwright.render.memory.needs import RowMajorModel
from renderwright.render.sync.flags import Layout

EXTENT = (64, 48)
BOX, FLOOR = glm.vec3(0.0, 0.5, 0.0), 0.0


class Moving(Game):
    """A box that turns and slides over a floor, under a camera that flies; ``camera`` and ``things`` stop them."""

    title = "Moving"
    plugins = ("tonemap",)
    step = 1 / 60
    camera, things = True, True

    def setup(self, context: GameContext) -> None:
        context.scene.camera = Camera(glm.vec3(0.5, 1.5, 4.0), glm.vec3(0.0, 0.8, 0.0))
        context.scene.spawn(plane(8, 8), Material())
        self.box = context.scene.spawn(box(1.0), Material(), Transform(glm.vec3(BOX)))

    def update(self, dt: float) -> None:
        if self.camera:
            self.context.scene.camera.position += glm.vec3(0.06, 0.02, -0.03)
        if self.things:
            self.box.transform.position += glm.vec3(0.05, 0.0, 0.02)
            self.box.transform.rotation *= glm.angleAxis(0.05, glm.vec3(0, 1, 0))


class MovingThings(Moving):
    """The camera stands still."""

    camera = False


class Still(MovingThings):
    """Nothing moves."""

    things = False


class ForwardMoving(Moving):
    """By the forward skeleton."""

    skeleton = "forward"


class OrthographicMoving(Moving):
    """The camera flies without turning, and all of its rays are parallel."""

    def setup(self, context: GameContext) -> None:
        super().setup(context)
        context.scene.camera.height, context.scene.camera.depth_range = 4.0, 9.0

    def update(self, dt: float) -> None:
        super().update(dt)
        self.context.scene.camera.target += glm.vec3(0.06, 0.02, -0.03)


def ask(graph: FrameGraph) -> None:
    """Add a reader of motion vectors and depth."""

    def declare(reg: Registry) -> Execute:
        reg.read("motion_vectors").copy_src()
        reg.read("depth").copy_src()
        reg.after("deferred_lighting", "forward_opaque")  # last of all, so that both stay in this layout
        reg.side_effects()
        return lambda cmd: None

    graph.add_node("asker", declare)


def plan_of(game: type[Game], *, asked: bool) -> Plan:
    frame = FrameInput.of(Scene(), GpuScene(NullBackend()))
    graph = build_frame(game, PluginChoice(), EXTENT, frame, backend="vulkan").graph
    if asked:
        ask(graph)
    assert graph.declare() == ()
    return compile_snapshot(graph.snapshot(), graph.sizes(), CompileOptions(), RowMajorModel())


@pytest.mark.parametrize("game", [Moving, ForwardMoving])
def test_they_are_made_only_when_somebody_reads_them(game: type[Game]) -> None:
    makers = {"motion", *(name for name, _ in MOTION_NODES)}
    without, with_reader = plan_of(game, asked=False), plan_of(game, asked=True)
    names = {node.declaration.name for node in without.graph.nodes}
    assert not makers & names
    assert makers <= {removal.node for removal in without.graph.removed}
    assert not any(resource.resource.root == "motion_vectors" for resource in without.graph.resources)
    assert not any(placed.has_history for placed in without.placement.resources)
    assert makers <= {node.declaration.name for node in with_reader.graph.nodes}


def motion_of(game: type[Game], backend: VulkanBackend, frames: int = 3) -> tuple[np.ndarray, np.ndarray, list]:
    """Motion vectors and depth of the last frame, and (camera, box) as drawn in each frame."""
    clock = FixedStepClock(game.step, frame=1 / 60)
    session = Session(game, backend, EXTENT, clock=clock)
    # Without aliasing the textures still hold their contents when the frame is over.
    session.runtime.options = CompileOptions(alias=False)
    ask(session.graph)
    target = backend.create_target(EXTENT)
    drawn = []
    try:
        for _ in range(frames):
            session.step()
            session.render(target)
            view = CameraView.of(session._input.views.views[0].camera, EXTENT, 0.0)
            drawn.append((view, np.array(session._draws.models[-1], np.float64).T))
        backend.wait_idle()
        motion, depth = (
            np.asarray(backend.read_texture(session.runtime.resource(name), Layout.TRANSFER_SRC), np.float64)
            for name in ("motion_vectors", "depth")
        )
    finally:
        session.close()
        target.close()
    return motion[..., :2], depth.reshape(EXTENT[1], EXTENT[0]), drawn


def matrix(value: glm.mat4) -> np.ndarray:
    return np.array(value.to_list(), np.float64).T


def expected(depth: np.ndarray, drawn: list) -> tuple[np.ndarray, np.ndarray]:
    """Motion in uv by projecting what each texel shows with both frames' matrices, and where the box is."""
    (camera_then, model_then), (camera_now, model_now) = drawn[-2:]
    width, height = EXTENT
    u, v = np.meshgrid((np.arange(width) + 0.5) / width, (np.arange(height) + 0.5) / height)
    clip = np.stack([u * 2 - 1, 1 - v * 2, depth, np.ones_like(u)], axis=-1)
    world = clip @ np.linalg.inv(matrix(camera_now.view_projection)).T
    with np.errstate(divide="ignore", invalid="ignore"):
        heights = world[..., 1] / world[..., 3]
    on_box = (depth > 0) & (heights > FLOOR + 1e-3)
    then = np.where(on_box[..., None], world @ (model_then @ np.linalg.inv(model_now)).T, world)
    before = then @ matrix(camera_then.view_projection).T
    ndc = before[..., :2] / before[..., 3:]
    return np.stack([u - (ndc[..., 0] + 1) / 2, v - (1 - ndc[..., 1]) / 2], axis=-1), on_box


@pytest.mark.vulkan
@pytest.mark.parametrize("game", [Moving, MovingThings, ForwardMoving, OrthographicMoving])
def test_they_are_where_it_is_minus_where_it_was(game: type[Game], backend: VulkanBackend) -> None:
    motion, depth, drawn = motion_of(game, backend)
    right, on_box = expected(depth, drawn)
    sky = depth == 0.0
    assert on_box.sum() > 100
    assert sky.sum() > 100
    error = np.abs(motion - right).max(axis=-1)
    assert error.max() < 2e-4
    assert (np.abs(motion[on_box]).max(axis=-1) > 2e-3).mean() > 0.9
    still = ~on_box if game is MovingThings else np.zeros_like(on_box)
    assert np.abs(motion[still]).max(initial=0.0) == 0.0
    if game is not MovingThings:
        assert np.abs(motion[sky]).min() > 1e-4, "the sky moves with the camera"


@pytest.mark.vulkan
def test_what_stands_still_has_none_at_all(backend: VulkanBackend) -> None:
    motion, _, _ = motion_of(Still, backend)
    assert np.abs(motion).max() == 0.0
    first, _, _ = motion_of(Moving, backend, frames=1)
    assert np.abs(first).max() == 0.0, "the first frame has nothing to compare with"


def test_jitter_is_no_motion() -> None:
    camera = CameraView.of(Camera(glm.vec3(3, 2, 5), glm.vec3(0)), EXTENT, 0.0)
    motion = CameraMotion.between(camera.jittered(0.4, -0.3), camera.jittered(-0.2, 0.1))
    assert np.allclose(matrix(motion.reprojection), np.eye(4), atol=1e-6)
    assert motion.jitter == pytest.approx((-0.4 / EXTENT[0], -0.2 / EXTENT[1]))


def test_jitter_moves_the_picture_by_texels() -> None:
    camera = CameraView.of(Camera(glm.vec3(3, 2, 5), glm.vec3(0)), EXTENT, 0.0)
    moved = camera.jittered(0.5, 0.25)
    point = glm.vec4(0.3, 0.1, -0.4, 1.0)
    before, after = (view.view_projection * point for view in (camera, moved))
    shift = glm.vec2(after) / after.w - glm.vec2(before) / before.w
    assert shift.x * EXTENT[0] / 2 == pytest.approx(0.5, abs=1e-4)
    assert -shift.y * EXTENT[1] / 2 == pytest.approx(0.25, abs=1e-4)
    world = moved.inverse_view_projection * (after / after.w)
    assert np.allclose((world / world.w).to_list(), point.to_list(), atol=1e-3)


def test_models_are_matched_by_entity() -> None:
    scene = Scene()
    mesh = box(1.0)
    a, b = (scene.spawn(mesh, Material(), Transform(glm.vec3(x, 0, 0))) for x in (1.0, 2.0))
    before = scene.draw_list()
    scene.remove(a)
    b.transform.position = glm.vec3(5, 0, 0)
    new = scene.spawn(mesh, Material(), Transform(glm.vec3(9, 0, 0)))
    now = scene.draw_list()
    models = models_before(before, now)
    rows = {number: row for row, number in enumerate(now.numbers.tolist())}
    assert models[rows[b.number], 3, 0] == 2.0
    assert models[rows[new.number], 3, 0] == 9.0
