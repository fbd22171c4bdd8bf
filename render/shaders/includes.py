"""Expansion of ``#include`` in GLSL before compilation.

Include guards make each file take effect once; an include in an untaken ``#if`` does not hide a later one. ``#line``
directives keep the compiler's messages at the original files and lines. ``#include NAME`` is the place of a part that
the shader may have (``ShaderPart``); without one of that name it stands for nothing. A part declares no inputs, outputs
and resources, which are the shader's.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from renderwright.render.errors import ShaderError, SourceLocation
from renderwright.render.files import is_installed
from renderwright.render.shaders.cut_text import CutText, cut
from renderwright.render.shaders.source_files import SourceFiles
from renderwright.render.suggest import nearest_file
from renderwright.render.types.shader_parts import ShaderPart

MAX_DEPTH = 32
"""The most nested includes."""

MAX_EXPANSIONS = 1024
"""The most texts inserted into one shader; only conditional includes can repeat a file's text."""

_INCLUDE = re.compile(
    r'\s*#\s*include\b\s*(?:"(?P<quoted>[^"]+)"|<(?P<angled>[^>]+)>|(?P<part>[A-Z]\w*)\s*(?://.*)?$)?'
)
_IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")
_HEADER = "#extension GL_GOOGLE_cpp_style_line_directive : enable"
_SUFFIXES = (".glsl", ".vert", ".frag", ".comp")


@dataclass(frozen=True)
class ExpandedSource:
    """A shader's text with includes expanded, and all source files, the root first."""

    text: str
    files: tuple[Path, ...]


def expand(
    file: Path,
    search_paths: Sequence[Path],
    defines: Sequence[tuple[str, str]] = (),
    files: SourceFiles | None = None,
    parts: Sequence[ShaderPart] = (),
) -> ExpandedSource:
    """The text of ``file`` with includes and ``defines`` expanded, ready for the compiler; ``files`` reads them (None:
    from the disk). A shader that names none of the ``parts`` is the same without them.

    A quoted include is searched next to the including file, then in ``search_paths`` in order; one in angle brackets in
    ``search_paths`` only. A root file without ``#version`` gets ``#version 450``.

    Raises:
        ShaderError: a file is missing or unreadable, an include is malformed, a define has no valid name, or the
            includes nest too deep.
    """
    expander = _Expander(tuple(search_paths), files or SourceFiles(), parts)
    body, version = expander.expand_root(file)
    header = [version or "#version 450", _HEADER]
    header += [_define(name, value, file) for name, value in defines]
    named = [part.name for part in parts if part.name in expander.placed or _mentions(body, part.name)]
    header += [_define(name, "1", file) for name in named]
    return ExpandedSource("\n".join([*header, *body, ""]), tuple(expander.numbers))


def find_file(name: str, folders: Sequence[Path], files: SourceFiles) -> Path | None:
    """The first existing ``folder / name``."""
    return next((path for folder in folders if files.exists(path := folder / name)), None)


def missing_file_hint(name: str, folders: Sequence[Path]) -> str:
    """The hint for a missing shader file: the most similar name, and the searched folders.

    A wheel has no files but Python unless its project lists them.
    """
    known = {
        path.name for folder in folders if folder.is_dir() for path in folder.iterdir() if path.suffix in _SUFFIXES
    }
    searched = ", ".join(dict.fromkeys(_in_words(folder) for folder in folders)) or "no folder"
    near = nearest_file(Path(name).name, known)
    advice = f'did you mean "{near}"?' if near else "add the file, or correct the name"
    packed = any(is_installed(folder) for folder in folders)
    package_data = "; a wheel has the shaders that package-data of its pyproject.toml names" if packed else ""
    return f"{advice} (searched: {searched}){package_data}"


def _in_words(folder: Path) -> str:
    return str(folder) if folder.is_dir() else f"{folder}, which does not exist"


def _define(name: str, value: str, file: Path) -> str:
    if not _IDENTIFIER.match(name):
        raise ShaderError(
            f'"{name}" is not a name for a define',
            hint="use letters, digits and underscores, and no digit at the start",
            where=SourceLocation(str(file)),
        )
    if "\n" in value or "\r" in value:
        raise ShaderError(
            f'the value of the define "{name}" has more than one line',
            hint="put the text into a file and #include it",
            where=SourceLocation(str(file)),
        )
    return f"#define {name} {value}"


def _mentions(lines: Sequence[str], name: str) -> bool:
    word = re.compile(rf"\b{re.escape(name)}\b")
    return any(name in line and word.search(line) for line in lines)


def _line_directive(line: int, file: Path) -> str:
    return f'#line {line} "{file.as_posix()}"'


def _layout_of_a_part(file: Path, line: int) -> ShaderError:
    return ShaderError(
        "a part of a shader declares an input, an output or a resource",
        hint="leave the layout(...) out: a part has what the shader gives it",
        where=SourceLocation(str(file), line),
    )


def _around(text: str, file: Path) -> list[str]:
    """The lines of a text that is generated for a file."""
    return [f'#line 1 "generated for {file.name}"', *text.splitlines()] if text else []


class _Expander:
    """The state of one expansion: a number for each included file, and the files that are included unconditionally."""

    def __init__(self, search_paths: tuple[Path, ...], files: SourceFiles, parts: Sequence[ShaderPart]) -> None:
        self.search_paths = search_paths
        self.files = files
        self.parts = {part.name: part for part in parts}
        self.placed: set[str] = set()
        self.inside_part = False
        self.numbers: dict[Path, int] = {}
        self.unconditional: set[Path] = set()
        self.expansions = 0

    def expand_root(self, file: Path) -> tuple[list[str], str]:
        """The lines of the root file and the ``#version`` line it had, or ''."""
        text = cut(self._read(file, SourceLocation(str(file))))
        self.numbers[self._identity(file)] = 0
        return self._expand(file, text, (self._identity(file),), conditional=False), text.version

    def _expand(self, file: Path, text: CutText, stack: tuple[Path, ...], conditional: bool) -> list[str]:
        lines = [_line_directive(1, file)]
        for piece in text.pieces:
            if self.inside_part and piece.layout:
                raise _layout_of_a_part(file, piece.layout)
            lines += piece.lines
            if piece.include:
                where = SourceLocation(str(file), piece.number)
                included = self._include(piece.include, file, stack, conditional or piece.conditional, where)
                lines += [*included, _line_directive(piece.number + 1, file)] if included else [""]
        return lines

    def _include(
        self, line: str, file: Path, stack: tuple[Path, ...], conditional: bool, where: SourceLocation
    ) -> list[str]:
        match = _INCLUDE.match(line)
        part = None
        if match and match["part"]:
            part = self.parts.get(match["part"])
            if part is None:
                return []
            self.placed.add(part.name)
        path = Path(part.file) if part else self._resolve(line, file, where)
        identity = self._identity(path)
        if identity in self.unconditional or identity in stack:
            return []
        self.expansions += 1
        if len(stack) > MAX_DEPTH or self.expansions > MAX_EXPANSIONS:
            chain = " -> ".join(part.name for part in (*stack[:3], identity))
            raise ShaderError(
                f"includes nest too deep or repeat too often ({chain} ...)",
                hint=f"at most {MAX_DEPTH} deep and {MAX_EXPANSIONS} in all; include fewer files conditionally",
                where=where,
            )
        number = self.numbers.setdefault(identity, len(self.numbers))
        if not conditional:
            self.unconditional.add(identity)
        guard = f"RENDERWRIGHT_INCLUDED_{number}"
        outside = not self.inside_part
        self.inside_part |= part is not None
        body = self._expand(path, cut(self._read(path, where)), (*stack, identity), conditional)
        if part is not None:
            self.inside_part = not outside
            body = [*_around(part.before, path), *body, *_around(part.after, path)]
        return [f"#ifndef {guard}", f"#define {guard}", *body, "#endif"]

    def _resolve(self, line: str, file: Path, where: SourceLocation) -> Path:
        match = _INCLUDE.match(line)
        name = match and (match["quoted"] or match["angled"])
        if not match or not name:
            raise ShaderError(
                f"`{line.strip()}` names no file",
                hint='write #include "file.glsl", or <file.glsl> for one that does not lie beside this file',
                where=where,
            )
        folders = (file.parent, *self.search_paths) if match["quoted"] else self.search_paths
        path = find_file(name, folders, self.files)
        if path is None:
            raise ShaderError(
                f'the include "{name}" does not exist', hint=missing_file_hint(name, folders), where=where
            )
        return path

    @staticmethod
    def _identity(path: Path) -> Path:
        return path.resolve()

    def _read(self, path: Path, where: SourceLocation) -> str:
        try:
            return self.files.read(path)
        except OSError as error:
            raise ShaderError(
                f"cannot read the shader file {path}: {error.strerror or error}",
                hint="check that the file exists and is readable",
                where=where,
            ) from error
