"""A glTF file with its buffers, and errors that name its elements."""

from __future__ import annotations

import base64
import binascii
import json
from pathlib import Path
from typing import Any
from urllib.parse import unquote, unquote_to_bytes

import pygltflib

from renderwright.render.errors import AssetError, SourceLocation

_GLB_MAGIC = b"glTF"

#: Extensions that a file may require; quantized meshes need nothing beyond reading every accessor type.
SUPPORTED_EXTENSIONS = frozenset(("KHR_lights_punctual", "KHR_materials_emissive_strength", "KHR_mesh_quantization"))


class GltfFile:
    """The parsed document and its bytes. Elements are named as in the file: ``meshes[2] "Crate"``."""

    def __init__(self, path: Path) -> None:
        """Read and parse. Raises AssetError."""
        self.path = path
        self.document = self._parsed(self._read(path, "the file"))
        self._buffers: dict[int, bytes] = {}
        version = str(getattr(self.document.asset, "version", None))
        if not version.startswith("2."):
            raise self.problem("asset", f'version "{version}"', hint="export the model as glTF 2.0")
        unknown = sorted({str(name) for name in self.document.extensionsRequired or ()} - SUPPORTED_EXTENSIONS)
        if unknown:
            raise self.problem(
                "extensionsRequired",
                f"{', '.join(unknown)} is not supported",
                hint="export without compression and without required extensions",
            )

    def problem(self, element: str, message: str, *, hint: str = "export the model again") -> AssetError:
        """Create an error about ``element`` of this file."""
        return AssetError(f"{element}: {message}", hint=hint, where=SourceLocation(str(self.path)))

    def label(self, kind: str, index: int) -> str:
        """``meshes[2] "Crate"``."""
        name = getattr(getattr(self.document, kind)[index], "name", None)
        return f'{kind}[{index}] "{name}"' if name else f"{kind}[{index}]"

    def element(self, kind: str, index: int | None, user: str) -> Any:
        """Element ``index`` of the list ``kind``, referenced by ``user``. Raises AssetError."""
        elements = getattr(self.document, kind)
        if not isinstance(index, int) or isinstance(index, bool) or not 0 <= index < len(elements):
            raise self.problem(user, f"refers to {kind}[{index}], and there are {len(elements)}")
        return elements[index]

    def view(self, index: int | None, user: str) -> memoryview:
        """The bytes of a buffer view. Raises AssetError."""
        view = self.element("bufferViews", index, user)
        label = f"bufferViews[{index}]"
        buffer = self._buffer(view.buffer, label)
        start, length = view.byteOffset or 0, view.byteLength
        if start < 0 or length < 0 or start + length > len(buffer):
            raise self.problem(label, f"bytes {start} to {start + length} of a buffer of {len(buffer)}")
        return memoryview(buffer)[start : start + length]

    def resource(self, uri: str, user: str) -> bytes:
        """The bytes of a data URI, or of a file relative to this one. Raises AssetError."""
        if uri.startswith("data:"):
            head, comma, body = uri.partition(",")
            if not comma:
                raise self.problem(user, "a data URI without data")
            try:
                encoded = head.endswith(";base64")
                return base64.b64decode(unquote(body), validate=True) if encoded else unquote_to_bytes(body)
            except (binascii.Error, ValueError) as error:
                raise self.problem(user, f"a data URI that cannot be decoded: {error}") from error
        if "://" in uri:
            raise self.problem(user, f'"{uri}" is not a file', hint="put the file beside the model")
        return self._read(self.path.parent / unquote(uri), user)

    def _buffer(self, index: int | None, user: str) -> bytes:
        buffer = self.element("buffers", index, user)
        assert isinstance(index, int)
        if index not in self._buffers:
            label = f"buffers[{index}]"
            data = self.document.binary_blob() if buffer.uri is None else self.resource(buffer.uri, label)
            if data is None:
                raise self.problem(label, "no uri, and the file has no binary part")
            if len(data) < buffer.byteLength:
                raise self.problem(label, f"{len(data)} bytes instead of {buffer.byteLength}")
            self._buffers[index] = bytes(data)
        return self._buffers[index]

    def _read(self, path: Path, user: str) -> bytes:
        try:
            return path.read_bytes()
        except OSError as error:
            raise self.problem(
                user, f'"{path}" cannot be read: {error.strerror or error}', hint="check the path"
            ) from error

    def _parsed(self, data: bytes) -> Any:
        try:
            if data[:4] == _GLB_MAGIC:
                document = pygltflib.GLTF2.load_from_bytes(data)
            else:
                document = pygltflib.GLTF2.gltf_from_json(data.decode("utf-8"))
        except json.JSONDecodeError as error:
            raise AssetError(
                f"not valid JSON: {error.msg}",
                hint="export the model again",
                where=SourceLocation(str(self.path), error.lineno, error.colno),
            ) from error
        except Exception as error:  # malformed files raise arbitrary exceptions in the parser
            raise self.problem("the file", f"not a glTF file: {error}") from error
        if document is None:
            raise self.problem("the file", "a binary glTF file without its JSON part")
        return document
