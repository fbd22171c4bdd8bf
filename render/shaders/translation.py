"""SPIR-V to OpenGL's GLSL 450 with ``spirv-cross``: a process for each module that is neither in the cache nor comes
translated.

A translation is found by the hash of the SPIR-V, so it is never stale, only missing.
"""

from __future__ import annotations

import hashlib
import re
import shutil
import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path

from renderwright.render.disk_cache import cache_folder, prune_at_times, read_checked, write_checked
from renderwright.render.errors import MissingToolError, ShaderError, SourceLocation
from renderwright.render.shaders.beyond_opengl import require_opengl
from renderwright.render.shaders.cache import MOST_BYTES
from renderwright.render.shaders.compiler import COMPILED_FOLDER
from renderwright.render.shaders.library import BUILTIN_FOLDER
from renderwright.render.shaders.module import ShaderModule
from renderwright.render.shaders.opengl_words import opengl_words
from renderwright.render.shaders.portable import TRANSLATED_SUFFIX
from renderwright.render.shaders.spirv import SpirvError

OPTIONS = ("--version", "450", "--no-es")
RULES = "1"
"""Part of every key; another one after a change of ``opengl_words``."""

_MAGIC = b"FWGLSL01"
_KEY_LENGTH = 40
_SECONDS = 10.0
_PREFIX = "SPIRV-Cross threw an exception: "
_BINDING = re.compile(r"\bbinding = (\d+)")


def find_spirv_cross() -> Path | None:
    """The translator on the PATH, or None."""
    found = shutil.which("spirv-cross")
    return Path(found) if found else None


def translation_key(spirv: bytes) -> str:
    """The hash of all inputs of a translation."""
    parts = (RULES, *OPTIONS, hashlib.sha256(spirv).hexdigest())
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:_KEY_LENGTH]


def with_units(glsl: str, units: Mapping[int, int]) -> str:
    """The translation with the unit of each place (``opengl_words.place_of``) in its binding qualifiers."""
    return _BINDING.sub(lambda found: f"binding = {units[int(found[1])]}", glsl)


class Translations:
    """Translated modules, in memory and in a folder of the user's cache.

    ``folder`` None is the default one. Several threads may translate at once. Modules that come compiled come
    translated, too: beside their own file, or beside the renderer's own shaders.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder or cache_folder("translations")
        self._pruned = False

    def get(self, module: ShaderModule) -> str:
        """The GLSL of a module, whose bindings have the numbers of their places.

        Raises ``MissingToolError`` if it has to be translated and ``spirv-cross`` is not installed, and ``ShaderError``
        if it cannot be translated.
        """
        key = translation_key(module.spirv)
        own = self._folder / (key + TRANSLATED_SUFFIX)
        shipped = [folder / COMPILED_FOLDER / own.name for folder in (Path(module.file).parent, BUILTIN_FOLDER)]
        for path in (*shipped, own):
            known = read_checked(path, _MAGIC, mark_used=path is own) if path.is_file() else None
            if known is not None:
                return known.decode()
        glsl = translate(module)
        if not self._pruned:
            self._pruned = True
            prune_at_times(self._folder, MOST_BYTES)
        write_checked(own, _MAGIC, glsl.encode())
        return glsl


def write_translation(folder: Path, module: ShaderModule) -> None:
    """Translate a module into ``compiled`` in a folder of GLSL. Raises as ``Translations.get``."""
    path = folder / COMPILED_FOLDER / (translation_key(module.spirv) + TRANSLATED_SUFFIX)
    write_checked(path, _MAGIC, translate(module).encode())


def translate(module: ShaderModule) -> str:
    """The GLSL of a module, by a run of ``spirv-cross``. Raises as ``Translations.get``."""
    try:
        require_opengl(module)
        code = opengl_words(module.spirv, module.push_members)
    except SpirvError as error:
        raise _rejected(module, str(error)) from error
    tool = find_spirv_cross()
    if tool is None:
        raise MissingToolError(
            f"{module.file} does not come translated to OpenGL's GLSL, and the translator spirv-cross is not installed",
            hint="on Debian or Ubuntu: sudo apt install spirv-cross",
        )
    with tempfile.TemporaryDirectory(prefix="renderwright-") as folder:
        path = Path(folder) / "code.spv"
        path.write_bytes(code)
        try:
            finished = subprocess.run(
                [str(tool), str(path), *OPTIONS],
                capture_output=True,
                text=True,
                errors="replace",
                check=False,
                timeout=_SECONDS,
            )
        except subprocess.TimeoutExpired:
            raise _rejected(module, f"spirv-cross took over {_SECONDS:.0f} s") from None
        except OSError as error:
            raise _rejected(module, f"cannot run spirv-cross: {error.strerror or error}") from error
    if finished.returncode != 0:
        reason = (finished.stderr or finished.stdout).strip().removeprefix(_PREFIX)
        raise _rejected(module, reason or f"code {finished.returncode}")
    return finished.stdout


def _rejected(module: ShaderModule, reason: str) -> ShaderError:
    return ShaderError(
        f"{module.file} cannot be translated to OpenGL's GLSL: {reason}",
        hint="change the GLSL, or play with --backend vulkan",
        where=SourceLocation(module.file),
    )
