"""Converts the compiler's messages to one error that shows the source line."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from renderwright.render.errors import ShaderError, SourceLocation
from renderwright.render.shaders.glslc import FAILED
from renderwright.render.shaders.missing_functions import NO_MAIN, no_main
from renderwright.render.shaders.text_before import NO_ENDIF, included_before, unclosed_condition

_MESSAGE = re.compile(
    r"(?P<file>.+?):(?:(?P<line>\d+):)?(?:(?P<column>\d+):)? (?P<severity>error|warning|note): (?P<message>.*)"
)
_TOTAL = re.compile(r"\d+ (errors?|warnings?)( and \d+ errors?)? generated\.")
_QUOTED = re.compile(r"'(?P<token>[A-Za-z_]\w*)'")
_OF_VIEWS = re.compile(r"\b(sampler2DView|texture_of_view|texel_of_view)\b")
_VIEWS_INCLUDED = re.compile(r"^\s*#\s*(include\s*[<\"]views\.glsl|define\s+sampler2DView)", re.MULTILINE)
"""Includes may be expanded by then."""
_NO_OVERLOAD = "no matching overloaded function"
_READ_OF_VIEW = re.compile(r"\b(?P<function>texture_of_view|texel_of_view|texel_or_constant)\s*\(\s*(?P<texture>\w+)")
_PLAIN_READ = re.compile(r"\b(?P<function>texture|textureLod|texelFetch)\s*\(\s*(?P<texture>\w+)")
_MAX_SHOWN = 8


@dataclass(frozen=True)
class Diagnostic:
    """A message of the compiler; line and column are 0 if unknown."""

    file: str
    line: int
    column: int
    severity: str
    message: str


def parse_diagnostics(output: str) -> tuple[Diagnostic, ...]:
    """The distinct messages in the output of ``glslc``, in order."""
    found: list[Diagnostic] = []
    for text in output.splitlines():
        match = _MESSAGE.fullmatch(text)
        if match:
            position = int(match["line"] or 0), int(match["column"] or 0)
            found.append(Diagnostic(match["file"], *position, match["severity"], match["message"].strip()))
        elif found and text.startswith(f"{found[-1].file}:"):
            # A link error continues in the next lines, each after the file's name.
            more = text[len(found[-1].file) + 1 :].strip()
            found[-1] = replace(found[-1], message=f"{found[-1].message} {more}")
        elif text.strip() and not _TOTAL.fullmatch(text):
            found.append(Diagnostic("", 0, 0, "error", text.strip()))
    return tuple(dict.fromkeys(found))


def compile_error(file: str, text: str, node: str, output: str, compiled_as: str) -> ShaderError:
    """The error of a shader that ``glslc`` rejected.

    ``file`` and ``text`` are the shader, ``node`` is the node that uses it (or ''). ``output`` is the compiler's
    output, which names the temporary file ``compiled_as`` in place of ``file``.
    """
    diagnostics = [
        replace(found, file=file) if found.file in ("", compiled_as) else found for found in parse_diagnostics(output)
    ]
    errors = [found for found in diagnostics if found.severity == "error"] or diagnostics
    if not errors:
        errors = [Diagnostic(file, 0, 0, "error", "the compiler gave no reason")]
    first = errors[0]
    if NO_MAIN in first.message:
        return no_main(file, text, owner(file, node))
    if NO_ENDIF in first.message and (opened := unclosed_condition(text)):
        first = replace(first, file=opened.file, line=opened.line, message="this #if has no #endif")
    own_lines = text.splitlines()
    message = [f"{owner(file, node)} does not compile: {first.message}", *excerpt(first, file, own_lines)]
    shown = {(first.file, first.line)}
    for found in errors[1:_MAX_SHOWN]:
        message.append(f"{SourceLocation(found.file, found.line)}: {found.message}")
        if (found.file, found.line) not in shown:
            shown.add((found.file, found.line))
            message += excerpt(found, file, own_lines)
    if len(errors) > _MAX_SHOWN:
        message.append(f"and {len(errors) - _MAX_SHOWN} more")
    where = SourceLocation(first.file, first.line, first.column)
    hint = (
        _missing_views(first, file, text)
        or _of_views(first, file, text)
        or _behind_an_include(first)
        or _hint(first.message)
    )
    return ShaderError("\n".join(message), hint=hint, where=where)


def owner(file: str, node: str) -> str:
    """The name of a shader in messages: its file, and the node that uses it if known."""
    return f'shader {Path(file).name} of node "{node}"' if node else f"shader {Path(file).name}"


def excerpt(found: Diagnostic, file: str, own_lines: list[str]) -> Iterator[str]:
    """The source line of the message, with a caret below the column if known."""
    if not found.line:
        return
    line = _line_of(found, file, own_lines)
    if not line.strip():
        return
    column = found.column or _column_of_token(line, found.message)
    number = str(found.line)
    yield f"    {number} | {line}"
    if column:
        # Keep tabs, so that the caret is below its character at any tab width.
        indent = "".join("\t" if character == "\t" else " " for character in line[: column - 1])
        yield f"    {' ' * len(number)} | {indent}^"


def _line_of(found: Diagnostic, file: str, own_lines: list[str]) -> str:
    try:
        lines = Path(found.file).read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        lines = own_lines if found.file == file else []
    return lines[found.line - 1] if found.line <= len(lines) else ""


def _column_of_token(line: str, message: str) -> int:
    """The column of the name that the message quotes, if the line contains it exactly once; else 0."""
    quoted = _QUOTED.search(message)
    if not quoted:
        return 0
    places = [match.start() + 1 for match in re.finditer(rf"\b{re.escape(quoted['token'])}\b", line)]
    return places[0] if len(places) == 1 else 0


def _missing_views(found: Diagnostic, file: str, text: str) -> str:
    """What to include if the line of a message has a name of views.glsl, which the shader does not include; else ''."""
    used = _OF_VIEWS.search(_line_of(found, file, text.splitlines()))
    if used is None or _VIEWS_INCLUDED.search(text):
        return ""
    return f'{used[0]} is of the engine: #include "views.glsl" first'


def _of_views(found: Diagnostic, file: str, text: str) -> str:
    """What to declare, or to call, where several views are drawn at once and the line of a message reads a texture as
    if it were another type than the shader declares; else ''."""
    line = _line_of(found, file, text.splitlines()) if _NO_OVERLOAD in found.message else ""
    for read in _READ_OF_VIEW.finditer(line):
        if re.search(rf"\bsampler2D\s+{read['texture']}\b", text):
            return f"declare {read['texture']} as sampler2DView: {read['function']} reads no sampler2D of several views"
    for read in _PLAIN_READ.finditer(line):
        if re.search(rf"\bsampler2DView\s+{read['texture']}\b", text):
            instead = "texel_of_view" if read["function"] == "texelFetch" else "texture_of_view"
            arguments = "texel, mip" if read["function"] == "texelFetch" else "uv"
            return (
                f"read a sampler2DView by {instead}({read['texture']}, {arguments}): it may have a layer for each view"
            )
    return ""


def _behind_an_include(found: Diagnostic) -> str:
    """The hint for a syntax error in the first code behind an include, whose file may end too early; else ''."""
    before = included_before(found.file, found.line) if "syntax error" in found.message else ""
    return f"correct the GLSL here or at the end of {before}, which is included right before" if before else ""


def _hint(message: str) -> str:
    if message.startswith(FAILED):
        return (
            "that is a defect of glslc: leave out statements until it compiles, and write the one that it crashes on "
            "in another way, or install a newer glslc"
        )
    if "undeclared identifier" in message:
        return "declare it before its use, or #include the file that does"
    if _NO_OVERLOAD in message:
        return (
            "check the number and the types of its arguments: a sampler2D takes a vec2, a sampler2DArray or "
            "samplerCube a vec3; declare or #include a function of your own before its use"
        )
    if "#include" in message or "'#error'" in message:
        return "the shader reports a missing define or include; check the node's defines"
    return "correct the GLSL; play --reload compiles it again as soon as it is saved"
