"""Compiles the shaders of renderwright or of plugins ahead of time, into the folders of their GLSL."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from renderwright.engine.plugins.discovery import find_plugins, refusal
from renderwright.engine.plugins.hookspecs import PROJECT
from renderwright.engine.precompile.library import RecordingLibrary
from renderwright.engine.precompile.names import named_of
from renderwright.engine.precompile.sweep import sweep
from renderwright.engine.precompile.variants import completed
from renderwright.render.errors import MissingToolError, ShaderError, UsageError
from renderwright.render.shaders.beyond_opengl import is_beyond_opengl
from renderwright.render.shaders.glslc import find_glslc
from renderwright.render.shaders.library import BUILTIN_FOLDER, ShaderRequest
from renderwright.render.shaders.portable import portable_key, remove_compiled, write_compiled
from renderwright.render.shaders.reflect import reflect
from renderwright.render.shaders.spirv import without_source
from renderwright.render.shaders.translation import find_spirv_cross, write_translation

_log = logging.getLogger("renderwright.precompile")


@dataclass(frozen=True)
class Precompiled:
    """The number of shaders that were written beside the GLSL of ``folder``, and of those that came compiled."""

    folder: Path
    shaders: int
    shipped: int


def precompile(names: Sequence[str] = (), progress: Callable[[float], None] = lambda done: None) -> list[Precompiled]:
    """Compile the shaders of the named plugins and games, each into its own folder; without names, renderwright's own.

    Those of a game are its surface functions and the plugins in its package. ``progress`` gets the finished share of
    the sweep, 0 to 1.

    Shaders that renderwright already has compiled are left out for plugins. Raises ``MissingToolError`` without
    ``glslc``, ``UsageError`` for an unknown name, one without shaders or a folder that is not writable, and
    ``PluginError`` if a plugin fails. Propagates what a game raises.
    """
    if find_glslc() is None:
        raise MissingToolError(
            "shaders can only be compiled ahead where the compiler glslc is installed",
            hint="on Debian or Ubuntu: sudo apt install glslc",
        )
    installed = {plugin.name: plugin for plugin in find_plugins()}
    own = [plugin.name for plugin in installed.values() if plugin.distribution == PROJECT]
    beside = [name for name in own if not refusal(name, os.environ)]
    named = named_of(names, installed)
    folders = named.folders or (BUILTIN_FOLDER,)
    try:
        for folder in folders:
            remove_compiled(folder)
        library = RecordingLibrary()
        sweep(library, sorted(set(named.plugins if names else own)), beside, progress, named.games)
        variants = library.distinct(completed(library.requests))
        if names:
            variants = [variant for folder in folders for variant in _of_folder(variants, folder)]
        _compile_all(library, variants)
        return [
            _write(folder, library, variants if folder == BUILTIN_FOLDER else _of_folder(variants, folder))
            for folder in folders
        ]
    except OSError as error:
        raise UsageError(f"cannot write compiled shaders: {error}", hint="make the folder writable") from error


def _of_folder(variants: Iterable[ShaderRequest], folder: Path) -> list[ShaderRequest]:
    """The variants of a plugin's own shaders, and those with a part in the folder."""
    return [
        variant
        for variant in variants
        if str(folder) in variant.search or any(Path(part.file).is_relative_to(folder) for part in variant.parts)
    ]


def _compile_all(library: RecordingLibrary, variants: Sequence[ShaderRequest]) -> None:
    for variant, module in library.load(variants).items():
        if isinstance(module, ShaderError):
            _log.warning("a variant of %s that no node has requested is left out: %s", variant.file, module)


def _write(folder: Path, library: RecordingLibrary, variants: Sequence[ShaderRequest]) -> Precompiled:
    variants_of = {portable_key(library.source(variant)): variant for variant in variants}
    shaders = {key: without_source(library.spirv[key]) for key in sorted(variants_of) if key in library.spirv}
    write_compiled(folder, shaders)
    if find_spirv_cross() is None:
        _log.warning("the shaders are not translated for OpenGL, because spirv-cross is not installed")
    else:
        for key, spirv in shaders.items():
            module = reflect(spirv, variants_of[key].stage, variants_of[key].file, key)
            if not is_beyond_opengl(module):
                write_translation(folder, module)
    return Precompiled(folder, len(shaders), len(variants_of) - len(shaders))
