"""TAA as a part of frames: what it adds, where it stays away, and that it comes and goes without a trace."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from taa_scenes import EXTENT, pictures, start

from benchmarks.quality.scenes import StillScene
from renderwright.engine.frame import build_frame
from renderwright.engine.game import Game
from renderwright.engine.options import PluginChoice
from renderwright.engine.renderer.blobs import CameraView
from renderwright.engine.renderer.frame_input import FrameInput
from renderwright.engine.renderer.gpu_scene import GpuScene
from renderwright.engine.scene import Scene
from renderwright.engine.skeleton import find_skeleton
from renderwright.render.backend.null import NullBackend
from renderwright.render.backend.vulkan.backend import VulkanBackend
from renderwright.render.compiler.pipeline import compile_snapshot
from renderwright.render.compiler.values.options import CompileOptions
from renderwright.render.compiler.values.plan import Plan
from renderwright.render.graph.declare import Execute
from renderwright.render.graph.frame_graph import FrameGraph
from renderwright.render.graph.registry import Registry
from renderwright.render.memory.needs import RowMajorModel


class Forward(StillScene):
    """By the forward skeleton."""

    skeleton = "forward"


def plan_of(game: type[Game], enable: Sequence[str] = ("taa", "bloom"), views: int = 1) -> Plan:
    frame = FrameInput.of(Scene(), GpuScene(NullBackend()))
    graph = build_frame(game, PluginChoice(enable=tuple(enable)), EXTENT, frame, backend="vulkan").graph
    graph.set_count("view", views)
    assert graph.declare() == ()
    return compile_snapshot(graph.snapshot(), graph.sizes(), CompileOptions(), RowMajorModel())


def names(plan: Plan) -> set[str]:
    return {node.declaration.name for node in plan.graph.nodes}


@pytest.mark.parametrize("game", [StillScene, Forward])
def test_it_comes_before_other_effects_and_brings_motion_vectors(game: type[Game]) -> None:
    plan = plan_of(game)
    assert {"taa/jitter", "taa/resolve", "taa/sharpen", "still_motion", "object_motion"} <= names(plan)
    order = [node.declaration.name for node in plan.graph.nodes]
    assert order.index("taa/resolve") < order.index("taa/sharpen") < order.index("bloom/combine")
    assert not [problem for problem in plan.graph.problems if problem.severity == "error"]
    histories = {placed.id for placed in plan.placement.resources if placed.has_history}
    assert {"depth", "post_hdr/taa/resolve"} <= histories


def test_without_it_nothing_of_it_is_in_the_frame() -> None:
    assert not {"taa/jitter", "still_motion", "object_motion", "motion"} & names(plan_of(StillScene, ()))


def skeleton_with(folder: Path, *changes: tuple[str, str]) -> str:
    """The deferred skeleton with pieces of its text replaced, as a file."""
    text = Path(find_skeleton("deferred")).read_text(encoding="utf-8")
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    path = folder / "changed.yaml"
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_each_view_has_its_own_history_and_samples() -> None:
    plan = plan_of(StillScene, views=2)
    resolves = [node.id for node in plan.graph.nodes if node.declaration.name == "taa/resolve"]
    assert len(resolves) == 2
    histories = [placed.id for placed in plan.placement.resources if placed.has_history]
    assert len([name for name in histories if name.startswith("post_hdr/taa/resolve")]) == 2


class NoMotion(StillScene):
    """A skeleton without motion vectors; the test gives its path."""


def watch_jitter(graph: FrameGraph) -> list[tuple[float, float]]:
    """The jitter of the camera of every frame from now on."""
    seen: list[tuple[float, float]] = []

    def declare(reg: Registry) -> Execute:
        camera = reg.read("camera", CameraView)
        reg.side_effects()
        return lambda cmd: seen.append(camera.value.jitter)

    graph.add_node("watcher", declare)
    return seen


@pytest.mark.vulkan
def test_nobody_jitters_what_nobody_smooths(backend: VulkanBackend, tmp_path: Path) -> None:
    no_motion = ("motion_vectors: {texture: rg16_sfloat", "other_vectors: {texture: rg16_sfloat")
    NoMotion.skeleton = skeleton_with(tmp_path, no_motion)
    session, plain = start(NoMotion, backend, "taa"), start(StillScene, backend)
    try:
        seen = watch_jitter(session.graph)
        assert np.array_equal(pictures(session, 4)[0], pictures(plain, 4)[0])
        assert seen == [(0.0, 0.0)] * 4
        assert "taa/resolve" not in names(session.runtime.plan)
    finally:
        session.close()
        plain.close()


@pytest.mark.vulkan
def test_it_goes_in_mid_run_without_a_trace_and_comes_again(backend: VulkanBackend) -> None:
    session, plain = start(StillScene, backend), start(StillScene, backend)
    fresh = start(StillScene, backend, "taa")
    try:
        seen = watch_jitter(session.graph)
        before = pictures(session, 2)[0]
        assert session.toggle("taa") is True
        smooth = pictures(session, 6)[0]
        assert len(set(seen[2:])) == 6
        assert session.toggle("taa") is False
        assert np.array_equal(pictures(session, 2)[0], before)
        assert np.array_equal(before, pictures(plain, 4)[0]), "off is the same as never on"
        assert session.toggle("taa") is True
        assert np.array_equal(pictures(session, 6)[0], smooth), "it begins anew"
        assert np.array_equal(pictures(fresh, 6)[0], smooth)
    finally:
        for one in (session, plain, fresh):
            one.close()


@pytest.mark.vulkan
def test_the_first_frame_is_a_picture(backend: VulkanBackend) -> None:
    """Without a past, the frame alone is shown, with its edges softened: neither black nor garbage."""
    first, plain = start(StillScene, backend, "taa"), start(StillScene, backend)
    try:
        difference = np.abs(pictures(first, 1)[0] - pictures(plain, 1)[0])
        assert 0.0 < difference.mean() < 0.02
    finally:
        first.close()
        plain.close()


@pytest.mark.vulkan
def test_a_resize_and_a_dynamic_resolution_keep_the_picture(backend: VulkanBackend) -> None:
    session, other = start(StillScene, backend, "taa"), start(StillScene, backend)
    try:
        pictures(session, 8)
        session.graph.set_dynamic_resolution("main_view", (EXTENT[0] * 3 // 4, EXTENT[1] * 3 // 4))
        smaller = pictures(session, 4, 4)
        plain = pictures(other, 2)[0]
        assert all(np.abs(picture - plain).mean() < 0.03 for picture in smaller), "history goes on at another size"
        session.graph.set_dynamic_resolution("main_view", None)
        session.resize((64, 64))
        assert np.isfinite(pictures(session, 3)[0]).all()
    finally:
        session.close()
        other.close()
