"""``Recording.VERIFIED``: uniform blocks that a function fills, and nodes whose execution changes what it returns."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import closing
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from renderwright.render.backend.vulkan.backend import VulkanBackend
from renderwright.render.graph.frame_graph import FrameGraph
from renderwright.render.runtime.failures import FailurePhase, NodeFailure
from renderwright.render.runtime.recording import Recording
from renderwright.render.runtime.runtime import Runtime
from renderwright.render.shaders.library import ShaderLibrary
from renderwright.render.sync.flags import Layout
from renderwright.render.types.resources import Texture

pytestmark = pytest.mark.vulkan

FRAMES = 7
BLOCK = """#version 450
layout(set = 0, binding = 0) uniform Settings { float level; float time; } settings;
layout(location = 0) out vec4 result;
void main() { result = vec4(settings.level, settings.time, 0.0, 0.0); }
"""


class Meter:
    """Numbers of executions of a node, of frames, and of calls of ``ticks``."""

    def __init__(self) -> None:
        self.executions = self.frames = 0
        self.ticks = count(1)
        self.time = 0.0

    @property
    def level(self) -> float:
        return time.perf_counter()


Values = Callable[[Meter], Any]


def run(
    folder: Path, recording: Recording, values: Values, *, stable: bool = True
) -> tuple[list[NDArray[Any]], list[NodeFailure]]:
    """The pictures and notices of a node whose block has these values, and which counts its executions."""
    (folder / "block.frag").write_text(BLOCK)
    meter = Meter()

    def declare(reg: Any) -> Callable[[Any], None]:
        reg.create("picture", Texture("rgba32_sfloat", (4, 4))).color()
        reg.uniform("settings", lambda: values(meter))
        if stable:
            reg.stable()
        pipeline = reg.graphics("block.frag")

        def execute(cmd: Any) -> None:
            meter.executions += 1
            cmd.draw(pipeline)

        return execute

    notices: list[NodeFailure] = []
    failures: list[NodeFailure] = []
    graph, backend = FrameGraph(), VulkanBackend(validate=True)
    graph.add_node("fill", declare, plugin="lies")
    graph.add_sink("picture")
    pictures = []
    on = {"on_failure": failures.append, "on_notice": notices.append}
    with (
        closing(backend),
        closing(Runtime(graph, backend, ShaderLibrary([folder]), recording=recording, **on)) as runtime,
    ):
        for _ in range(FRAMES):
            meter.frames += 1
            assert runtime.render(None) is not None
            pictures.append(np.asarray(backend.read_texture(runtime.resource("picture"), Layout.COLOR_ATTACHMENT)))
    assert failures == []
    return pictures, notices


def of_executions(meter: Meter) -> dict[str, float]:
    return {"level": meter.executions, "time": meter.frames}


def test_values_that_the_execution_changes_are_named(tmp_path: Path) -> None:
    always, _ = run(tmp_path, Recording.ALWAYS, of_executions)
    kept, silent = run(tmp_path, Recording.KEPT, of_executions)
    assert not np.array_equal(always, kept), "kept commands show another picture"
    assert silent == []
    verified, (notice,) = run(tmp_path, Recording.VERIFIED, of_executions)
    assert (notice.node, notice.plugin, notice.phase) == ("fill", "lies", FailurePhase.CHECK)
    assert '"level" of ' in str(notice.error)
    assert 'block "settings" of node "fill" has another value after the node is executed' in str(notice.error)
    assert "have reg.uniform's function depend on nothing" in notice.error.hint  # type: ignore[attr-defined]
    assert np.array_equal(always, verified)


def test_a_change_in_one_frame_is_enough(tmp_path: Path) -> None:
    _, notices = run(tmp_path, Recording.VERIFIED, lambda meter: {"level": meter.executions > 4, "time": 0.0})
    assert len(notices) == 1


INNOCENT = [
    pytest.param(lambda meter: {"level": 0.5, "time": meter.frames}, id="frames"),
    pytest.param(lambda meter: {"level": 0.5, "time": time.perf_counter()}, id="clock"),
    pytest.param(lambda meter: meter, id="clock as a property"),
    pytest.param(lambda meter: {"level": next(meter.ticks), "time": 0.0}, id="counter"),
]


@pytest.mark.parametrize("values", INNOCENT)
def test_values_that_change_by_themselves_are_innocent(tmp_path: Path, values: Values) -> None:
    _, notices = run(tmp_path, Recording.VERIFIED, values)
    assert notices == []


def test_a_node_that_is_not_stable_may_change_its_values(tmp_path: Path) -> None:
    always, _ = run(tmp_path, Recording.ALWAYS, of_executions, stable=False)
    verified, notices = run(tmp_path, Recording.VERIFIED, of_executions, stable=False)
    assert notices == []
    assert np.array_equal(always, verified)
