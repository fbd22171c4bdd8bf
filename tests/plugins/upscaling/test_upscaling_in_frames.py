"""Upscaling as a part of frames: sizes, its place beside TAA, and that it comes and goes without a trace."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest
from pyglm import glm

from benchmarks.quality.effects.upscaling import EXTENT
from benchmarks.quality.play import Play, chosen, played
from benchmarks.quality.scenes import StillScene
from renderwright.engine.game import Game, GameContext
from renderwright.engine.renderer.blobs import CameraView
from renderwright.engine.scene import Camera
from renderwright.engine.screenshot.grid import TileGrid
from renderwright.engine.screenshot.tiled import TiledScreenshot
from renderwright.engine.skeleton import find_skeleton
from renderwright.engine.sprites import Text
from renderwright.render.backend.vulkan.backend import VulkanBackend
from renderwright.render.graph.declare import Execute
from renderwright.render.graph.frame_graph import FrameGraph
from renderwright.render.graph.registry import Registry
from renderwright.render.types.physical import TextureInfo
from renderwright.render.types.resources import Extent

pytestmark = pytest.mark.vulkan

HALF: Extent = (EXTENT[0] // 2, EXTENT[1] // 2)


class Forward(StillScene):
    """By the forward skeleton."""

    skeleton = "forward"


@contextmanager
def playing(
    backend: VulkanBackend, *enable: str, scale: float = 0.5, game: type[Game] = StillScene, extent: Extent = EXTENT
) -> Iterator[Play]:
    own = {"upscaling": {"scale": str(scale)}} if "upscaling" in enable else {}
    with played(game, backend, extent, chosen(enable, tonemap={"dither": "false"}, **own)) as play:
        yield play


def sizes(play: Play) -> dict[str, Extent]:
    """The extents of the textures of the running plan."""
    resources = play.session.runtime.plan.placement.resources
    return {placed.id: placed.info.extent for placed in resources if isinstance(placed.info, TextureInfo)}


def nodes(play: Play) -> set[str]:
    return {node.declaration.name for node in play.session.runtime.plan.graph.nodes}


def watch_cameras(graph: FrameGraph) -> list[CameraView]:
    """The camera of every frame from now on."""
    seen: list[CameraView] = []

    def declare(reg: Registry) -> Execute:
        camera = reg.read("camera", CameraView)
        reg.side_effects()
        return lambda cmd: seen.append(camera.value)

    graph.add_node("watcher", declare)
    return seen


@pytest.mark.parametrize("game", [StillScene, Forward])
def test_the_scene_is_small_and_the_picture_is_not(backend: VulkanBackend, game: type[Game]) -> None:
    with playing(backend, "upscaling", "bloom", "depth_of_field", "motion_blur", "fxaa", game=game) as play:
        play.frames(2)
        found = sizes(play)
        small = [name for name in found if name in ("depth", "hdr_lit", "motion_vectors", "albedo", "sun_visibility")]
        assert len(small) >= 4
        assert {found[name] for name in small} == {HALF}
        chains = {name: extent for name, extent in found.items() if name.startswith(("post_hdr/", "tone/"))}
        assert chains == dict.fromkeys(chains, EXTENT)
        assert found["bloom/light"] == HALF, "half of the picture"


def test_images_are_as_sharp_as_at_full_size(backend: VulkanBackend) -> None:
    with playing(backend, "upscaling") as play:
        cameras = watch_cameras(play.session.graph)
        play.frames(1)
        play.session.plugins.set("upscaling", "scale", "1")
        play.frames(1)
        assert [camera.mip_bias for camera in cameras] == [-1.0, 0.0]
        assert [camera.extent for camera in cameras] == [HALF, EXTENT]


def test_with_taa_it_stands_in_for_it(backend: VulkanBackend) -> None:
    with playing(backend, "upscaling") as alone, playing(backend, "upscaling", "taa") as both:
        alone.frames(5)
        both.frames(5)
        assert "upscaling/resolve" in nodes(both)
        assert not {"taa/resolve", "taa/sharpen"} & nodes(both)
        assert np.array_equal(alone.shown(), both.shown())


def test_it_goes_in_mid_run_without_a_trace_and_comes_again(backend: VulkanBackend) -> None:
    with playing(backend) as play, playing(backend) as plain, playing(backend, "upscaling") as fresh:
        play.frames(2)
        plan = nodes(play), sizes(play)
        play.session.toggle("upscaling")
        play.session.plugins.set("upscaling", "scale", "0.5")
        play.frames(6)
        fresh.frames(6)
        assert np.array_equal(play.shown(), fresh.shown())
        play.session.toggle("upscaling")
        play.frames(2)
        plain.frames(2)
        assert (nodes(play), sizes(play)) == plan
        assert np.array_equal(play.shown(), plain.shown()), "off is the same as never on"


def test_changes_of_size_keep_the_picture(backend: VulkanBackend) -> None:
    with playing(backend, "upscaling", scale=1.0) as play, playing(backend) as plain:
        plain.frames(2)
        play.frames(12)

        def follow(frames: int = 4) -> None:
            for _ in range(frames):
                play.frames()
                assert np.abs(play.shown() - plain.shown()).mean() < 0.02

        for extent in ((112, 63), HALF, None):
            play.session.graph.set_dynamic_resolution("main_view", extent)
            follow()
            assert play.shown().shape == (*reversed(EXTENT), 3), "the picture keeps its size"
        for scale in ("0.5", "0.8"):
            play.session.plugins.set("upscaling", "scale", scale)
            follow()
        play.target.resize((64, 64))
        play.frames(3)
        assert np.isfinite(play.shown()).all()


def without_motion(folder: Path) -> str:
    text = Path(find_skeleton("deferred")).read_text(encoding="utf-8")
    assert "motion_vectors: {texture: rg16_sfloat" in text
    path = folder / "still.yaml"
    path.write_text(text.replace("motion_vectors: {texture", "other_vectors: {texture"), encoding="utf-8")
    return str(path)


def test_without_motion_vectors_each_frame_is_enlarged(backend: VulkanBackend, tmp_path: Path) -> None:
    game = type("NoMotion", (StillScene,), {"skeleton": without_motion(tmp_path)})
    with playing(backend, "upscaling", game=game) as play, playing(backend) as plain:
        cameras = watch_cameras(play.session.graph)
        play.frames(3)
        plain.frames(3)
        assert {camera.jitter for camera in cameras} == {(0.0, 0.0)}
        assert "upscaling/resolve" not in nodes(play)
        assert np.abs(play.shown() - plain.shown()).mean() < 0.03


class Flat(Game):
    """A text without a scene behind it."""

    title = "Flat"
    skeleton = "flat"
    plugins = ("tonemap",)

    def setup(self, context: GameContext) -> None:
        context.scene.camera = Camera(glm.vec3(0.0, 0.0, 5.0), glm.vec3(0.0), height=1.0)
        context.scene.sprites.add(Text("Upscaled", size=0.5))


def test_a_flat_game_has_the_same_layout(backend: VulkanBackend) -> None:
    with playing(backend, "upscaling", game=Flat) as play, playing(backend, game=Flat) as plain:
        play.frames(3)
        plain.frames(3)
        assert plain.shown().std() > 0.05
        assert np.abs(play.shown() - plain.shown()).mean() < 0.03


def test_samples_are_apart_by_parts_of_the_pictures_texels(backend: VulkanBackend) -> None:
    """They average within a texel of the picture, which is smaller than a rendered one."""
    places: list[list[tuple[float, float]]] = []
    for enable in (("ssaa",), ("ssaa", "upscaling")):
        with playing(backend, *enable) as play:
            cameras = watch_cameras(play.session.graph)
            play.frames(1)
            places.append([camera.jitter for camera in cameras])
    assert len(set(places[0])) == 4
    assert np.allclose(places[1], places[0])


def test_tiles_of_a_screenshot_meet_without_a_seam(backend: VulkanBackend) -> None:
    pictures = []
    for columns, rows in ((1, 1), (2, 2)):
        with playing(backend, "upscaling") as play:
            play.frames(1)
            shot = TiledScreenshot(play.session, TileGrid(EXTENT, columns, rows, border=8))
            pictures.append(np.concatenate(list(shot.rows())).astype(np.float32) / 255.0)
    apart = pictures[1] - pictures[0]
    for axis, middle in ((1, EXTENT[0] // 2 - 1), (0, EXTENT[1] // 2 - 1)):
        jumps = np.abs(np.diff(apart, axis=axis)).mean(axis=(1 - axis, 2))
        beside = np.concatenate([jumps[middle - 5 : middle], jumps[middle + 1 : middle + 6]])
        assert jumps[middle] < 1.5 * beside.max(), "the seam is no step of the difference"
    assert np.abs(apart).mean() < 0.01
