"""Several queues on the null backend: a whole frame in words, waits across frames, and what a queue cannot do."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from renderwright.render.backend.command_buffers import QueuedCommands
from renderwright.render.backend.null import NullBackend
from renderwright.render.backend.null.recorder import NullRecorder
from renderwright.render.compiler.values.options import CompileOptions
from renderwright.render.errors import BackendError
from renderwright.render.graph.frame_graph import FrameGraph
from renderwright.render.graph.registry import Registry
from renderwright.render.runtime.runtime import Runtime
from renderwright.render.shaders.library import ShaderLibrary
from renderwright.render.sync.flags import Layout
from renderwright.render.sync.queues import ALL_QUEUES
from renderwright.render.types.physical import BufferInfo, TextureInfo
from renderwright.render.types.resources import Buffer, Texture
from renderwright.render.types.usages import Usage
from tests.one_time import once

PICTURE = Texture("rgba16_sfloat", (64, 32))


def three_queues() -> FrameGraph:
    """Particles are moved on the compute queue and kept by the copy queue, while graphics draws the scene."""
    graph = FrameGraph()
    graph.add_sink("image")

    def move(reg: Registry) -> None:
        reg.queue("compute", "graphics")
        reg.cost(4.0)
        reg.create("particles", Buffer(4096)).storage_write("compute")

    def keep(reg: Registry) -> None:
        reg.queue("copy", "graphics")
        reg.cost(2.0)
        reg.read("particles").copy_src()
        reg.create("kept", Buffer(4096)).copy_dst()

    def scene(reg: Registry) -> None:
        reg.cost(8.0)
        reg.create("scene", PICTURE).color(clear=(0.0, 0.0, 0.0, 0.0))

    def show(reg: Registry) -> None:
        reg.cost(1.0)
        reg.read("scene").sampled()
        reg.read("kept").storage_read()
        reg.create("image", PICTURE).color(clear=(0.0, 0.0, 0.0, 1.0))

    for node in (move, keep, scene, show):
        graph.add_node(node.__name__, node)
    return graph


def test_a_frame_on_three_queues() -> None:
    backend = NullBackend(queues=ALL_QUEUES)
    runtime = Runtime(three_queues(), backend, ShaderLibrary(), options=CompileOptions(queues=ALL_QUEUES))
    for _ in range(3):
        runtime.render(None)
    assert backend.log[backend.log.index("frame 2 in slot 0") :] == [
        "frame 2 in slot 0",
        " compute 3 after graphics 5",
        "  barrier particles even: compute_shader (shader_storage_write) -> none (none), "
        "from the compute to the copy queue",
        " copy 3 after compute 3",
        "  barrier particles even: none (none) -> copy (transfer_read), from the compute to the copy queue",
        "  barrier kept even: copy|clear (transfer_write) -> none (none), from the copy to the graphics queue",
        " graphics 6",
        "  barrier scene even: fragment_shader (none) -> "
        "color_attachment_output (color_attachment_read|color_attachment_write), undefined -> color_attachment",
        "  begin pass 64x32: scene color clear (0, 0, 0, 0) -> store",
        "  end pass",
        " graphics 7 after copy 3",
        "  barrier image even: color_attachment_output (none) -> "
        "color_attachment_output (color_attachment_read|color_attachment_write), undefined -> color_attachment",
        "  barrier kept even: none (none) -> fragment_shader (shader_storage_read), "
        "from the copy to the graphics queue",
        "  barrier scene even: color_attachment_output (color_attachment_write) -> "
        "fragment_shader (shader_sampled_read), color_attachment -> shader_read_only",
        "  begin pass 64x32: image color clear (0, 0, 0, 1) -> store",
        "  end pass",
    ]
    runtime.close()
    backend.close()
    assert backend.alive == ()


def test_frames_begin_together_and_waits_are_not_repeated() -> None:
    backend = NullBackend(queues=ALL_QUEUES)
    frame = [
        QueuedCommands((), "graphics"),
        QueuedCommands((), "compute", waits=(0,)),
        QueuedCommands((), "graphics", waits=(1,)),
        QueuedCommands((), "copy", waits=(0,)),
    ]
    start = len(backend.log)
    for slot in (0, 1):
        backend.begin_frame(slot)
        backend.end_frame(slot, frame, None)
    assert backend.log[start:] == [
        "frame 0 in slot 0",
        " graphics 1",
        " compute 1 after graphics 1",
        " graphics 2 after compute 1",
        " copy 1 after graphics 1",
        "frame 1 in slot 1",
        " graphics 3 after copy 1",  # that compute is done it knows already
        " compute 2 after graphics 3",  # and so all that the frame before did
        " graphics 4 after compute 2",
        " copy 2 after graphics 3",
    ]


def test_a_submission_waits_for_earlier_ones_only() -> None:
    backend = NullBackend(queues=ALL_QUEUES)
    backend.begin_frame(0)
    with pytest.raises(BackendError, match="waits for a later one"):
        backend.end_frame(0, [QueuedCommands((), "compute", waits=(1,)), QueuedCommands(())], None)


def test_a_queue_that_the_device_lacks() -> None:
    with pytest.raises(BackendError, match="there is no copy queue"):
        NullBackend(queues=("graphics", "compute")).recorder(0, "copy")


def _texture(backend: NullBackend) -> object:
    return backend.create_texture(TextureInfo("rgba8_unorm", (4, 4), 1, 1, 1, frozenset({Usage.STORAGE})), "texture")


@pytest.mark.parametrize(
    ("queue", "record", "what"),
    [
        ("compute", lambda recorder, backend: recorder.begin_pass([], (4, 4)), "a pass on the compute queue"),
        ("copy", lambda recorder, backend: recorder.dispatch(1), "a dispatch on the copy queue"),
        ("copy", lambda recorder, backend: recorder.set_event(0, []), "setting an event on the copy queue"),
        (
            "copy",
            lambda recorder, backend: recorder.clear_texture(_texture(backend), Layout.GENERAL, (0.0,) * 4),
            "a clear on the copy queue",
        ),
    ],
)
def test_what_a_queue_cannot_do(queue: str, record: Callable[[NullRecorder, NullBackend], None], what: str) -> None:
    backend = NullBackend(queues=ALL_QUEUES)
    recorder = backend.recorder(0, queue)
    record(recorder, backend)
    backend.begin_frame(0)
    with pytest.raises(BackendError, match=what):
        backend.end_frame(0, [once(backend, 0, [recorder.take()], queue)], None)


def test_the_copy_queue_copies() -> None:
    backend = NullBackend(queues=ALL_QUEUES)
    buffer = backend.create_buffer(BufferInfo(64, frozenset()), "data", bytes(64))
    recorder = backend.recorder(0, "copy")
    recorder.fill_buffer(buffer)
    recorder.copy_buffer(buffer, buffer)
    backend.begin_frame(0)
    backend.end_frame(0, [once(backend, 0, [recorder.take()], "copy")], None)
    assert backend.log[-2:] == ["  fill data", "  copy buffer data -> data, 64 bytes"]


def test_cross_frame_work_is_left_out_where_a_frame_begins() -> None:
    """The graphics queue waits for it where it is told to, or in the frame after."""
    backend = NullBackend(queues=ALL_QUEUES)
    continuing = frozenset({0, 1})
    frame = [
        QueuedCommands((), "graphics", continuing=continuing),
        QueuedCommands((), "compute", waits=(0,)),
        QueuedCommands((), "compute", cross_frame=0),
        QueuedCommands((), "compute", cross_frame=1),
        QueuedCommands((), "graphics", waits=(1,)),
        QueuedCommands((), "graphics", cross_frame_waits=(0,)),
    ]
    start = len(backend.log)
    for slot in (0, 1, 0):
        backend.begin_frame(slot)
        backend.end_frame(slot, frame, None)
    backend.begin_frame(1)
    backend.end_frame(1, [QueuedCommands(()), QueuedCommands((), "copy")], None)  # waits for all
    found = [line for line in backend.log[start:] if line.startswith(" graphics")]
    assert found == [
        " graphics 1",
        " graphics 2 after compute 1",
        " graphics 3",  # the first frame has no cross-frame work to wait for
        " graphics 4",  # the cross-frame work of the frame before goes on
        " graphics 5 after compute 4",  # and is behind what is waited for here
        " graphics 6",
        " graphics 7",
        " graphics 8 after compute 7",
        " graphics 9",
        " graphics 10 after compute 9",
    ]
