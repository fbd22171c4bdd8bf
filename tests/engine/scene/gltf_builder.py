"""Builds small glTF documents from numpy arrays."""

from __future__ import annotations

import base64
import io
import json
import struct
from pathlib import Path
from typing import Any

import numpy as np
import PIL.Image

COMPONENTS = {"i1": 5120, "u1": 5121, "i2": 5122, "u2": 5123, "u4": 5125, "f4": 5126}
TYPES = {1: "SCALAR", 2: "VEC2", 3: "VEC3", 4: "VEC4"}

QUAD_POSITIONS = np.float32([[0, 0, 0], [2, 0, 0], [2, 1, 0], [0, 1, 0]])
QUAD_UVS = np.float32([[0, 1], [1, 1], [1, 0], [0, 0]])
QUAD_INDICES = np.uint16([0, 1, 2, 0, 2, 3])


class GltfBuilder:
    def __init__(self) -> None:
        self.data = bytearray()
        self.document: dict[str, Any] = {
            "asset": {"version": "2.0"},
            "scene": 0,
            "scenes": [{"nodes": [0]}],
            "nodes": [{"name": "root", "mesh": 0}],
            "meshes": [],
            "accessors": [],
            "bufferViews": [],
            "materials": [],
            "textures": [],
            "images": [],
        }

    def view(self, data: bytes, stride: int | None = None) -> int:
        self.data += bytes(-len(self.data) % 4)
        view: dict[str, Any] = {"buffer": 0, "byteOffset": len(self.data), "byteLength": len(data)}
        if stride is not None:
            view["byteStride"] = stride
        self.data += data
        return self._append("bufferViews", view)

    def accessor(self, array: np.ndarray, **more: Any) -> int:
        more.setdefault("bufferView", self.view(array.tobytes()) if "bufferView" not in more else None)
        width = array.shape[1] if array.ndim == 2 else 1
        entry = {"componentType": COMPONENTS[array.dtype.str[1:]], "count": len(array), "type": TYPES[width], **more}
        return self._append("accessors", {key: value for key, value in entry.items() if value is not None})

    def mesh(self, *primitives: dict[str, Any], name: str = "Thing") -> int:
        return self._append("meshes", {"name": name, "primitives": list(primitives)})

    def quad(self, **more: Any) -> dict[str, Any]:
        attributes = {"POSITION": self.accessor(QUAD_POSITIONS), "TEXCOORD_0": self.accessor(QUAD_UVS)}
        return {"attributes": attributes, "indices": self.accessor(QUAD_INDICES), **more}

    def texture(self, pixels: np.ndarray, *, data_uri: bool = False) -> int:
        png = io.BytesIO()
        PIL.Image.fromarray(pixels).save(png, "PNG")
        if data_uri:
            image: dict[str, Any] = {"uri": "data:image/png;base64," + base64.b64encode(png.getvalue()).decode()}
        else:
            image = {"bufferView": self.view(png.getvalue()), "mimeType": "image/png", "name": "paint"}
        return self._append("textures", {"source": self._append("images", image)})

    def save(self, folder: Path, *, external: str = "") -> Path:
        buffer: dict[str, Any] = {"byteLength": len(self.data)}
        if external:
            (folder / external.replace("%20", " ")).write_bytes(self.data)
            buffer["uri"] = external
        else:
            buffer["uri"] = "data:application/octet-stream;base64," + base64.b64encode(self.data).decode()
        path = folder / "model.gltf"
        path.write_text(json.dumps({**self.document, "buffers": [buffer]}))
        return path

    def save_glb(self, folder: Path) -> Path:
        text = json.dumps({**self.document, "buffers": [{"byteLength": len(self.data)}]}).encode()
        text += b" " * (-len(text) % 4)
        binary = bytes(self.data) + bytes(-len(self.data) % 4)
        chunks = struct.pack("<I4s", len(text), b"JSON") + text + struct.pack("<I4s", len(binary), b"BIN\0") + binary
        path = folder / "model.glb"
        path.write_bytes(struct.pack("<4sII", b"glTF", 2, 12 + len(chunks)) + chunks)
        return path

    def _append(self, kind: str, element: dict[str, Any]) -> int:
        self.document[kind].append(element)
        return len(self.document[kind]) - 1
