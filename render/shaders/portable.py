"""Shaders that travel compiled: SPIR-V in a folder ``compiled`` beside GLSL files, which needs no compiler.

A file is found by its *portable key*: the hash of the stage, the compiler's options and the *portable text*, which is
the expanded text without the parts that differ between installations and do not change the code. The version of the
compiler is not part of the key. A changed shader has another key, so compiled files are never stale, only missing.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence, Set
from pathlib import Path, PurePosixPath

from renderwright.render.disk_cache import read_checked, write_checked
from renderwright.render.shaders.compiler import COMPILED_FOLDER, ShaderSource
from renderwright.render.shaders.glslc import OPTIONS

TRANSLATED_SUFFIX = ".glsl"
"""The suffix of translations (``renderwright.render.shaders.translation``), which lie in the same folders."""

_SUFFIX = ".spv"
_MAGIC = b"FWSPIRV1"
_KEY_LENGTH = 40
_LINE_DIRECTIVE = re.compile(r'#line (?P<line>\d+) "(?P<file>[^"]*)"')
_DEFINE = re.compile(r"#define (?P<name>[A-Za-z_]\w*) ")
_WORD = re.compile(r"[A-Za-z_]\w*")


def portable_text(text: str) -> str:
    """An expanded text (``includes.expand``) without folders in ``#line`` and without defines that it never mentions.

    The defines are those of the request, before the first ``#line``. All stay if the text pastes tokens (``##``).
    """
    lines = text.splitlines()
    first = next((number for number, line in enumerate(lines) if _LINE_DIRECTIVE.fullmatch(line)), len(lines))
    header, body = lines[:first], [_without_folder(line) for line in lines[first:]]
    if "##" not in text and any(_DEFINE.match(line) for line in header):
        header = _without_unused(header, set(_WORD.findall(text, text.find("\n#line"))))
    return "\n".join([*header, *body, ""])


def _without_unused(header: Sequence[str], words: Set[str]) -> list[str]:
    """The lines without defines whose names are neither among the words that follow nor in another line."""
    own = Counter(_WORD.findall("\n".join(header)))
    defined = [(line, _DEFINE.match(line)) for line in header]
    return [line for line, name in defined if not name or name["name"] in words or own[name["name"]] > 1]


def _without_folder(line: str) -> str:
    directive = _LINE_DIRECTIVE.fullmatch(line) if line.startswith("#line") else None
    return f'#line {directive["line"]} "{PurePosixPath(directive["file"]).name}"' if directive else line


def mentioned(text: str, names: Iterable[str]) -> list[str]:
    """The names, of defines of a request, that its expanded text mentions; all if the text pastes tokens (``##``)."""
    if "##" in text:
        return list(names)
    words = set(_WORD.findall(text, text.find("#line")))
    return [name for name in names if name in words]


def portable_key(source: ShaderSource) -> str:
    """The key of a shader that is the same on every machine."""
    parts = ("portable", *OPTIONS, source.stage.value, portable_text(source.text))
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:_KEY_LENGTH]


def find_compiled(source: ShaderSource, folders: Iterable[Path]) -> tuple[str, bytes] | None:
    """The key and SPIR-V of a shader from ``compiled`` in one of the folders of GLSL, or None."""
    present = [compiled for folder in folders if (compiled := folder / COMPILED_FOLDER).is_dir()]
    if not present:
        return None
    key = portable_key(source)
    for folder in present:
        path = folder / (key + _SUFFIX)
        spirv = read_checked(path, _MAGIC, mark_used=False) if path.is_file() else None
        if spirv is not None:
            return key, spirv
    return None


def write_compiled(folder: Path, shaders: Mapping[str, bytes]) -> None:
    """Replace the contents of ``compiled`` in a folder of GLSL by SPIR-V, by portable key.

    Raises ``OSError`` if the folder is not writable.
    """
    compiled = folder / COMPILED_FOLDER
    remove_compiled(folder)
    if shaders:
        compiled.mkdir(exist_ok=True)
    for key, spirv in shaders.items():
        write_checked(compiled / (key + _SUFFIX), _MAGIC, spirv)


def remove_compiled(folder: Path) -> None:
    """Remove all SPIR-V and its translations from ``compiled`` in a folder of GLSL.

    Raises ``OSError`` if that is not allowed.
    """
    for suffix in (_SUFFIX, TRANSLATED_SUFFIX):
        for path in (folder / COMPILED_FOLDER).glob(f"*{suffix}"):
            path.unlink()


def count_compiled(folder: Path) -> int:
    """The number of shaders in ``compiled`` in a folder of GLSL."""
    return sum(1 for _ in (folder / COMPILED_FOLDER).glob(f"*{_SUFFIX}"))
