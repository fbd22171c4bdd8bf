"""Frames on several queues: the same pictures as on one, without an objection of the validation layer."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from queue_frames import SeveralQueues, add_late_nodes, add_nodes, write_shaders

from renderwright.render.backend.vulkan.backend import VulkanBackend
from renderwright.render.compiler.values.options import CompileOptions
from renderwright.render.graph.frame_graph import FrameGraph
from renderwright.render.inspect.plan_stream import require_sound
from renderwright.render.runtime.runtime import Runtime
from renderwright.render.shaders.library import ShaderLibrary
from renderwright.render.sync.flags import Layout
from renderwright.render.sync.queues import ALL_QUEUES

pytestmark = pytest.mark.vulkan

FRAMES = 5


@pytest.fixture
def pretended() -> SeveralQueues:
    return SeveralQueues()


def play(folder: Path, backend: VulkanBackend, options: CompileOptions) -> tuple[Runtime, list[NDArray[np.generic]]]:
    """The picture of each frame; a node is added in the middle, so that histories move to another plan."""
    write_shaders(folder)
    graph = FrameGraph()
    add_nodes(graph)
    runtime = Runtime(graph, backend, ShaderLibrary([folder]), options=options, judge=require_sound)
    pictures = []
    for frame in range(FRAMES):
        if frame == 3:
            graph.set_resolution("other", (4, 4))
            graph.add_sink("state")
        runtime.render(None)
        pictures.append(np.asarray(backend.read_texture(runtime.resource("a"), Layout.COLOR_ATTACHMENT)))
    return runtime, pictures


def expected(frame: int) -> NDArray[np.float32]:
    at = np.arange(64, dtype=np.float32).reshape(8, 8)
    count = np.array([1.0, 0.5, 0.25, 0.0], np.float32)
    picture = np.zeros((8, 8, 4), np.float32)
    picture[..., 0], picture[..., 2] = (frame + 1) * (0.5 + at * 0.25), frame * (0.5 + at * 0.25)
    picture[..., 1], picture[..., 3] = 3.0, 1.0
    return picture + 64 * (frame + 2) * count


@pytest.mark.parametrize("alias", [True, False])
def test_pictures_are_those_of_one_queue(tmp_path: Path, pretended: SeveralQueues, alias: bool) -> None:
    backend = VulkanBackend(validate=True, wrap=pretended.wrap)
    assert backend.capabilities.queues == ALL_QUEUES
    for queues in (ALL_QUEUES, ("graphics", "compute"), ("graphics",)):
        runtime, pictures = play(tmp_path, backend, CompileOptions(alias=alias, queues=queues))
        plan = runtime.plan
        assert set(plan.queues.queues) == set(queues)
        for frame, picture in enumerate(pictures):
            assert np.allclose(picture, expected(frame)), f"{queues}, frame {frame}"
        runtime.close()
    backend.close()
    assert [message.text for message in backend.validation_messages] == []


@pytest.mark.parametrize("ago", [1, 2, 3])
def test_late_work_gives_the_pictures_of_one_queue(tmp_path: Path, pretended: SeveralQueues, ago: int) -> None:
    """What is measured in one frame is seen in a later one, also across a change of plans."""
    backend = VulkanBackend(validate=True, wrap=pretended.wrap)
    write_shaders(tmp_path)
    at = np.arange(8, dtype=np.float32)
    for queues in (ALL_QUEUES, ("graphics",)):
        graph = FrameGraph()
        add_late_nodes(graph, ago)
        options = CompileOptions(queues=queues)
        runtime = Runtime(graph, backend, ShaderLibrary([tmp_path]), options=options, judge=require_sound)
        assert bool(runtime.plan.queues.cross_frame_work) == (queues == ALL_QUEUES)
        for frame in range(FRAMES + 5):
            if frame == 3:
                graph.add_sink("count")
            runtime.render(None)
            picture = np.asarray(backend.read_texture(runtime.resource("a"), Layout.COLOR_ATTACHMENT))
            assert np.allclose(picture[..., 0], frame + 2), f"{queues}, frame {frame}"
            assert np.allclose(picture[..., 3], max(0, frame + 1 - ago) * (1 + at)), f"{queues}, frame {frame}"
            level = np.frombuffer(backend.read_buffer(runtime.resource("level")), np.float32)
            assert np.allclose(level.reshape(8, 8), (frame + 1) * (1 + at))
        assert len({placed.id: placed.copies for placed in runtime.plan.placement.resources}["level"]) == ago + 1
        runtime.close()
    backend.close()
    assert [message.text for message in backend.validation_messages] == []


def test_intervals_name_their_queues(tmp_path: Path, pretended: SeveralQueues) -> None:
    backend = VulkanBackend(wrap=pretended.wrap)
    runtime, _ = play(tmp_path, backend, CompileOptions(queues=ALL_QUEUES))
    runtime.times.every = 1
    before = pretended.submits
    report = runtime.render(None)
    assert report is not None
    assert pretended.submits - before == len(runtime.plan.program.submissions) > 3
    found = report.gpu_intervals
    assert {node: interval.queue for node, interval in found.items()} == {
        "step": "compute",
        "fold": "compute",
        "keep": "copy",
        "count": "graphics",
        "draw": "graphics",
        "show": "graphics",
    }
    assert all(0.0 <= interval.begin <= interval.end for interval in found.values())
    assert found["show"].begin >= max(found["fold"].end, found["keep"].end, found["draw"].end)
    assert report.gpu_times["show"] == found["show"].seconds
    runtime.close()
    backend.close()


def test_a_device_is_used_as_far_as_it_is_asked_for(tmp_path: Path, pretended: SeveralQueues) -> None:
    backend = VulkanBackend(wrap=pretended.wrap, queues=("graphics", "copy"))
    assert backend.capabilities.queues == ("graphics", "copy")
    runtime, _ = play(tmp_path, backend, CompileOptions(queues=ALL_QUEUES))
    assert runtime.options.queues == ("graphics", "copy")
    assert "compute" not in runtime.plan.queues.queues
    runtime.close()
    backend.close()
