"""``Recording.VERIFIED``: stable nodes that do not record the same commands are named, and recorded in each frame."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
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
from renderwright.render.types.physical import BufferInfo, PhysicalBuffer
from renderwright.render.types.resources import Texture
from renderwright.render.types.usages import Usage

pytestmark = pytest.mark.vulkan

PICTURE = Texture("rgba32_sfloat", (4, 4))
FRAMES = 7
PAINT = """#version 450
layout(push_constant) uniform Push { vec2 offset; float value; } push;
layout(location = 0) out vec4 result;
void main() { result = vec4(push.value + push.offset.x); }
"""
PLAIN = """#version 450
layout(location = 0) out vec4 result;
void main() { result = vec4(0.5); }
"""


@dataclass
class Marks:
    """A blob that can be changed in place. It has a hash, as if it could not."""

    count: int = 1
    weights: NDArray[np.float32] = field(default_factory=lambda: np.ones(3, np.float32))

    def __hash__(self) -> int:
        return hash(self.count)


@dataclass
class Stage:
    """What the node under test has: its pipelines, the frame's number, a blob that it reads, and one that it makes."""

    paint: Any
    plain: Any
    seen: Any
    made: Any
    buffers: list[PhysicalBuffer]
    calls: count[int] = field(default_factory=lambda: count(1))


Draw = Callable[[Any, Stage], None]


@dataclass
class Run:
    """The pictures of a run and its notices."""

    pictures: list[NDArray[Any]]
    notices: list[NodeFailure]


def run(folder: Path, draw: Draw, recording: Recording, *, in_place: bool = False, beside: bool = False) -> Run:
    """Frames in which a node that says that it is stable draws, perhaps in a runtime beside another one."""
    (folder / "paint.frag").write_text(PAINT)
    (folder / "plain.frag").write_text(PLAIN)
    notices: list[NodeFailure] = []
    failures: list[NodeFailure] = []
    graph, backend, marks = FrameGraph(), VulkanBackend(validate=True), Marks()
    buffers = [backend.create_buffer(BufferInfo(64, frozenset({Usage.VERTEX})), f"buffer {n}") for n in range(2)]

    def give(reg: Any) -> Callable[[Any], None]:
        made = reg.create("marks", Marks)

        def execute(cmd: Any) -> None:
            if in_place:
                marks.count = cmd.frame + 1
            made.value = marks if in_place else Marks()

        return execute

    def declare(reg: Any) -> Callable[[Any], None]:
        reg.create("picture", PICTURE).color(clear=(0.0, 0.0, 0.0, 0.0))
        seen, made = reg.read("marks", Marks), reg.create("weights", Marks)
        reg.stable()
        stage = Stage(reg.graphics("paint.frag", blend="add"), reg.graphics("plain.frag"), seen, made, buffers)
        return lambda cmd: draw(cmd, stage)

    graph.add_node("give", give)
    graph.add_node("liar", declare, plugin="lies")
    graph.add_sink("picture")
    pictures = []
    library = ShaderLibrary([folder])
    with closing(backend):
        on = {"on_failure": failures.append, "on_notice": notices.append}
        with ExitStack() as open_runtimes:
            own = FrameGraph() if beside else graph
            runtime = open_runtimes.enter_context(closing(Runtime(own, backend, library, recording=recording, **on)))
            if beside:
                runtime = open_runtimes.enter_context(closing(runtime.beside(graph, failures.append)))
            for _ in range(FRAMES):
                assert runtime.render(None) is not None
                pictures.append(np.asarray(backend.read_texture(runtime.resource("picture"), Layout.COLOR_ATTACHMENT)))
    assert [message.text for message in backend.validation_messages] == []
    assert failures == []
    return Run(pictures, notices)


def paint(cmd: Any, stage: Stage, value: float = 0.25, instances: int = 1) -> None:
    cmd.draw(stage.paint, instances=instances, offset=(0.0, 0.0), value=value)


def closure(cmd: Any, stage: Stage) -> None:
    paint(cmd, stage, instances=next(stage.calls))


def clock(cmd: Any, stage: Stage) -> None:
    paint(cmd, stage, value=next(stage.calls) / 64)


def dice() -> Draw:
    rng = np.random.default_rng(5)
    return lambda cmd, stage: cmd.draw(stage.paint, offset=(rng.random(), 0.0), value=0.0)


def frame_number(cmd: Any, stage: Stage) -> None:
    paint(cmd, stage, value=float(cmd.frame))


def other_pipeline(cmd: Any, stage: Stage) -> None:
    if next(stage.calls) < 4:
        paint(cmd, stage)
    else:
        cmd.draw(stage.plain)


def one_more(cmd: Any, stage: Stage) -> None:
    for _ in range(1 + next(stage.calls) // 4):
        paint(cmd, stage)


def one_less(cmd: Any, stage: Stage) -> None:
    for _ in range(1 if next(stage.calls) > 4 else 2):
        paint(cmd, stage)


def other_buffer(cmd: Any, stage: Stage) -> None:
    cmd.vertices(stage.buffers[next(stage.calls) > 4])
    paint(cmd, stage)


def moved(cmd: Any, stage: Stage) -> None:
    cmd.viewport(0, 0, 4, 1 + (next(stage.calls) > 4))
    paint(cmd, stage)


def blob(cmd: Any, stage: Stage) -> None:
    stage.made.value = Marks(weights=np.full(3, float(next(stage.calls)), np.float32))
    paint(cmd, stage)


def read_blob(cmd: Any, stage: Stage) -> None:
    paint(cmd, stage, instances=stage.seen.value.count)


def other_state(cmd: Any, stage: Stage) -> None:
    if next(stage.calls) > 4:
        cmd.vertices(stage.buffers[0])
    paint(cmd, stage)


DRAW = "draw 1 with pipeline fullscreen.vert + paint.frag"
# Each slot keeps the first of its recordings, and is compared for the first time two frames later.
LIES = [
    pytest.param(lambda: closure, f"{DRAW}: instance count is 3, kept 1", id="closure"),
    pytest.param(lambda: clock, f'{DRAW}: push constant "value" is 0.046875, kept 0.015625', id="clock"),
    pytest.param(dice, f'{DRAW}: push constant "offset" is (', id="dice"),
    pytest.param(lambda: frame_number, f'{DRAW}: push constant "value" is 2, kept 0', id="frame"),
    pytest.param(
        lambda: other_pipeline,
        "draw 1 with pipeline fullscreen.vert + plain.frag: pipeline is fullscreen.vert + plain.frag, kept fullscr",
        id="pipeline",
    ),
    pytest.param(
        lambda: one_more,
        "2 draws, kept 1: draw 2 with pipeline fullscreen.vert + paint.frag (3 vertices, 1 instance) is new",
        id="added",
    ),
    pytest.param(
        lambda: one_less,
        "1 draw, kept 2: draw 2 with pipeline fullscreen.vert + paint.frag (3 vertices, 1 instance) is missing",
        id="missing",
    ),
    pytest.param(lambda: other_buffer, f'{DRAW}: vertex buffer is "buffer 1", kept "buffer 0"', id="buffer"),
    pytest.param(lambda: moved, f"{DRAW}: viewport height is 2, kept 1", id="viewport"),
    pytest.param(lambda: other_state, f"{DRAW}: a vertex buffer is bound, kept: the pipeline is set", id="more state"),
    pytest.param(lambda: blob, 'blob "weights" is Marks(', id="blob"),
]


@pytest.mark.parametrize(("make", "words"), LIES)
def test_a_lie_is_named_and_its_node_recorded_from_there_on(
    make: Callable[[], Draw], words: str, shader_folder: Path
) -> None:
    always, verified = (run(shader_folder, make(), mode) for mode in (Recording.ALWAYS, Recording.VERIFIED))
    assert always.notices == []
    (notice,) = verified.notices
    assert (notice.node, notice.plugin, notice.phase) == ("liar", "lies", FailurePhase.CHECK)
    error = notice.error
    assert 'node "liar" of plugin "lies" is reg.stable()' in error.message  # type: ignore[attr-defined]
    assert words in error.message  # type: ignore[attr-defined]
    assert "drop reg.stable()" in error.hint  # type: ignore[attr-defined]
    where = error.where  # type: ignore[attr-defined]
    assert Path(where.file) == Path(__file__)
    assert "def declare(reg" in Path(__file__).read_text().splitlines()[where.line - 1]
    assert np.array_equal(always.pictures, verified.pictures)


@pytest.mark.parametrize("mode", [Recording.ALWAYS, Recording.VERIFIED])
def test_a_runtime_beside_another_one_records_like_it(mode: Recording, shader_folder: Path) -> None:
    expected, beside = run(shader_folder, clock, Recording.ALWAYS), run(shader_folder, clock, mode, beside=True)
    assert np.array_equal(expected.pictures, beside.pictures)


@pytest.mark.parametrize("draw", [closure, clock, frame_number, one_more, moved])
def test_without_the_check_a_lie_shows(draw: Draw, shader_folder: Path) -> None:
    always, kept = (run(shader_folder, draw, mode) for mode in (Recording.ALWAYS, Recording.KEPT))
    assert not np.array_equal(always.pictures, kept.pictures)
    assert kept.notices == []


def test_a_blob_that_is_changed_in_place_is_named(shader_folder: Path) -> None:
    always, verified = (run(shader_folder, read_blob, m, in_place=True) for m in (Recording.ALWAYS, Recording.VERIFIED))
    (notice,) = verified.notices
    assert "instance count is 3, kept 1" in str(notice.error)
    assert 'if "marks" was changed in place, set another object as its value' in str(notice.error)
    assert np.array_equal(always.pictures, verified.pictures)


def innocent_blob(cmd: Any, stage: Stage) -> None:
    stage.made.value = Marks()  # equal, and another object with another array in each frame
    paint(cmd, stage, instances=stage.seen.value.count)


@pytest.mark.parametrize("draw", [paint, read_blob, innocent_blob])
def test_innocent_nodes_keep_their_commands(draw: Draw, shader_folder: Path) -> None:
    always, verified = (run(shader_folder, draw, mode) for mode in (Recording.ALWAYS, Recording.VERIFIED))
    assert verified.notices == []
    assert np.array_equal(always.pictures, verified.pictures)


BLOCK = """#version 450
layout(set = 0, binding = 0) uniform Marks { int count; } marks;
layout(location = 0) out vec4 result;
void main() { result = vec4(float(marks.count)); }
"""


@pytest.mark.parametrize("stable", [False, True])
@pytest.mark.parametrize("constant", [False, True])
def test_a_block_whose_values_are_changed_in_place_is_named(shader_folder: Path, stable: bool, constant: bool) -> None:
    (shader_folder / "block.frag").write_text(BLOCK)
    marks = Marks()

    def give(reg: Any) -> Callable[[Any], None]:
        made = reg.create("marks", Marks)

        def execute(cmd: Any) -> None:
            marks.count = cmd.frame + 1
            made.value = marks

        return execute

    def draw(reg: Any) -> Callable[[Any], None]:
        reg.create("picture", PICTURE).color()
        reg.read("marks", Marks)
        if constant:
            reg.uniform("marks", marks)
        if stable:
            reg.stable()
        pipeline = reg.graphics("block.frag")
        return lambda cmd: cmd.draw(pipeline)

    notices: list[NodeFailure] = []
    graph, backend = FrameGraph(), VulkanBackend(validate=True)
    graph.add_node("give", give)
    graph.add_node("draw", draw, plugin="lies")
    graph.add_sink("picture")
    mode = Recording.VERIFIED
    with (
        closing(backend),
        closing(
            Runtime(graph, backend, ShaderLibrary([shader_folder]), recording=mode, on_notice=notices.append)
        ) as runtime,
    ):
        for frame in range(FRAMES):
            assert runtime.render(None) is not None
            texels = np.asarray(backend.read_texture(runtime.resource("picture"), Layout.COLOR_ATTACHMENT))
            assert np.all(texels == frame + 1), frame
    (notice,) = notices
    assert (notice.node, notice.plugin, notice.phase) == ("draw", "lies", FailurePhase.CHECK)
    assert 'block.frag:2: block "marks" of node "draw" has values that were changed in place' in str(notice.error)
