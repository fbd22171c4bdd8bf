"""A runtime whose worker is driven by hand, on the null backend."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from hand_driven import HandDriven

from renderwright.render.backend.null.backend import NullBackend
from renderwright.render.backend.null.resources import NullPipeline
from renderwright.render.backend.protocol import Heap, PipelineDesc
from renderwright.render.errors import DeviceLostError, OutOfMemoryError
from renderwright.render.graph.external import ExternalContext
from renderwright.render.graph.frame_graph import FrameGraph
from renderwright.render.runtime.failures import NodeFailure
from renderwright.render.runtime.runtime import Runtime
from renderwright.render.shaders.library import ShaderLibrary
from renderwright.render.types.resources import Extent, Texture

ONE_NODE = 1e-9
"""Seconds a frame in which one node of a coming plan is lowered."""
SLOTS = 2

FILL = """#version 450
layout(location = 0) out vec4 result;
void main() { result = vec4(VALUE); }
"""


class ShortOfMemory(NullBackend):
    """Makes no heap while it is ``full``, and no pipeline while it is ``lost``; new ones are ``ready`` or not."""

    full = False
    lost = False
    ready = True

    def __init__(self) -> None:
        super().__init__()
        self.pipelines: list[NullPipeline] = []

    def create_heap(self, memory_class: str, size: int, name: str) -> Heap:
        if self.full:
            raise OutOfMemoryError("full")
        return super().create_heap(memory_class, size, name)

    def create_pipeline(self, desc: PipelineDesc) -> Any:
        if self.lost:
            raise DeviceLostError("gone")
        made = super().create_pipeline(desc)
        made.ready = self.ready
        self.pipelines.append(made)
        return made


class Running:
    """A runtime whose worker is driven by hand. Each node draws to a texture of its own and notes its frames."""

    def __init__(self, folder: Path) -> None:
        self.worker = HandDriven()
        self.backend = ShortOfMemory()
        self.graph = FrameGraph()
        self.graph.set_resolution("size", (32, 16))
        self.failures: list[NodeFailure] = []
        self.ran: list[str] = []
        self.extents: dict[str, Extent] = {}
        self._folder = folder
        self.runtime = self.start()

    def start(self) -> Runtime:
        library = ShaderLibrary([self._folder])
        failures = self.failures.append
        return Runtime(self.graph, self.backend, library, on_failure=failures, worker=self.worker)

    def shader(self, name: str, text: str = FILL) -> None:
        (self._folder / f"{name}.frag").write_text(text.replace("VALUE", f"{len(name)}.0"))

    def add(
        self,
        name: str,
        *,
        plugin: str = "",
        fail: Callable[[], None] | None = None,
        size: Extent | None = None,
        every: int = 1,
    ) -> None:
        """A node that runs in one of ``every`` frames; ``fail`` is called when it executes."""

        def declare(reg: Any) -> Callable[[Any], None]:
            target = reg.create(name, Texture("rgba8_unorm", size or reg.resolution("size"))).color()
            reg.side_effects()
            if every > 1:
                reg.every(every)
            pipeline = reg.graphics(f"{name}.frag")

            def execute(cmd: Any) -> None:
                self.ran.append(name)
                self.extents[name] = target.extent
                if fail is not None:
                    fail()
                cmd.draw(pipeline)

            return execute

        if not (self._folder / f"{name}.frag").exists():
            self.shader(name)
        self.graph.add_node(name, declare, plugin=plugin)

    def frame(self) -> list[str]:
        """The nodes that a frame executes."""
        self.ran.clear()
        assert self.runtime.render(None) is not None
        return sorted(self.ran)

    def make_plan(self) -> None:
        """Render frames until all new nodes are declared and their plan is requested, and make it."""
        self.frame()
        for _ in range(len(self.graph.node_names)):
            if not self.worker.busy:
                self.frame()
        self.worker.work()

    def close(self) -> None:
        self.runtime.close()
        assert not self.worker.busy
        assert self.backend.alive == ()
        self.backend.close()


def frames_until(running: Running, wanted: list[str]) -> int:
    """The number of frames that are rendered before one with the ``wanted`` nodes."""
    return next(number for number in range(20) if running.frame() == wanted)


def outside(running: Running, name: str, desc: Any, provider: Callable[[ExternalContext], Any]) -> None:
    """Add a node that is given something from outside the graph."""

    def declare(reg: Any) -> Callable[[Any], None]:
        given = reg.external("given", desc, provider)
        if desc is not int:
            given.storage_read(stage="compute")
        reg.side_effects()
        return lambda cmd: running.ran.append(name)

    running.graph.add_node(name, declare)
