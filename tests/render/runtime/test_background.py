"""Work that spans frames: its slices, that frames go on, and that they show what was finished last."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "backend" / "vulkan"))

import numpy as np
import pytest
from vulkan_families import SeveralFamilies

from renderwright.render.backend.null import NullBackend
from renderwright.render.backend.null.background import NullBackground
from renderwright.render.backend.protocol import Backend
from renderwright.render.backend.vulkan.backend import VulkanBackend
from renderwright.render.backend.vulkan.recording import StreamRecorder
from renderwright.render.errors import GraphError
from renderwright.render.graph.frame_graph import FrameGraph
from renderwright.render.graph.registry import Registry
from renderwright.render.runtime.background import Background
from renderwright.render.runtime.runtime import Runtime
from renderwright.render.shaders.library import ShaderLibrary
from renderwright.render.sync.flags import Layout
from renderwright.render.sync.oracle import check, read_stream
from renderwright.render.types.resources import Buffer, Texture

SIZE = (8, 8)
PICTURE = Texture("rgba32_sfloat", SIZE)
STEPS = 4

SHADERS = {
    "begin.comp": """
layout(std430, set = 0, binding = 0) writeonly buffer Values { float values[]; };
layout(push_constant) uniform Push { float begin; } push;
void main() { values[gl_GlobalInvocationID.x] = push.begin + float(gl_GlobalInvocationID.x); }
""",
    "double.comp": """
layout(std430, set = 0, binding = 0) buffer Values { float values[]; };
void main() { values[gl_GlobalInvocationID.x] *= 2.0; }
""",
    "paint.comp": """
layout(set = 0, binding = 0, rgba32f) uniform writeonly image2D sky;
layout(std430, set = 0, binding = 1) readonly buffer Values { float values[]; };
void main() {
    ivec2 at = ivec2(gl_GlobalInvocationID.xy);
    imageStore(sky, at, vec4(values[at.x + 8 * at.y], 0.0, 0.0, 1.0));
}
""",
    "show.frag": """
layout(set = 0, binding = 0) uniform sampler2D sky;
layout(std430, set = 0, binding = 1) readonly buffer Values { float values[]; };
layout(location = 0) out vec4 result;
void main() {
    ivec2 at = ivec2(gl_FragCoord.xy);
    result = texelFetch(sky, at, 0) + vec4(0.0, values[at.x + 8 * at.y], 0.0, 0.0);
}
""",
}

ADD = """
layout(std430, set = 0, binding = 0) readonly buffer Before { float before[]; };
layout(std430, set = 0, binding = 1) writeonly buffer Values { float values[]; };
void main() { values[gl_GlobalInvocationID.x] = before[gl_GlobalInvocationID.x] + 1.0; }
"""
FILL = """
layout(std430, set = 0, binding = 0) writeonly buffer Values { float values[]; };
void main() { values[gl_GlobalInvocationID.x] = 9.0; }
"""


class Story:
    """A sky that is painted in the background, and frames that show it; ``first`` is what the next run starts from."""

    def __init__(self, backend: Backend, folder: Path, *, draws: bool = False, **options: int) -> None:
        for name, text in SHADERS.items():
            layout = "layout(local_size_x = 1) in;\n" if name.endswith("comp") else ""
            (folder / name).write_text(f"#version 450\n{layout}{text}")
        self.backend = backend
        self.first = 1.0
        self.frames = FrameGraph()
        self.runtime = Runtime(self.frames, backend, ShaderLibrary([folder]))
        graph = FrameGraph()
        graph.add_node("begin", self.begin)
        for step in range(STEPS):
            graph.add_node(f"double {step}", partial(self.double, step))
        graph.add_node("paint", self.paint)
        if draws:
            graph.add_node("draw", self.draw)
        self.background = Background(self.runtime, graph, ["values", "sky"], **options)
        self.frames.add_sink("picture")
        self.frames.add_node("show", self.show)
        for name in ("sky", "values"):
            self.frames.set_external(name, self.background.provider(name))

    def begin(self, reg: Registry) -> Callable[[Any], None]:
        reg.create("values", Buffer(256)).storage_write("compute").bind("Values")
        program = reg.compute("begin.comp")
        return lambda cmd: cmd.dispatch(program, (64, 1, 1), begin=self.first)

    def double(self, step: int, reg: Registry) -> Callable[[Any], None]:
        if step:
            reg.after(f"double {step - 1}")
        reg.modify("values").storage("compute").bind("Values")
        program = reg.compute("double.comp")
        return lambda cmd: cmd.dispatch(program, (64, 1, 1))

    def paint(self, reg: Registry) -> Callable[[Any], None]:
        reg.read("values").storage_read("compute").bind("Values")
        reg.create("sky", PICTURE).storage_write("compute")
        program = reg.compute("paint.comp")
        return lambda cmd: cmd.dispatch(program, SIZE)

    def draw(self, reg: Registry) -> None:
        reg.create("drawn", PICTURE).color(clear=(0.0, 0.0, 0.0, 0.0))
        reg.side_effects()

    def show(self, reg: Registry) -> Callable[[Any], None]:
        reg.external("sky", PICTURE).sampled(filter="nearest")
        reg.external("values", Buffer(256)).storage_read("fragment").bind("Values")
        reg.create("picture", PICTURE).color()
        program = reg.graphics("show.frag")
        return lambda cmd: cmd.draw(program)

    def frame(self) -> np.ndarray:
        """Another frame, and what it shows."""
        self.background.advance()
        self.runtime.render(None)
        made: Any = self.runtime.resource("picture")
        return np.asarray(self.backend.read_texture(made, Layout.COLOR_ATTACHMENT))

    def close(self) -> None:
        self.background.close()
        self.runtime.close()


def expected(first: float) -> np.ndarray:
    value = (first + np.arange(64, dtype=np.float32).reshape(8, 8)) * 2**STEPS
    picture = np.zeros((8, 8, 4), np.float32)
    picture[..., 0] = picture[..., 1] = value
    picture[..., 3] = 1.0
    return picture


def work_of(backend: NullBackend) -> NullBackground:
    (work,) = (item for item in backend._objects if isinstance(item, NullBackground))
    return work


def test_a_run_goes_to_the_device_slice_by_slice(shader_folder: Path) -> None:
    backend = NullBackend()
    story = Story(backend, shader_folder)
    assert 'create work "background": on a compute queue' in backend.log
    story.background.start()
    assert "background work" in backend.log
    for _ in range(STEPS + 3):  # begin, double, paint, copies
        assert not story.background.advance()
    assert [line for line in backend.log if line.startswith(" slice")] == [f" slice {n}" for n in range(STEPS + 3)]
    assert story.background.newest("sky") is None
    assert story.background.advance()
    assert backend.log[-1] == "background work is there"
    assert story.background.newest("sky") is not None
    assert not story.background.running
    story.close()
    backend.wait_idle()
    assert backend.alive == ()


def test_frames_show_the_newest_result_and_never_wait_for_the_next(shader_folder: Path) -> None:
    backend = NullBackend()
    story = Story(backend, shader_folder, slices=100)
    story.frame()  # there is nothing yet, so this one waits
    first = story.background.newest("sky")
    assert (story.background.runs, first is not None) == (1, True)
    work_of(backend).held = True
    story.background.start()
    for _ in range(5):
        story.frame()
        assert story.background.newest("sky") is first
    assert story.background.running
    work_of(backend).held = False
    story.frame()
    assert story.background.newest("sky") is not first
    assert story.background.runs == 2
    story.close()
    assert backend.alive == ()


def test_who_starts_again_while_a_run_goes_on_gets_another(shader_folder: Path) -> None:
    backend = NullBackend()
    story = Story(backend, shader_folder, slices=100)
    for _ in range(3):
        story.background.start()
    for _ in range(8):
        story.background.advance()
    assert (story.background.runs, story.background.running) == (2, False)
    story.close()


def test_what_draws_needs_a_graphics_queue(shader_folder: Path) -> None:
    backend = NullBackend()
    story = Story(backend, shader_folder, draws=True)
    assert 'create work "background": on a graphics queue' in backend.log
    story.close()


def test_what_cannot_be_kept(shader_folder: Path) -> None:
    backend = NullBackend()
    runtime = Runtime(FrameGraph(), backend, ShaderLibrary([shader_folder]))
    graph = FrameGraph()
    graph.add_node("value", lambda reg: reg.create("number", int) and None)
    with pytest.raises(GraphError, match='does not make "sky"'):
        Background(runtime, graph, ["sky"])
    with pytest.raises(GraphError, match='"number" is a blob'):
        Background(runtime, graph, ["number"])
    with pytest.raises(GraphError, match="0 results"):
        Background(runtime, graph, [])
    assert backend.alive == ()


@pytest.mark.vulkan
@pytest.mark.parametrize("draws", [False, True])
def test_results_are_right_and_frames_go_on(shader_folder: Path, draws: bool) -> None:
    backend = VulkanBackend(validate=True)
    story = Story(backend, shader_folder, draws=draws)
    assert np.array_equal(story.frame(), expected(1.0))
    for first in (5.0, 7.0):
        before = story.frame()
        story.first = first
        story.background.start()
        shown = [story.frame() for _ in range(STEPS + 6)]
        new = [np.array_equal(picture, expected(first)) for picture in shown]
        old = [np.array_equal(picture, before) for picture in shown]
        assert new == sorted(new)
        assert old == [not each for each in new]
        assert (new[-1], any(new[: STEPS + 2])) == (True, False)
    story.close()
    backend.close()
    assert [message.text for message in backend.validation_messages] == []


@pytest.mark.vulkan
def test_on_another_family_of_queues_the_oracle_finds_no_fault(shader_folder: Path) -> None:
    families, path = SeveralFamilies(), shader_folder / "stream.jsonl"
    recording = StreamRecorder(path)
    backend = VulkanBackend(wrap=lambda name, function: recording.wrap(name, families.wrap(name, function)))
    story = Story(backend, shader_folder)
    story.frame()
    story.first = 3.0
    story.background.start()
    for _ in range(STEPS + 6):
        picture = story.frame()
    assert np.array_equal(picture, expected(3.0))
    story.close()
    backend.close()
    recording.close()
    assert [str(one) for one in check(read_stream(path)).findings] == []


@pytest.mark.vulkan
def test_what_a_run_takes_over_stays_until_its_slices_are_submitted(shader_folder: Path) -> None:
    """An edited graph moves its history out of a heap that frames would have outlived."""
    for name, text in {"add.comp": ADD, "fill.comp": FILL}.items():
        (shader_folder / name).write_text(f"#version 450\nlayout(local_size_x = 1) in;\n{text}")
    backend = VulkanBackend(validate=True)
    runtime = Runtime(FrameGraph(), backend, ShaderLibrary([shader_folder]))
    graph = FrameGraph()

    def count(reg: Registry) -> Callable[[Any], None]:
        reg.history("sum").storage_read("compute").bind("Before")
        reg.create("sum", Buffer(256)).storage_write("compute").bind("Values")
        program = reg.compute("add.comp")
        return lambda cmd: cmd.dispatch(program, (64, 1, 1))

    def enlarge(reg: Registry) -> Callable[[Any], None]:
        reg.create("large", Buffer(2**20)).storage_write("compute").bind("Values")
        reg.side_effects()
        program = reg.compute("fill.comp")
        return lambda cmd: cmd.dispatch(program, (64, 1, 1))

    graph.add_node("count", count)
    background = Background(runtime, graph, ["sum"])
    background.wait()
    graph.add_node("enlarge", enlarge)
    background.start()
    for _ in range(4):
        runtime.render(None)
    background.wait()
    newest: Any = background.newest("sum")
    values = np.frombuffer(backend.read_buffer(newest), np.float32)
    assert values.tolist() == [2.0] * 64
    background.close()
    runtime.close()
    backend.close()
    assert [message.text for message in backend.validation_messages] == []
