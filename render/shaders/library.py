"""Finds, compiles and caches the shaders of nodes."""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from renderwright.render.errors import MissingShaderError, MissingToolError, ShaderError
from renderwright.render.shaders.cache import ShaderCache
from renderwright.render.shaders.compiler import CompiledShader, ShaderSource, compile_batch
from renderwright.render.shaders.diagnostics import owner
from renderwright.render.shaders.fullscreen import as_compute
from renderwright.render.shaders.includes import expand, find_file, missing_file_hint
from renderwright.render.shaders.missing_functions import of_part
from renderwright.render.shaders.module import ShaderModule
from renderwright.render.shaders.portable import find_compiled
from renderwright.render.shaders.reflect import reflect
from renderwright.render.shaders.source_files import SourceFiles, Stamp
from renderwright.render.shaders.stage_words import has_words_of, stage_error
from renderwright.render.types.shader_parts import ShaderPart
from renderwright.render.types.usages import ShaderStage

BUILTIN_FOLDER = Path(__file__).parent / "glsl"
"""The shaders that come with the renderer; every library searches it last."""


@dataclass(frozen=True)
class ShaderRequest:
    """The shader of a node.

    ``file`` is absolute, or found in the ``search`` folders, then in the library's. ``defines`` are (name, value) pairs
    set before the first line. ``node`` is the node's name for messages. A ``fullscreen`` shader is a fragment shader
    that can be a compute shader (``renderwright.render.shaders.fullscreen``); the stage says which one it becomes. Its
    outputs at ``srgb`` locations are sRGB-encoded, which attachments do by themselves. ``parts`` take the places that
    the shader has for them.
    """

    stage: ShaderStage
    file: str
    search: tuple[str, ...] = ()
    defines: tuple[tuple[str, str], ...] = ()
    node: str = ""
    fullscreen: bool = False
    srgb: tuple[int, ...] = ()
    parts: tuple[ShaderPart, ...] = ()


MAX_LOADED = 1024
"""The most modules in memory; older ones are read from the cache again."""


@dataclass(frozen=True)
class _Loaded:
    """A module, and the state of its source files. A ``doubtful`` full-screen shader may be impossible in its other
    stage."""

    module: ShaderModule
    stamps: tuple[Stamp, ...]
    doubtful: bool = False

    def is_fresh(self, stamp_of: Callable[[Path], Stamp]) -> bool:
        return all(stamp_of(stamp[0]) == stamp for stamp in self.stamps)


@dataclass(frozen=True)
class _Expanded:
    """The text of a request, and the state of its source files. ``doubtful`` is that of ``_Loaded``."""

    source: ShaderSource
    stamps: tuple[Stamp, ...]
    doubtful: bool


class ShaderLibrary:
    """Shaders by request. A shader is compiled again when one of its ``files`` has changed.

    Shaders that come compiled (``renderwright.render.shaders.portable``) need no compiler.

    Several threads may load at once; the lock is not held while the compiler runs.
    """

    def __init__(
        self, search_paths: Sequence[Path] = (), cache: ShaderCache | None = None, files: SourceFiles | None = None
    ) -> None:
        self.cache = cache or ShaderCache()
        self.files = files or SourceFiles()
        self._paths = [Path(path) for path in search_paths]
        self._loaded: dict[ShaderRequest, _Loaded] = {}
        self._lock = threading.Lock()

    @property
    def search_paths(self) -> tuple[Path, ...]:
        """The folders that are searched, in order; the renderer's own is last."""
        return (*self._paths, BUILTIN_FOLDER)

    def add_path(self, folder: Path) -> None:
        """Search one more folder, after the others but before the renderer's own."""
        if folder not in self._paths:
            self._paths.append(folder)
            self._loaded.clear()

    def load(
        self, requests: Iterable[ShaderRequest], between: Callable[[], None] = lambda: None
    ) -> dict[ShaderRequest, ShaderModule | ShaderError]:
        """The module or error of each request, in their order; missing modules compile in one batch.

        A full-screen shader that only one of its two stages understands is an error, so that it is one on every device.
        ``between`` is called between steps; an exception from it ends the load.
        """
        wanted = list(dict.fromkeys(requests))
        results = self._load(wanted, between)
        proofs = {request: replace(request, stage=_other(request)) for request in results if self._doubts(request)}
        proved = self._load(proofs.values(), between) if proofs else {}
        for request, proof in proofs.items():
            if isinstance(error := proved[proof], ShaderError):
                results[request] = error
                self._loaded.pop(_anonymous(request), None)
        for request, result in results.items():
            if request.fullscreen and isinstance(result, ShaderError) and not isinstance(result, MissingToolError):
                results[request] = self._explained(request, result)
        return {request: results[request] for request in wanted}

    def _explained(self, request: ShaderRequest, error: ShaderError) -> ShaderError:
        """The error of a full-screen shader, in words of its own if the shader has GLSL of one stage alone."""
        try:
            source = self.source(replace(request, stage=ShaderStage.FRAGMENT))
        except ShaderError:
            return error
        return stage_error(source.file, source.text, request.node) or error

    def _doubts(self, request: ShaderRequest) -> bool:
        loaded = self._loaded.get(_anonymous(request))
        return loaded is not None and loaded.doubtful

    def _load(
        self, requests: Iterable[ShaderRequest], between: Callable[[], None]
    ) -> dict[ShaderRequest, ShaderModule | ShaderError]:
        results: dict[ShaderRequest, ShaderModule | ShaderError] = {}
        missing: dict[ShaderRequest, _Expanded] = {}
        stamp_of = functools.cache(self.files.stamp)  # most shaders include the same files
        for request in dict.fromkeys(requests):
            between()
            loaded = self._loaded.get(_anonymous(request))
            if loaded and loaded.is_fresh(stamp_of):
                results[request] = loaded.module
                continue
            try:
                expanded = self._expand(request)
                parts = [Path(part.file).parent for part in request.parts]
                found = find_compiled(expanded.source, (*parts, *self._folders(request)))
                if found is None:
                    missing[request] = expanded
                else:
                    shader = CompiledShader(expanded.source, *found, cached=True)
                    results[request] = self._reflect(request, shader, expanded)
            except ShaderError as error:
                results[request] = error
        compiled = self.compile([expanded.source for expanded in missing.values()]) if missing else []
        for (request, expanded), shader in zip(missing.items(), compiled, strict=True):
            between()
            try:
                results[request] = self._reflect(request, shader, expanded)
            except ShaderError as error:
                results[request] = error
        return results

    def compile(self, sources: Sequence[ShaderSource]) -> list[CompiledShader]:
        """Compile shaders that are neither loaded nor in a folder of compiled ones."""
        return compile_batch(sources, self.cache)

    def _reflect(self, request: ShaderRequest, shader: CompiledShader, expanded: _Expanded) -> ShaderModule:
        """The module of a compiled shader, which is loaded from now on."""
        if shader.error:
            raise of_part(shader.error, request.parts)
        included = tuple(str(stamp[0]) for stamp in expanded.stamps[1:])
        try:
            module = reflect(shader.spirv, request.stage, shader.source.file, shader.key, included)
        except ShaderError as error:
            what = f"{owner(shader.source.file, request.node)}: {error.message}"
            raise ShaderError(what, hint=error.hint, where=error.where) from error
        with self._lock:
            self._loaded[_anonymous(request)] = _Loaded(module, expanded.stamps, expanded.doubtful)
            for oldest in list(self._loaded)[:-MAX_LOADED]:
                del self._loaded[oldest]
        return module

    def at_hand(self, requests: Iterable[ShaderRequest]) -> dict[ShaderRequest, ShaderModule] | None:
        """The module of each request if all are loaded and no file has changed; else None."""
        results = {}
        stamp_of = functools.cache(self.files.stamp)
        for request in requests:
            loaded = self._loaded.get(_anonymous(request))
            if loaded is None or not loaded.is_fresh(stamp_of):
                return None
            results[request] = loaded.module
        return results

    def source(self, request: ShaderRequest) -> ShaderSource:
        """The GLSL of a request with includes and defines expanded. Raises ``ShaderError`` if they are invalid."""
        return self._expand(request).source

    def _folders(self, request: ShaderRequest) -> tuple[Path, ...]:
        """The folders that are searched for the request, in order."""
        return (*(Path(folder) for folder in request.search), *self.search_paths)

    def _expand(self, request: ShaderRequest) -> _Expanded:
        folders = self._folders(request)
        file = Path(request.file) if Path(request.file).is_absolute() else find_file(request.file, folders, self.files)
        try:
            if file is None or not self.files.exists(file):
                near = (Path(request.file).parent,) if file else folders
                raise MissingShaderError("the file does not exist", hint=missing_file_hint(request.file, near))
            expanded = expand(file, folders, request.defines, self.files, request.parts)
            text = expanded.text
            if request.fullscreen:
                # Also where the shader is drawn, so that a wrong declaration is an error on every device.
                compute = as_compute(text, request.srgb)
                text = compute if request.stage is ShaderStage.COMPUTE else text
        except ShaderError as error:
            raise type(error)(
                f"{owner(request.file, request.node)}: {error.message}", hint=error.hint, where=error.where
            ) from error
        source = ShaderSource(request.stage, str(file), text, request.node)
        doubtful = request.fullscreen and has_words_of(request.stage, expanded.text)
        return _Expanded(source, tuple(self.files.stamp(path) for path in expanded.files), doubtful)


def _anonymous(request: ShaderRequest) -> ShaderRequest:
    """The request without its node, which does not change the code."""
    return replace(request, node="")


def _other(request: ShaderRequest) -> ShaderStage:
    """The stage in which a full-screen shader does not run here."""
    return ShaderStage.FRAGMENT if request.stage is ShaderStage.COMPUTE else ShaderStage.COMPUTE
