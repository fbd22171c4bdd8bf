"""Command buffers are kept from frame to frame, and recorded anew when their calls are others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from renderwright.render.backend.command_buffers import OpList
from renderwright.render.backend.null.backend import NullBackend
from renderwright.render.backend.protocol import Backend
from renderwright.render.backend.vulkan.backend import VulkanBackend
from renderwright.render.graph.frame_graph import FrameGraph
from renderwright.render.runtime.failures import NodeFailure
from renderwright.render.runtime.lowering.segments import Segment
from renderwright.render.runtime.runtime import Runtime
from renderwright.render.shaders.library import ShaderLibrary
from renderwright.render.sync.flags import Layout
from renderwright.render.types.resources import Buffer, Texture

pytestmark = pytest.mark.vulkan

PICTURE = Texture("rgba32_sfloat", (4, 4))
PAINT = """#version 450
layout(set = 0, binding = 0) uniform Block { float value; } block;
layout(location = 0) out vec4 result;
void main() { result = vec4(block.value); }
"""
ADD = """#version 450
layout(set = 0, binding = 0) uniform sampler2D source;
layout(location = 0) out vec4 result;
void main() { result = texelFetch(source, ivec2(gl_FragCoord.xy), 0) + vec4(1.0); }
"""
FILL = """#version 450
layout(local_size_x = 4) in;
layout(set = 0, binding = 0) buffer Values { float values[]; } values;
void main() { values.values[gl_GlobalInvocationID.x] = 3.0; }
"""


class Value:
    """What the block of "paint" is filled from."""

    value = 1.0


class Counted:
    """A chain of passes on a device whose calls are counted, under validation, or without either."""

    def __init__(self, folder: Path, *, counts: bool = True) -> None:
        for name, text in (("paint.frag", PAINT), ("add.frag", ADD), ("fill.comp", FILL)):
            (folder / name).write_text(text)
        self.calls: Counter[str] = Counter()
        self.failures: list[NodeFailure] = []
        self.value = Value()
        self.graph = FrameGraph()
        self.backend = VulkanBackend(validate=counts, wrap=self._wrap if counts else None)
        self.runtime = Runtime(self.graph, self.backend, ShaderLibrary([folder]), on_failure=self.failures.append)
        self.graph.add_node("paint", self._paint)

    def _wrap(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def counted(*arguments: Any) -> Any:
            self.calls[name] += 1
            return function(*arguments)

        return counted

    def _paint(self, reg: Any) -> Callable[[Any], None]:
        reg.create("picture 0", PICTURE).color()
        reg.uniform("block", lambda: self.value)
        reg.stable()
        pipeline = reg.graphics("paint.frag")
        return lambda cmd: cmd.draw(pipeline)

    def add(self, number: int, *, stable: bool = True) -> None:
        """A pass that adds one."""

        def declare(reg: Any) -> Callable[[Any], None]:
            reg.read(f"picture {number - 1}").sampled().bind("source")
            reg.create(f"picture {number}", PICTURE).color()
            if stable:
                reg.stable()
            pipeline = reg.graphics("add.frag")
            return lambda cmd: cmd.draw(pipeline)

        self.graph.add_node(f"add {number}", declare)
        self.graph.add_sink(f"picture {number}")

    def frame(self) -> Counter[str]:
        """The calls of a frame."""
        self.calls.clear()
        assert self.runtime.render(None) is not None
        return Counter(self.calls)

    def settle(self) -> None:
        for _ in range(6):
            self.frame()

    def close(self) -> None:
        self.runtime.close()
        self.backend.close()

    def shown(self, name: str) -> float:
        """The value of all texels."""
        texels = np.asarray(self.backend.read_texture(self.runtime.resource(name), Layout.COLOR_ATTACHMENT))
        assert np.all(texels == texels.flat[0])
        return float(texels.flat[0])


@pytest.fixture
def counted(shader_folder: Path) -> Iterator[Counted]:
    counted = Counted(shader_folder)
    yield counted
    counted.close()
    assert [message.text for message in counted.backend.validation_messages] == []


def commands(calls: Counter[str]) -> dict[str, int]:
    return {name: count for name, count in calls.items() if name.startswith("vkCmd") or "CommandBuffer" in name}


@pytest.mark.parametrize("once", [False, True])
def test_lists_that_are_valid_once_are_recorded_in_each_frame(once: bool) -> None:
    recorded: list[list[OpList]] = []
    backend = cast(Backend, SimpleNamespace(record=lambda commands, lists: recorded.append(list(lists))))
    oplist = OpList(once=once)
    segment = Segment((oplist,), NullBackend().create_commands(0, "graphics", "segment"))
    for _ in range(3):
        segment.update(lambda run, lists: None, backend)
    assert recorded == [[oplist]] * (3 if once else 1)
    assert segment.settled is not once


def test_an_unchanged_frame_records_nothing_and_makes_as_many_calls_whatever_its_size(counted: Counted) -> None:
    totals = set()
    for number in range(1, 9):
        counted.add(number)
        counted.settle()
        calls = counted.frame()
        assert commands(calls) == {}
        assert calls["vkQueueSubmit2"] == 1
        # A wait for a value that the device is known to have reached is left out.
        totals.add(calls.total() - calls["vkWaitSemaphores"])
        assert counted.shown(f"picture {number}") == number + 1
    assert len(totals) == 1
    assert totals.pop() < 12


def test_only_what_is_not_stable_is_recorded_in_each_frame(counted: Counted) -> None:
    for number in (1, 2, 3, 4):
        counted.add(number, stable=number != 2)
    counted.settle()
    calls = counted.frame()
    assert calls["vkBeginCommandBuffer"] == calls["vkCmdDraw"] == 1
    assert counted.shown("picture 4") == 5.0


def test_consecutive_nodes_that_are_recorded_in_each_frame_share_a_command_buffer(counted: Counted) -> None:
    for number in range(1, 9):
        counted.add(number, stable=number not in (2, 3, 4, 7))
    counted.settle()
    calls = counted.frame()
    assert (calls["vkBeginCommandBuffer"], calls["vkCmdDraw"]) == (2, 4)
    assert counted.shown("picture 8") == 9.0


def test_blocks_are_filled_without_recording(counted: Counted) -> None:
    counted.add(1)
    counted.settle()
    for value in (5.0, 7.0, 8.0):
        counted.value.value = value
        assert commands(counted.frame()) == {}
        assert counted.shown("picture 1") == value + 1.0


@dataclass(frozen=True)
class Links:
    """A blob."""

    count: int


def test_commands_are_kept_while_the_blobs_that_they_depend_on_are_equal(counted: Counted) -> None:
    links, runs = Links(2), []

    def make(reg: Any) -> Callable[[Any], None]:
        made = reg.create("links", Links)
        reg.create("unread", Links)

        def execute(cmd: Any) -> None:
            made.value = Links(links.count)  # equal, and another object in each frame

        return execute

    def draw(reg: Any) -> Callable[[Any], None]:
        made = reg.read("links", Links)
        reg.read("unread", Links)
        reg.read("picture 0").sampled().bind("source")
        reg.create("drawn", PICTURE).color(clear=(0.0, 0.0, 0.0, 0.0))
        reg.stable()
        pipeline = reg.graphics("add.frag", blend="add")

        def execute(cmd: Any) -> None:
            runs.append(made.value.count)
            for _ in range(made.value.count):
                cmd.draw(pipeline)

        return execute

    counted.graph.add_node("make", make)
    counted.graph.add_node("draw", draw)
    counted.graph.add_sink("drawn")
    counted.settle()
    assert runs == [2, 2], "once for each frame slot"
    assert commands(counted.frame()) == {}
    assert counted.shown("drawn") == 4.0
    links = Links(3)
    assert counted.frame()["vkCmdDraw"] == 3
    assert counted.shown("drawn") == 6.0
    counted.settle()
    assert runs == [2, 2, 3, 3], "once for each frame slot"
    assert counted.failures == []


def test_a_node_whose_block_cannot_be_filled_leaves_and_the_others_stay(counted: Counted) -> None:
    counted.add(1)
    counted.settle()
    broken, counted.value = counted.value, object()  # type: ignore[assignment]
    counted.frame()
    assert [failure.node for failure in counted.failures] == ["paint"]
    counted.value = broken
    counted.graph.add_node("paint again", counted._paint)
    counted.settle()
    assert counted.shown("picture 1") == 2.0


def test_what_comes_and_goes_again_needs_no_trace(counted: Counted) -> None:
    counted.add(1)
    counted.settle()
    counted.add(2)
    counted.settle()
    assert counted.shown("picture 2") == 3.0
    counted.graph.remove_node("add 2")
    counted.settle()
    assert commands(counted.frame()) == {}
    assert counted.shown("picture 1") == 2.0


def test_work_outside_of_passes_is_kept(counted: Counted) -> None:
    def fill(reg: Any) -> Callable[[Any], None]:
        reg.create("values", Buffer(16)).storage_write("compute")
        reg.side_effects()
        reg.stable()
        pipeline = reg.compute("fill.comp")
        return lambda cmd: cmd.dispatch(pipeline, (4, 1, 1))

    counted.add(1)
    counted.graph.add_node("fill", fill)
    counted.graph.add_sink("values")
    counted.settle()
    assert counted.failures == []
    assert commands(counted.frame()) == {}
    values = np.frombuffer(counted.backend.read_buffer(counted.runtime.resource("values")), np.float32)
    assert values.tolist() == [3.0] * 4


def test_the_name_of_a_command_buffer_is_short_however_many_nodes_it_has(
    counted: Counted, monkeypatch: pytest.MonkeyPatch
) -> None:
    names: list[str] = []
    create = counted.backend.create_commands

    def noted(slot: int, queue: str, name: str) -> Any:
        names.append(name)
        return create(slot, queue, name)

    monkeypatch.setattr(counted.backend, "create_commands", noted)
    for number in range(1, 50):
        counted.add(number)
    counted.settle()
    assert "21 nodes from paint to add 20, frame slot 1" in names
    assert max(map(len, names)) < 100
