"""The declarations of inputs and outputs that a full-screen shader may have, and the faults of others."""

from __future__ import annotations

import re

from renderwright.render.errors import ShaderError
from renderwright.render.shaders.expanded_text import author_place, blanked

INTERFACE = re.compile(
    r"\blayout\s*\(\s*location\s*=\s*(?P<location>\d+)\s*\)\s*(?P<direction>in|out)\s+"
    r"(?:(?:highp|mediump|lowp)\s+)?(?P<type>\w+)\s+(?P<name>\w+)\s*;"
)
"""A declaration that a full-screen shader may have."""

_KEYWORD = re.compile(r"\b(?:in|out|flat|smooth|noperspective|centroid|sample)\b")
_MACRO = re.compile(r"^[ \t]*#[ \t]*define\b[^\n]*\blayout\b[^\n]*\b(?:in|out)\b", re.MULTILINE)
_DIRECTIVE = re.compile(r"^[ \t]*#[^\n]*", re.MULTILINE)
_LAYOUT = re.compile(r"layout\s*\((?P<fields>[^)]*)\)")
_LOCATION = re.compile(r"\blocation\s*=\s*(?P<value>[^,)]*)")
_INTERPOLATION = re.compile(r"\b(?:flat|smooth|noperspective|centroid|sample)\b")
_HINT = "write layout(location = 0) in vec2 uv; and layout(location = N) out vec4 name; each on its own"


def check_interface(text: str, code: str) -> None:
    """Raise ``ShaderError`` for an input or output that is not of the form of ``INTERFACE``.

    ``text`` is an expanded text, and ``code`` the same without comments.
    """
    macro = _MACRO.search(code)
    if macro is not None:
        raise _error(text, macro.start(), " ".join(macro[0].split()), "it is in a macro")
    others = _DIRECTIVE.sub(blanked, INTERFACE.sub(blanked, code))
    for keyword in _KEYWORD.finditer(others):
        if _is_global(others, keyword.start()):
            start = 1 + max(others.rfind(mark, 0, keyword.start()) for mark in ";{}")
            end = re.compile(r"[;{]|\Z").search(others, keyword.end())
            assert end is not None
            declaration = others[start : end.start()]
            start += len(declaration) - len(declaration.lstrip())
            declaration = " ".join(declaration.split())
            raise _error(text, start, declaration, "it is a block" if end[0] == "{" else _fault(declaration))


def _error(text: str, position: int, declaration: str, fault: str) -> ShaderError:
    return ShaderError(
        f"a full-screen shader cannot have `{declaration}`: {fault}",
        hint=_HINT,
        where=author_place(text, position),
    )


def _fault(declaration: str) -> str:
    """What is wrong with a declaration of one input or output."""
    layout = _LAYOUT.search(declaration)
    fields = layout["fields"] if layout else ""
    names = _LAYOUT.sub(" ", declaration)
    if names.split() in (["in"], ["out"]):
        return "it is for shaders that draw, or for those that compute"
    location = _LOCATION.search(fields)
    if location is None:
        return "it has no location"
    if not location["value"].strip().isdecimal():
        return "its location is not a number"
    interpolation = _INTERPOLATION.search(names)
    if interpolation is not None:
        return f"it has the qualifier `{interpolation[0]}`"
    if "," in fields:
        return "its layout has more than a location"
    if "[" in names:
        return "it is an array"
    if "," in names:
        return "it declares several names"
    return "it has another form"


def _is_global(code: str, position: int) -> bool:
    """Whether a place is outside of all functions, blocks and parameter lists."""
    return all(code.count(opened, 0, position) == code.count(closed, 0, position) for opened, closed in ("()", "{}"))
