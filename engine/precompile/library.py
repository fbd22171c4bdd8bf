"""A shader library that records its requests and compiles portable texts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from renderwright.engine.renderer.nodes import GLSL
from renderwright.render.errors import ShaderError
from renderwright.render.shaders.compiler import CompiledShader, ShaderSource, compile_batch
from renderwright.render.shaders.library import ShaderLibrary, ShaderRequest
from renderwright.render.shaders.module import ShaderModule
from renderwright.render.shaders.portable import portable_key, portable_text


class RecordingLibrary(ShaderLibrary):
    """``requests`` holds every request so far, ``spirv`` what was compiled for them, by portable key."""

    def __init__(self) -> None:
        super().__init__([GLSL])
        self.requests: dict[ShaderRequest, None] = {}
        self.spirv: dict[str, bytes] = {}

    def load(
        self, requests: Iterable[ShaderRequest], between: Callable[[], None] = lambda: None
    ) -> dict[ShaderRequest, ShaderModule | ShaderError]:
        """Load the requests and record them."""
        wanted = list(requests)
        self.requests.update(dict.fromkeys(wanted))
        return super().load(wanted, between)

    def compile(self, sources: Sequence[ShaderSource]) -> list[CompiledShader]:
        """Compile the portable texts, which name no folder of this machine."""
        results = compile_batch([replace(source, text=portable_text(source.text)) for source in sources], self.cache)
        for source, result in zip(sources, results, strict=True):
            if result.spirv:
                self.spirv[portable_key(source)] = result.spirv
        return results
