"""What ``cmd.recorder`` refuses, on each backend: the node is named at its line, and the others go on."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from wrong_recordings import WRONG, Dispatches, Draws, Transfers, Wrong

from renderwright.render.backend.null import NullBackend
from renderwright.render.backend.opengl import OpenGLBackend
from renderwright.render.backend.protocol import Backend
from renderwright.render.backend.vulkan.backend import VulkanBackend
from renderwright.render.errors import RenderwrightError
from renderwright.render.graph.frame_graph import FrameGraph
from renderwright.render.runtime.failures import NodeFailure
from renderwright.render.runtime.runtime import Runtime
from renderwright.render.shaders.library import ShaderLibrary
from renderwright.render.types.parts import Part
from renderwright.render.types.resources import Buffer

GLSL = Path(__file__).parent / "glsl"
OPENED: dict[str, Callable[[], Backend]] = {
    "null": NullBackend,
    "vulkan": lambda: VulkanBackend(validate=True),
    "opengl": lambda: OpenGLBackend(validate=True),
}


@pytest.fixture(scope="module", params=OPENED)
def device(request: pytest.FixtureRequest) -> Iterator[Backend]:
    """Each backend, which may object to nothing that it is told."""
    backend = OPENED[request.param]()
    yield backend
    backend.close()
    assert getattr(backend, "validation_messages", []) == []


def failures_of(device: Backend, wrong: Wrong) -> list[NodeFailure]:
    """What fails in two frames of a graph with the mistake."""
    graph, failures = FrameGraph(), list[NodeFailure]()
    ran: list[int] = []
    made, declare = wrong.declares()

    def other(reg: Any) -> Callable[[Any], object]:
        reg.create("another", Buffer(64)).copy_dst()
        reg.side_effects()
        return lambda cmd: ran.append(cmd.frame)

    for name, each in {"made": made, "wrong": declare, "other": other}.items():
        graph.add_node(name, each)  # type: ignore[arg-type]
    runtime = Runtime(graph, device, ShaderLibrary([GLSL]), on_failure=failures.append)
    try:
        for _ in range(2):
            runtime.render(None)
    finally:
        runtime.close()
    assert ran == [0, 1]
    return failures


@pytest.mark.parametrize("mistake", WRONG)
def test_a_mistake_fails_in_its_node(mistake: str, device: Backend) -> None:
    wrong = WRONG[mistake]
    (failure,) = failures_of(device, wrong)
    assert failure.node == "wrong"
    assert isinstance(failure.error, RenderwrightError)
    assert wrong.words in str(failure.error)
    assert failure.error.where is None or Path(failure.error.where.file).name == "wrong_recordings.py"


def _fills(cmd: Any, node: Any) -> None:
    cmd.recorder.fill_buffer(node.buffer.buffer, np.uint32(2**32 - 1), np.int64(4), np.uint8(60))
    cmd.recorder.fill_buffer(node.small.buffer, 7, 4)
    cmd.recorder.clear_texture(node.texture.texture, node.texture.layout, (0, 0.5, np.float32(1), 2))
    cmd.recorder.clear_texture(node.whole.texture, node.whole.layout, (2**32 - 1, 0, 0, 0), Part((0, 1), (0, 1)))
    cmd.recorder.clear_texture(node.depth.texture, node.depth.layout, (1.0, 0, 0, 0))


def _copies(cmd: Any, node: Any) -> None:
    layouts = node.picture.layout, node.texture.layout
    cmd.recorder.copy_buffer(node.source.buffer, node.buffer.buffer, np.uint8(64))
    cmd.recorder.copy_buffer(node.source.buffer, node.small.buffer)
    cmd.recorder.copy_texture(node.picture.texture, node.texture.texture, [Part((0, 9))], layouts)


def _texels(cmd: Any, node: Any) -> None:
    cmd.recorder.copy_texels(node.picture.texture, node.picture.layout, np.int64(0), 0, node.large.buffer)


def _draws(cmd: Any, node: Any) -> None:
    node.bind(cmd)
    rec = cmd.recorder
    rec.viewport(0, 0.5, 4, 4)
    rec.scissor(np.int32(1), 0, 4, 4)
    rec.draw(np.int64(3), 0)
    rec.draw(3, 1, 2)
    rec.draw_indexed(15, np.uint8(1), 1, -1)
    rec.draw_indexed_indirect(node.commands.buffer, np.uint8(3), 4, node.commands.buffer, 0)
    rec.bind_pipeline(cmd.pipeline(node.mesh))
    rec.bind_vertices(node.vertices.buffer, 52)
    rec.draw(1)


def _dispatches(cmd: Any, node: Any) -> None:
    cmd.bind(node.program)
    cmd.recorder.dispatch(np.int64(1), 1)
    cmd.recorder.dispatch(0)


@pytest.mark.parametrize(
    ("kind", "record"),
    [
        (Transfers, _fills),
        (Transfers, _copies),
        (Transfers, _texels),
        (Draws, _draws),
        (Dispatches, _dispatches),
    ],
)
def test_what_is_right_is_recorded(kind: type, record: Callable[[Any, Any], None], device: Backend) -> None:
    assert failures_of(device, Wrong(kind, record, "")) == []
