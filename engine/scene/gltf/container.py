"""The containers of glTF: binary chunks (.glb), and JSON that is checked before it is trusted.

Source: glTF 2.0 specification, section 4 (GLB).
"""

from __future__ import annotations

import json
import math
import struct
from dataclasses import dataclass
from typing import Any, NoReturn

from renderwright.engine.scene.model_limits import ModelLimits

_MAGIC = b"glTF"
_HEADER = struct.Struct("<4sII")
_CHUNK = struct.Struct("<I4s")
_JSON, _BINARY = b"JSON", b"BIN\0"


class ContainerError(ValueError):
    """The file is no glTF container, or exceeds a limit. The message says how."""


@dataclass(frozen=True)
class Container:
    """The JSON text of a file and its binary part, if it has one."""

    text: str
    binary: memoryview | None = None


def read_container(data: bytes) -> Container:
    """Split a .glb file into its parts; any other file is JSON. Raises ``ContainerError``."""
    if data[:4] != _MAGIC:
        return Container(_text(data))
    if len(data) < _HEADER.size:
        raise ContainerError("not a glTF file: it ends within its header")
    _, version, length = _HEADER.unpack_from(data)
    if version != 2:
        raise ContainerError(f"binary glTF of version {version}, only version 2 is read")
    view = memoryview(data)[: min(length, len(data))]
    text: str | None = None
    binary: memoryview | None = None
    at = _HEADER.size
    while at + _CHUNK.size <= len(view):
        size, kind = _CHUNK.unpack_from(view, at)
        at += _CHUNK.size
        if at + size > len(view):
            raise ContainerError(f"not a glTF file: a part of {size} bytes, {len(view) - at} are left")
        part = view[at : at + size]
        at += size
        if kind == _JSON and text is None:
            text = _text(bytes(part))
        elif kind == _BINARY and binary is None:
            binary = part
    if text is None:
        raise ContainerError("a binary glTF file without its JSON part")
    return Container(text, binary)


def check_json(text: str, limits: ModelLimits) -> dict[str, Any]:
    """Parse the JSON of a model. Checks its size before it is parsed, then its values.

    Raises ``ContainerError``, and ``JSONDecodeError`` for what is not JSON.
    """
    # Each value but the first of a list or object follows a comma; the first one follows a bracket.
    values = text.count(",") + text.count("[") + text.count("{")
    if values > limits.values:
        raise ContainerError(f"{values} values in its JSON; at most {limits.values} are read")
    try:
        document = json.loads(text, parse_constant=_no_number)
    except RecursionError:
        raise ContainerError(_too_deep(limits)) from None
    if not isinstance(document, dict):
        raise ContainerError("not a glTF file: its JSON is no object")
    _check(document, limits)
    return document


def _text(data: bytes) -> str:
    try:
        return data.decode("utf-8").removeprefix("\ufeff")
    except UnicodeDecodeError:
        raise ContainerError("not a glTF file: its JSON is not UTF-8 text") from None


def _no_number(name: str) -> NoReturn:
    raise ContainerError(f"{name} is not a number of JSON")


def _too_deep(limits: ModelLimits) -> str:
    return f"its JSON is nested more than {limits.nesting} levels deep"


def _check(document: dict[str, Any], limits: ModelLimits) -> None:
    """Check depth, number of objects, numbers and texts, without recursion."""
    waiting: list[tuple[Any, int]] = [(document, 1)]
    objects = 0
    while waiting:
        value, depth = waiting.pop()
        if isinstance(value, str):
            _check_text(value)
        elif isinstance(value, float) and not math.isfinite(value):
            raise ContainerError("a number that is not finite")
        elif isinstance(value, dict | list):
            if depth > limits.nesting:
                raise ContainerError(_too_deep(limits))
            if isinstance(value, dict):
                objects += 1
                waiting += [(key, depth) for key in value]
                value = value.values()
            waiting += [(inner, depth + 1) for inner in value]
    if objects > limits.objects:
        raise ContainerError(f"{objects} objects in its JSON; at most {limits.objects} are read")


def _check_text(text: str) -> None:
    # Half of a surrogate pair, such as "\ud800", has no encoding.
    if not text.isascii():
        try:
            text.encode()
        except UnicodeEncodeError:
            raise ContainerError("a text that is not valid Unicode") from None
