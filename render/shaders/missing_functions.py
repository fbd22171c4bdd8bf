"""Errors of shaders that lack a function: ``main``, or the one that a part of a shader has to define."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from renderwright.render.errors import ShaderError, SourceLocation
from renderwright.render.suggest import nearest
from renderwright.render.types.shader_parts import ShaderPart

NO_MAIN = "Missing entry point"
"""What the compiler says of a shader without ``main``."""

_NO_BODY = "No function definition (body) found: {}("
# Neither a statement, such as `return level(x)` and `else if (`, nor a prototype, which ends without a body.
_FUNCTION = re.compile(r"[ \t]*(?!return\b|else\b)\w+[ \t]+(?P<name>\w+)[ \t]*\((?![^{]*;)")
_NAME = re.compile(r"(?P<name>\w+)\s*\(")


def no_main(file: str, text: str, what: str) -> ShaderError:
    """The error of a shader without ``main``. ``text`` is its GLSL, ``what`` its name in messages."""
    near, line = _near("main", _lines(file, text))
    hint = "every shader has this function"
    if near == "main":
        hint += "; a condition (#if) or a comment hides it here"
    elif near:
        hint += f'; rename "{near}"'
    else:
        hint += ": define void main() { ... }"
    message = f"{what} does not compile: void main() is missing"
    return ShaderError(message, hint=hint, where=SourceLocation(file, line))


def of_part(error: ShaderError, parts: Sequence[ShaderPart]) -> ShaderError:
    """The error of a shader, in words of its own if a part does not define the function that the shader calls."""
    for part in parts:
        found = _NAME.search(part.function)
        if found is None or _NO_BODY.format(found["name"]) not in error.message:
            continue
        name = found["name"]
        near, line = _near(name, _lines(part.file, ""))
        what = f"{name} has other arguments" if near == name else f"{name} is missing"
        return ShaderError(
            f"{Path(part.file).name}: {what}",
            hint=f"define `{part.function}`" + (f' instead of "{near}"' if near and near != name else ""),
            where=SourceLocation(part.file, line),
        )
    return error


def _near(name: str, lines: Sequence[str]) -> tuple[str, int]:
    """The function with that name, or with the one that is most alike, and its line; '' and 0 if there is none."""
    defined = dict(_functions(lines))
    near = name if name in defined else nearest(name, defined)
    return near, defined.get(near, 0)


def _functions(lines: Sequence[str]) -> Iterator[tuple[str, int]]:
    for number, line in enumerate(lines, 1):
        found = _FUNCTION.match(line)
        if found:
            yield found["name"], number


def _lines(file: str, text: str) -> list[str]:
    try:
        return Path(file).read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return text.splitlines()
