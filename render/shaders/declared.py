"""Where a shader declares a name, for messages."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from renderwright.render.errors import SourceLocation
from renderwright.render.shaders.expanded_text import without_comments
from renderwright.render.shaders.module import ShaderModule

_DECLARATION = r"\b(?:uniform|buffer)\b[^;{{}}]*?\b{name}\b|\b(?:uniform|buffer)\b[^;{{}}]*\{{[^{{}}]*\}}\s*{name}\b"
"""A texture, an image or a block by its own name; a block by that of its variable."""


def declared_at(file: str, name: str) -> SourceLocation:
    """The line of a shader's file that declares a binding; the file alone if an included one does, or there is none."""
    try:
        text = Path(file).read_text(encoding="utf-8", errors="replace")
    except OSError:
        return SourceLocation(file)
    found = re.search(_DECLARATION.format(name=re.escape(name)), without_comments(text))
    return SourceLocation(file, text.count("\n", 0, found.start()) + 1 if found else 0)


@dataclass(frozen=True)
class Declarations:
    """The declarations of a binding in the shaders' ``files``. As a text these are the files with their lines,
    which are looked up for a message only."""

    name: str
    files: tuple[str, ...]

    @classmethod
    def of(cls, name: str, modules: Sequence[ShaderModule]) -> Declarations:
        """Those of the modules that declare the binding."""
        return cls(name, tuple(module.file for module in modules if name in {own.name for own in module.bindings}))

    def __str__(self) -> str:
        return ", ".join(str(declared_at(file, self.name)) for file in self.files)
