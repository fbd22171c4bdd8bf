"""A glTF file with its buffers, and errors that name its elements."""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import unquote, unquote_to_bytes

from numpy.typing import NDArray

from renderwright.engine.scene.decoding import shown
from renderwright.engine.scene.gltf.container import Container, ContainerError, check_json, read_container
from renderwright.engine.scene.gltf.document import GltfDocument, GltfObject
from renderwright.engine.scene.gltf.extensions import note_ignored, unknown_required
from renderwright.engine.scene.gltf.meshopt import MeshoptError, decode_meshopt
from renderwright.engine.scene.gltf.notices import ModelNotices
from renderwright.engine.scene.model_limits import Counted, ModelBudget, ModelLimits
from renderwright.render.errors import AssetError, SourceLocation, UsageError
from renderwright.render.files import package_data_advice
from renderwright.render.files.reading import read_file, read_start

MESHOPT = "EXT_meshopt_compression"

_LONGEST_MESSAGE = 500

MALFORMED = (TypeError, ValueError, KeyError, IndexError, AttributeError, OverflowError)
"""What a malformed value of the JSON raises at its first use, since its types are not checked."""


class MissingFileError(AssetError):
    """A file that the model names cannot be read."""


class GltfFile:
    """The parsed document and its bytes. Elements are named as in the file: ``meshes[2] "Crate"``.

    The files that it names must lie in ``folder``, links resolved. ``limits`` bound what it may ask for.
    """

    def __init__(self, path: Path, folder: Path | None = None, limits: ModelLimits | None = None) -> None:
        """Read and parse. Raises AssetError."""
        self.path = path
        self.notices = ModelNotices(path)
        self._folder = (folder or path.parent).resolve()
        self._limits = limits or ModelLimits()
        self._budget = ModelBudget(self._limits)
        data = self._read(path, "the file", None)
        self._container, self.document = self._parsed(data)
        self._buffers: dict[int, memoryview] = {}
        self._views: dict[int, memoryview] = {}
        #: Values of accessors that have been decompressed, by number, (count, width).
        self.decoded: dict[int, NDArray[Any]] = {}
        unknown = unknown_required(self.document)
        if unknown:
            raise self.problem(
                "extensionsRequired",
                f"{shown(', '.join(unknown))} is not supported",
                hint="export without compression and without required extensions",
            )
        note_ignored(self.document, self, self.notices)

    def problem(self, element: str, message: str, *, hint: str = "export the model again") -> AssetError:
        """Create an error about ``element`` of this file. The message may have values of the file."""
        told = f"{element}: {shown(message, _LONGEST_MESSAGE)}"
        return AssetError(told, hint=hint, where=SourceLocation(str(self.path)))

    @contextmanager
    def reading(self, element: str) -> Iterator[None]:
        """Raise an AssetError that names ``element`` where one of its values is malformed or refused by its class."""
        try:
            yield
        except UsageError as error:
            raise self.problem(element, error.message, hint=error.hint) from error
        except MALFORMED as error:
            raise self.problem(element, f"not valid glTF 2.0: {shown(str(error))}") from error

    def label(self, kind: str, index: int) -> str:
        """``meshes[2] "Crate"``."""
        name = getattr(self.document, kind)[index].name
        return f'{kind}[{index}] "{shown(str(name))}"' if name else f"{kind}[{index}]"

    def element(self, kind: str, index: int | None, user: str) -> Any:
        """Element ``index`` of the list ``kind``, referenced by ``user``. Raises AssetError."""
        elements = getattr(self.document, kind)
        if not isinstance(index, int) or isinstance(index, bool) or not 0 <= index < len(elements):
            raise self.problem(user, f"refers to {kind}[{shown(str(index))}], and there are {len(elements)}")
        return elements[index]

    def left(self, what: Counted) -> int:
        """The amount that the model may still ask for."""
        return self._budget.left(what)

    def spend(self, what: Counted, amount: int, user: str) -> None:
        """Count what ``user`` asks for, before memory is taken. Raises AssetError beyond the limit of the model."""
        if not self._budget.take(what, amount):
            limit = getattr(self._limits, what)
            raise self.problem(
                user,
                f"{amount} {what} here are more than the {limit} that a model may have",
                hint="make the model smaller, or load it with other ModelLimits",
            )

    def view(self, index: int | None, user: str) -> memoryview:
        """The bytes of a buffer view. Raises AssetError."""
        view = self.element("bufferViews", index, user)
        label = f"bufferViews[{index}]"
        assert isinstance(index, int)
        compressed = (view.extensions or {}).get(MESHOPT)
        if compressed is not None:
            if index not in self._views:
                self._views[index] = self._decompressed(compressed, label)
            return self._views[index]
        return self._part(view, label)

    def _decompressed(self, source: dict[str, Any], label: str) -> memoryview:
        """The bytes of a view that meshoptimizer has compressed."""
        count, stride = int(source["count"]), int(source["byteStride"])
        self.spend("bytes", count * stride, label)
        data = bytes(self._part(GltfObject(source), label))
        try:
            decoded = decode_meshopt(data, count, stride, str(source["mode"]), str(source.get("filter", "NONE")))
        except MeshoptError as error:
            raise self.problem(label, f"its meshopt data cannot be decoded: {error}") from error
        return memoryview(decoded.tobytes())

    def _part(self, view: Any, label: str) -> memoryview:
        buffer = self._buffer(view.buffer, label)
        start, length = view.byteOffset or 0, view.byteLength
        if start < 0 or length < 0 or start + length > len(buffer):
            raise self.problem(label, f"bytes {start} to {start + length} of a buffer of {len(buffer)}")
        return buffer[start : start + length]

    def resource(self, uri: str, user: str, count: int | None = None) -> bytes:
        """The bytes of a data URI, or of a file relative to this one and in its folder; ``count`` of them at most.

        Raises AssetError.
        """
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
            raise self.problem(user, f'"{shown(uri)}" is not a file', hint="put the file beside the model")
        return self._read(self._inside(unquote(uri), user), user, count)

    def _inside(self, name: str, user: str) -> Path:
        """The file of that name, links resolved. Raises AssetError if it lies outside the model's folder."""
        try:
            path = (self.path.parent / name).resolve()
        except (OSError, ValueError, RuntimeError) as error:  # a NUL character, a name too long, a circle of links
            raise self.problem(user, f'"{shown(name)}" is not a file: {error}', hint="check the path") from error
        if not path.is_relative_to(self._folder):
            raise self.problem(
                user,
                f'"{shown(name)}" lies outside the folder of the model',
                hint="put the file itself into the model's folder, or give load_gltf a folder that holds both",
            )
        return path

    def _buffer(self, index: int | None, user: str) -> memoryview:
        buffer = self.element("buffers", index, user)
        assert isinstance(index, int)
        if index not in self._buffers:
            label = f"buffers[{index}]"
            size = buffer.byteLength
            if not isinstance(size, int) or size < 0:
                raise self.problem(label, f"byteLength is {shown(str(size))}")
            data = self._container.binary if buffer.uri is None else self.resource(buffer.uri, label, size)
            if data is None:
                raise self.problem(label, "no uri, and the file has no binary part")
            if len(data) < size:
                raise self.problem(label, f"{len(data)} bytes instead of {size}")
            self._buffers[index] = memoryview(data)[:size]
        return self._buffers[index]

    def _read(self, path: Path, user: str, count: int | None) -> bytes:
        """The first ``count`` bytes of a file, or all of it."""
        left = self.left("bytes")
        if count is not None and count > left:
            self.spend("bytes", count, user)
        try:
            data = read_file(path, left) if count is None else read_start(path, count)
        except OSError as error:
            raise MissingFileError(
                f'{user}: "{shown(path.name)}" cannot be read: {error.strerror or error}',
                hint="check the path"
                + (package_data_advice(path.absolute()) if isinstance(error, FileNotFoundError) else ""),
                where=SourceLocation(str(self.path)),
            ) from error
        self.spend("bytes", len(data), user)
        return data

    def _check_version(self, asset: Any) -> None:
        """Refuse other versions before anything else, because the rest of the file is different in them."""
        version = str(asset.get("version")) if isinstance(asset, dict) else "None"
        if not version.startswith("2."):
            raise self.problem("asset", f'version "{shown(version)}"', hint="export the model as glTF 2.0")

    def _parsed(self, data: bytes) -> tuple[Container, GltfDocument]:
        try:
            container = read_container(data)
            members = check_json(container.text, self._limits)
            self._check_version(members.get("asset"))
            return container, GltfDocument.of(members)
        except json.JSONDecodeError as error:
            raise AssetError(
                f"not valid JSON: {error.msg}",
                hint="export the model again",
                where=SourceLocation(str(self.path), error.lineno, error.colno),
            ) from error
        except ContainerError as error:
            raise self.problem("the file", str(error)) from None
        except TypeError as error:
            raise self.problem("the file", f"not a glTF file: {shown(str(error))}") from error
