"""A shader library that records its requests and compiles portable texts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from renderwright.engine.renderer.nodes import GLSL
from renderwright.render.errors import ShaderError
from renderwright.render.shaders.compiler import CompiledShader, ShaderSource, compile_batch
from renderwright.render.shaders.library import ShaderLibrary, ShaderRequest
from renderwright.render.shaders.module import ShaderModule
from renderwright.render.shaders.portable import mentioned, portable_key, portable_text


class RecordingLibrary(ShaderLibrary):
    """``requests`` holds every request so far, ``spirv`` what was compiled for them, by portable key."""

    def __init__(self) -> None:
        super().__init__([GLSL])
        self.requests: dict[ShaderRequest, None] = {}
        self.spirv: dict[str, bytes] = {}
        self._has_parts: dict[ShaderRequest, bool] = {}
        self._sources: dict[ShaderRequest, ShaderSource] = {}

    def load(
        self, requests: Iterable[ShaderRequest], between: Callable[[], None] = lambda: None
    ) -> dict[ShaderRequest, ShaderModule | ShaderError]:
        """Load the requests and record them."""
        wanted = list(requests)
        self.requests.update(dict.fromkeys(wanted))
        return super().load(wanted, between)

    def source(self, request: ShaderRequest) -> ShaderSource:
        """The GLSL of a request, of which no file changes while shaders are compiled ahead. Raises ``ShaderError``."""
        if request not in self._sources:
            self._sources[request] = super().source(request)
        return self._sources[request]

    def distinct(self, requests: Iterable[ShaderRequest]) -> list[ShaderRequest]:
        """The requests without those of the same code: defines and parts that a shader never mentions make no variant.

        Raises ``ShaderError`` if a file or an include is missing.
        """
        mentioned_by: dict[ShaderRequest, set[str]] = {}
        found: dict[ShaderRequest, ShaderRequest] = {}
        for request in [self._with_its_parts(request) for request in requests]:
            names = [name for name, _ in request.defines]
            shader = replace(request, node="", defines=tuple((name, "") for name in names))
            if shader not in mentioned_by:
                mentioned_by[shader] = set(mentioned(self.source(request).text, names))
            defines = tuple(define for define in request.defines if define[0] in mentioned_by[shader])
            found.setdefault(replace(shader, defines=defines), request)
        return list(found.values())

    def _with_its_parts(self, request: ShaderRequest) -> ShaderRequest:
        """The request without parts that make no difference."""
        if not request.parts:
            return request
        shader = replace(request, node="", defines=())
        if shader not in self._has_parts:
            without = replace(shader, parts=())
            self._has_parts[shader] = self.source(shader).text != self.source(without).text
        return request if self._has_parts[shader] else replace(request, parts=())

    def compile(self, sources: Sequence[ShaderSource]) -> list[CompiledShader]:
        """Compile the portable texts, which name no folder of this machine."""
        results = compile_batch([replace(source, text=portable_text(source.text)) for source in sources], self.cache)
        for source, result in zip(sources, results, strict=True):
            if result.spirv:
                self.spirv[portable_key(source)] = result.spirv
        return results
