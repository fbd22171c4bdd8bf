"""The depth pyramid and the test of boxes against it, beside models that look at every texel."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from hiding_scenes import Maze, maze, session_of
from numpy.typing import NDArray
from playing import frames_of

from renderwright.engine.renderer.blobs import CameraView
from renderwright.engine.renderer.occlusion import can_occlude
from renderwright.engine.scene.bounds import box_around
from renderwright.engine.scene.primitives import box, sphere
from renderwright.engine.session import Session
from renderwright.engine.skeleton import find_skeleton, load_skeleton, shipped_skeletons
from renderwright.render.backend.vulkan.backend import VulkanBackend
from renderwright.render.sync.flags import Layout
from renderwright.render.types.resources import Buffer, Resolution, ResourceDesc, Texture

LEVELS = 10
ACROSS = 4
MARGIN = 1 / 512
HIDDEN, SEEN = 1, 2
Depths = NDArray[np.float64]


def level_of(depth: Depths, level: int) -> Depths:
    """The farthest depth of each square of texels."""
    side = 1 << level
    height, width = depth.shape
    return np.array(
        [[depth[y : y + side, x : x + side].min() for x in range(0, width, side)] for y in range(0, height, side)]
    )


@dataclass(frozen=True)
class Judged:
    """A frame at rest: its depth, its pyramid, and what was made of all instances."""

    depth: Depths
    pyramid: NDArray[np.float32]
    verdicts: NDArray[np.uint32]
    camera: CameraView

    @classmethod
    def of(cls, session: Session) -> Judged:
        """The last frame of a session. At rest, the occluders are all that is seen: their depth is the frame's."""
        runtime, backend = session.runtime, session.backend
        depth = np.asarray(backend.read_texture(runtime.resource("depth"), Layout.SHADER_READ_ONLY), np.float64)
        pyramid = np.frombuffer(backend.read_buffer(runtime.resource("depth_pyramid")), np.float32)
        verdicts = np.frombuffer(backend.read_buffer(session._scene.verdicts(0)), np.uint32)
        return cls(depth[..., 0], pyramid, verdicts, runtime.blob("camera"))


def at_rest(backend: VulkanBackend, game: type[Maze], extent: tuple[int, int]) -> tuple[Judged, Any]:
    """A game's first moment, and its draw list."""
    with closing(session_of(game, backend, extent=extent)) as session:
        session.graph.add_sink("depth")
        session.graph.add_sink("depth_pyramid")
        frames_of(session, 1)
        frames_of(session, 3, still=True)
        return Judged.of(session), session._draws


@pytest.mark.vulkan
@pytest.mark.parametrize("extent", [(96, 54), (75, 43), (131, 33), (1100, 70), (33, 1), (2, 3), (1, 1)])
def test_each_texel_has_the_farthest_depth_of_its_square(backend: VulkanBackend, extent: tuple[int, int]) -> None:
    judged, _ = at_rest(backend, maze(11), extent)
    assert judged.depth.shape == extent[::-1]
    assert min(extent) < 8 or len(np.unique(judged.depth)) > 20
    start = 0
    for level in range(1, LEVELS + 1):
        expected = level_of(judged.depth, level).reshape(-1)
        made = judged.pyramid[start : start + expected.size]
        assert np.array_equal(made, expected[: made.size].astype(np.float32))
        assert made.size == expected.size or min(extent) < 4
        start += expected.size


@dataclass(frozen=True)
class Outline:
    """A box in the picture: the texels that it may cover, from ``low`` to ``high``, and its nearest depth."""

    low: NDArray[np.int64]
    high: NDArray[np.int64]
    nearest: float


def outline_of(mesh: Any, model: NDArray[np.float32], camera: CameraView) -> Outline | None:
    """The outline in double precision; None for a box that reaches to the camera's plane or beyond."""
    signs = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])
    corners = np.array(mesh.bounds.center) + signs * np.array(mesh.reach)
    world = np.c_[corners, np.ones(8)] @ model.astype(np.float64)
    clip = world @ np.array(camera.view_projection, np.float64).T
    if clip[:, 3].min() <= 1e-3:
        return None
    ndc = clip[:, :3] / clip[:, 3:]
    size = np.array(camera.extent)
    texels = (ndc[:, :2] * (1, -1) + 1) / 2 * size
    low, high = (np.clip(each, 0, size - 1) for each in (texels.min(axis=0) - 0.5, texels.max(axis=0) - 0.5))
    return Outline(np.ceil(low - 1e-3).astype(int), np.floor(high + 1e-3).astype(int), float(ndc[:, 2].max()))


def behind(outline: Outline, depth: Depths, grown: int, margin: float) -> bool:
    """Whether all texels of an outline, grown on all sides, are nearer than it by more than a margin."""
    low, high = np.maximum(outline.low - grown, 0), outline.high + grown
    return bool((depth[low[1] : high[1] + 1, low[0] : high[0] + 1] > outline.nearest * (1 + margin)).all())


def in_frustum(mesh: Any, model: NDArray[np.float32], camera: CameraView) -> bool:
    """Whether a point of the mesh is in the picture."""
    points = np.c_[mesh.positions, np.ones(len(mesh.positions))] @ model.astype(np.float64)
    clip = points @ np.array(camera.view_projection, np.float64).T
    return bool((np.abs(clip[:, :2]) < clip[:, 3:]).all(axis=1).any())


@pytest.mark.vulkan
def test_hidden_is_what_every_texel_hides(backend: VulkanBackend) -> None:
    """Never anything else. And what would be hidden also if it was larger by the texels of a level is found."""
    hidden = clearly_hidden = 0
    for seed in range(20, 28):
        judged, draws = at_rest(backend, maze(seed), (192, 108))
        instances = [
            (batch.mesh, at) for batch in draws.batches for at in range(batch.first, batch.first + batch.count)
        ]
        for mesh, number in instances:
            model, verdict = draws.models[number], judged.verdicts[number]
            outline = outline_of(mesh, model, judged.camera)
            assert verdict in (HIDDEN, SEEN)
            if verdict == HIDDEN and in_frustum(mesh, model, judged.camera):
                assert outline is not None
                assert behind(outline, judged.depth, grown=0, margin=0.0)
                hidden += 1
            if outline is None:
                continue
            across = int((outline.high - outline.low).max()) + 1
            if behind(outline, judged.depth, grown=2 + across // (ACROSS - 2), margin=2 * MARGIN):
                assert verdict == HIDDEN
                clearly_hidden += 1
    assert hidden > 100
    assert clearly_hidden > 30


def test_the_box_of_a_mesh_has_all_vertices_of_all_levels() -> None:
    mesh = sphere(0.5).with_levels((box(1.4), 0.2))
    assert tuple(mesh.reach) == pytest.approx((0.7, 0.7, 0.7))
    points = np.array([(1, 2, 3), (-5, 0, 1)], np.float32)
    assert tuple(box_around(mesh.bounds.center, [points, -points])) == pytest.approx((5, 2, 3))


@pytest.mark.parametrize(
    ("depth", "able"),
    [
        (Texture("d32_sfloat", Resolution("main_view")), True),
        (Texture("d32_sfloat", Resolution("main_view"), samples=4), False),
        (Texture("d32_sfloat", Resolution("main_view"), layers=2), False),
        (Texture("d32_sfloat", Resolution("main_view", 0.5)), False),
        (Texture("d32_sfloat", (96, 54)), False),
        (Texture("d16_unorm", Resolution("main_view")), False),
        (Buffer(4), False),
        (None, False),
    ],
)
def test_a_pyramid_needs_a_depth_of_floats_with_the_size_of_the_picture(depth: ResourceDesc, able: bool) -> None:
    assert can_occlude(depth) is able


def test_shipped_skeletons_with_surfaces_have_such_a_depth() -> None:
    for name in sorted({*shipped_skeletons()} - {"flat"}):
        assert can_occlude(load_skeleton(find_skeleton(name)).description("depth"))
        assert load_skeleton(find_skeleton(name)).description("nothing") is None
