"""A graph and a runtime on a real driver, for tests that look at texels."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from renderwright.render.backend.protocol import Backend
from renderwright.render.compiler.values.options import CompileOptions
from renderwright.render.graph.frame_graph import FrameGraph
from renderwright.render.runtime.checks.poison import Poison
from renderwright.render.runtime.failures import NodeFailure
from renderwright.render.runtime.plans.beside import Worker
from renderwright.render.runtime.runtime import Runtime
from renderwright.render.shaders.library import ShaderLibrary
from renderwright.render.sync.flags import Layout


class Bench:
    """A graph and a runtime on a real driver under validation, with an offscreen target of 8 x 8 texels.

    Resources called by one of a few letters are sinks: they keep their memory to the end of the frame, to be read.
    """

    def __init__(
        self,
        backend: Backend,
        shaders: Path,
        options: CompileOptions | None = None,
        *,
        repack: bool = False,
        poison: Poison | None = None,
        worker: Worker | None = None,
    ) -> None:
        self.backend = backend
        self.shaders = shaders
        self.graph = FrameGraph()
        self.failures: list[NodeFailure] = []
        self.layout = Layout.COLOR_ATTACHMENT  # in which resources are left, unless told otherwise
        for kept in "abcdmyz":
            self.graph.add_sink(kept)
        self.target = backend.create_target((8, 8))
        self.runtime = Runtime(
            self.graph,
            backend,
            ShaderLibrary([shaders]),
            options=options,
            on_failure=self.failures.append,
            repack=repack,
            poison=poison,
            worker=worker,
        )

    def shader(self, name: str, text: str) -> None:
        (self.shaders / name).write_text(f"#version 450\n{text}")

    def frames(self, count: int = 1) -> None:
        for _ in range(count):
            self.runtime.render(self.target)

    def texels(self, name: str, layout: Layout | None = None) -> np.ndarray:
        return np.asarray(self.backend.read_texture(self.runtime.resource(name), layout or self.layout))

    def close(self) -> None:
        self.backend.wait_idle()
        self.runtime.close()
        self.target.close()
