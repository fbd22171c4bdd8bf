"""GLSL to SPIR-V: a few runs of ``glslc`` for all shaders that are not in the cache."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from renderwright.render.errors import MissingToolError, ShaderError, SourceLocation
from renderwright.render.shaders.cache import ShaderCache
from renderwright.render.shaders.diagnostics import compile_error, owner
from renderwright.render.shaders.glslc import OPTIONS, compile_files, find_glslc, glslc_version, validate
from renderwright.render.types.usages import ShaderStage

COMPILED_FOLDER = "compiled"
"""The name of the folders of SPIR-V, beside the GLSL files that use them."""

_SUFFIXES = {ShaderStage.VERTEX: ".vert", ShaderStage.FRAGMENT: ".frag", ShaderStage.COMPUTE: ".comp"}
_KEY_LENGTH = 40
_LEAST_PER_PROCESS = 8
"""Fewer shaders are compiled faster by one process."""


@dataclass(frozen=True)
class ShaderSource:
    """GLSL with includes and defines expanded. ``file`` and ``node`` (may be '') name it in messages."""

    stage: ShaderStage
    file: str
    text: str
    node: str = ""


@dataclass(frozen=True)
class CompiledShader:
    """SPIR-V or a compile error. ``cached`` is true if the SPIR-V comes from the cache."""

    source: ShaderSource
    key: str
    spirv: bytes = b""
    error: ShaderError | None = None
    cached: bool = False


def shader_key(source: ShaderSource, version: str) -> str:
    """The hash of all compiler inputs: text with defines, stage, compiler version and options."""
    parts = (version, *OPTIONS, source.stage.value, source.text)
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:_KEY_LENGTH]


def compile_batch(sources: Sequence[ShaderSource], cache: ShaderCache | None = None) -> list[CompiledShader]:
    """Compile shaders and return them in the same order; cached ones start no process.

    ``cache`` None uses the default folder. The result of an invalid shader carries a ``ShaderError``, and the others
    compile. Without ``glslc`` shaders come from the cache that the last compiler filled. The results of others, and
    those of shaders for whose files there is no room, carry a ``MissingToolError``.
    """
    cache = cache or ShaderCache()
    try:
        glslc = find_glslc()
        version = glslc_version(glslc) if glslc else cache.last_compiler()
        keys = [shader_key(source, version or "") for source in sources]
        known = {key: spirv for key in dict.fromkeys(keys) if (spirv := cache.get(key)) is not None}
        missing = {key: source for key, source in zip(keys, sources, strict=True) if key not in known}
        compiled = _compile(glslc, missing) if missing and glslc else {}
    except ShaderError as error:
        return [CompiledShader(source, "", error=_of_source(error, source)) for source in sources]
    except OSError as error:
        no_room = MissingToolError(
            f"shaders cannot be compiled: {error.strerror or error}",
            hint="make room in the folder for temporary files, or name another one in TMPDIR",
        )
        return [CompiledShader(source, "", error=no_room) for source in sources]

    accepted = {key: code for key, code in compiled.items() if isinstance(code, bytes)}
    for key, spirv in accepted.items():
        cache.put(key, spirv)
    if accepted and version:
        cache.remember_compiler(version)
    return [_result(source, key, known, compiled) for key, source in zip(keys, sources, strict=True)]


def _result(
    source: ShaderSource, key: str, known: Mapping[str, bytes], compiled: Mapping[str, bytes | _Rejection]
) -> CompiledShader:
    if key in known:
        return CompiledShader(source, key, known[key], cached=True)
    code = compiled.get(key)
    if code is None:
        return CompiledShader(source, key, error=_no_compiler(source))
    if isinstance(code, bytes):
        return CompiledShader(source, key, code)
    return CompiledShader(source, key, error=code.error(source))


@dataclass(frozen=True)
class _Rejection:
    """The output of a tool that rejected a shader, with the shader's temporary file name ``compiled_as``."""

    printed: str
    compiled_as: str
    by_validator: bool = False

    def error(self, source: ShaderSource) -> ShaderError:
        """The error for one of the sources that have this text."""
        if self.by_validator:
            return _invalid(source, self.printed)
        return compile_error(source.file, source.text, source.node, self.printed, self.compiled_as)


def _compile(glslc: Path, sources: Mapping[str, ShaderSource]) -> dict[str, bytes | _Rejection]:
    """Compile and validate sources by key: many of them in one process for each core."""
    processes = min(os.cpu_count() or 1, max(1, len(sources) // _LEAST_PER_PROCESS))
    items = list(sources.items())
    batches = [dict(items[first::processes]) for first in range(processes)]
    with ThreadPoolExecutor(processes) as pool:
        done = pool.map(lambda batch: _compile_in_turn(glslc, batch), batches)
        return {key: result for results in done for key, result in results.items()}


def _compile_in_turn(glslc: Path, sources: Mapping[str, ShaderSource]) -> dict[str, bytes | _Rejection]:
    names = {key: key + _SUFFIXES[source.stage] for key, source in sources.items()}
    compiled = compile_files(glslc, {names[key]: source.text for key, source in sources.items()})
    results: dict[str, bytes | _Rejection] = {}
    for key, name in names.items():
        code = compiled[name]
        if isinstance(code, str):
            results[key] = _Rejection(code, name)
        elif reason := validate(code):
            results[key] = _Rejection(reason, name, by_validator=True)
        else:
            results[key] = code
    return results


def _of_source(error: ShaderError, source: ShaderSource) -> ShaderError:
    """An error of the toolchain as the error of one shader."""
    return ShaderError(
        f"{owner(source.file, source.node)} cannot be compiled: {error.message}",
        hint=error.hint,
        where=SourceLocation(source.file),
    )


def _no_compiler(source: ShaderSource) -> MissingToolError:
    if (Path(source.file).parent / COMPILED_FOLDER).is_dir():
        return MissingToolError(
            f"{owner(source.file, source.node)} is none of the shaders that come compiled, and the compiler glslc is "
            "not installed",
            hint="run `renderwright precompile` again where glslc is installed, with the name of the plugin or the "
            f"game: {Path(source.file).name}, a file that it includes or a define has changed since",
        )
    return MissingToolError(
        f"{owner(source.file, source.node)} does not come compiled, and the compiler glslc is not installed",
        hint="on Debian or Ubuntu: sudo apt install glslc\n"
        "  or run `renderwright precompile` once where glslc is installed, with the name of a plugin or a game for its "
        "shaders",
    )


def _invalid(source: ShaderSource, reason: str) -> ShaderError:
    return ShaderError(
        f"{owner(source.file, source.node)} compiles to code that spirv-val rejects: {reason}",
        hint="change the GLSL, or set RENDERWRIGHT_SPIRV_VAL=0 to skip this check",
        where=SourceLocation(source.file),
    )
