"""Where a shader declares a name, for messages."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from renderwright.render.errors import SourceLocation
from renderwright.render.shaders.expanded_text import without_comments
from renderwright.render.shaders.module import ShaderModule
from renderwright.render.types.usages import ShaderStage

_BINDING = r"\b(?:uniform|buffer)\b[^;{{}}]*?\b{name}\b|\b(?:uniform|buffer)\b[^;{{}}]*\{{[^{{}}]*\}}\s*{name}\b"
"""A texture, an image or a block by its own name; a block by that of its variable."""
_PASSED = r"\b(?:in|out)\b[^;{{}}(),]*(?:\{{[^{{}}]*\}}\s*)?\b{name}\b\s*(?:\[[^\]]*\]\s*)*;"
"""An input or output of the stage, also a block. A parameter of a function ends with a comma or a bracket."""
_OUTPUT = r"\blayout\s*\(\s*location\s*=\s*{name}\s*\)\s*out\b"
"""An output by its location."""
_INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*["<](?P<name>[^">\n]+)[">]', re.MULTILINE)


def declared_at(file: str, name: str, included: Sequence[str] = ()) -> SourceLocation:
    """The line that declares a binding, in a shader's file or in one of those ``included`` that lies beside it.

    Of a file elsewhere, which the author may not know, it is the line that includes it. If there is none, it is the
    shader's file alone.
    """
    return _line(_BINDING, file, name, included)


def passed_at(file: str, name: str, included: Sequence[str] = ()) -> SourceLocation:
    """Like ``declared_at``, of an input or output of the shader's stage."""
    return _line(_PASSED, file, name, included)


def output_at(file: str, location: int, included: Sequence[str] = ()) -> SourceLocation:
    """Like ``declared_at``, of an output of a full-screen shader, which has no variable where it computes."""
    return _line(_OUTPUT, file, str(location), included)


class DeclaringShader(NamedTuple):
    """A shader with a declaration: its stage, its file, and those that it includes."""

    stage: ShaderStage
    file: str
    included: tuple[str, ...]


@dataclass(frozen=True)
class Declarations:
    """The declarations of a binding in ``shaders``. As a text these are the files with their lines, which are looked up
    for a message only."""

    name: str
    shaders: tuple[DeclaringShader, ...]

    @classmethod
    def of(cls, name: str, modules: Sequence[ShaderModule]) -> Declarations:
        """Those of the modules that declare the binding."""
        declaring = [module for module in modules if name in {own.name for own in module.bindings}]
        return cls(name, tuple([DeclaringShader(module.stage, module.file, module.included) for module in declaring]))

    def __str__(self) -> str:
        return ", ".join(str(declared_at(shader.file, self.name, shader.included)) for shader in self.shaders)


def _line(declaration: str, file: str, name: str, included: Sequence[str]) -> SourceLocation:
    if not name:
        return SourceLocation(file)
    pattern = re.compile(declaration.format(name=re.escape(name)))
    return _place(pattern, file, included, Path(file).resolve().parent, set()) or SourceLocation(file)


def _place(
    pattern: re.Pattern[str], file: str, included: Sequence[str], folder: Path, seen: set[str]
) -> SourceLocation | None:
    """The line of a declaration in a file or in one that it includes; None if it is in none of them."""
    seen.add(file)
    text = _text(file)
    if own := pattern.search(text):
        return SourceLocation(file, _number(text, own))
    for include in _INCLUDE.finditer(text):
        inner = next((each for each in included if Path(each).name == Path(include["name"]).name), None)
        place = _place(pattern, inner, included, folder, seen) if inner is not None and inner not in seen else None
        if place is not None:
            return (
                place
                if Path(place.file).resolve().is_relative_to(folder)
                else SourceLocation(file, _number(text, include))
            )
    return None


def _number(text: str, found: re.Match[str]) -> int:
    """The number of the line where a match begins."""
    return text.count("\n", 0, found.start()) + 1


def _text(file: str) -> str:
    """The text of a file without comments; '' if it cannot be read."""
    try:
        return without_comments(Path(file).read_text(encoding="utf-8", errors="replace"))
    except OSError:
        return ""
