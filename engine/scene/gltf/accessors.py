"""glTF accessors to numpy arrays."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from renderwright.engine.scene.decoding import shown
from renderwright.engine.scene.gltf.file import GltfFile
from renderwright.engine.scene.model_limits import Counted

_COMPONENTS: dict[int, str] = {5120: "<i1", 5121: "<u1", 5122: "<i2", 5123: "<u2", 5125: "<u4", 5126: "<f4"}
_WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}


def read_floats(file: GltfFile, index: int, widths: int | tuple[int, ...], user: str) -> NDArray[np.float32]:
    """Accessor ``index`` as float32 (count, width), of one of these widths. Raises AssetError.

    Normalized integers become 0..1 or -1..1.
    """
    accessor = file.element("accessors", index, user)
    allowed = (widths,) if isinstance(widths, int) else widths
    raw = _read(file, accessor, index, allowed, user, "vertices")
    if not accessor.normalized or raw.dtype.kind == "f":
        return raw.astype(np.float32)
    largest = np.float32(np.iinfo(raw.dtype).max)
    scaled: NDArray[np.float32] = np.maximum(raw.astype(np.float32) / largest, np.float32(-1.0))
    return scaled


def read_indices(file: GltfFile, index: int, user: str) -> NDArray[np.uint32]:
    """Accessor ``index``, unsigned scalars of any width, as uint32 (count,). Raises AssetError."""
    accessor = file.element("accessors", index, user)
    raw = _read(file, accessor, index, (1,), user, "indices")
    if raw.dtype.kind != "u":
        raise file.problem(file.label("accessors", index), f"indices of {user} are not unsigned integers")
    return raw.astype(np.uint32).reshape(-1)


def _read(
    file: GltfFile, accessor: Any, index: int, widths: tuple[int, ...], user: str, counted: Counted
) -> NDArray[Any]:
    label = file.label("accessors", index)
    width = _WIDTHS.get(accessor.type)
    if width not in widths or width is None:
        raise file.problem(label, f"type {shown(str(accessor.type))} where {user} needs {widths[0]} numbers")
    count = accessor.count
    if not isinstance(count, int) or count < 1:
        raise file.problem(label, f"count is {shown(str(count))}")
    # An accessor without data would inflate a small file, and so would one that is used many times.
    if count > file.left(counted):
        file.spend(counted, count, label)
    dtype = _dtype(file, accessor.componentType, label)
    with file.reading(label):
        if index in file.decoded:
            values = _checked(file, file.decoded[index], (count, width), label)
        elif accessor.bufferView is None:
            values = np.zeros((count, width), dtype)
        else:
            stride = file.element("bufferViews", accessor.bufferView, label).byteStride or 0
            view = file.view(accessor.bufferView, label)
            values = _strided(file, view, accessor.byteOffset or 0, stride, (count, width), dtype, label)
        if accessor.sparse is not None:
            values = _with_sparse(file, accessor.sparse, values, label)
    return values


def _checked(file: GltfFile, decoded: NDArray[Any], shape: tuple[int, int], label: str) -> NDArray[Any]:
    """Values that have been decompressed."""
    if decoded.shape != shape:
        raise file.problem(label, f"{shape[0]} x {shape[1]} values, and {decoded.shape} are compressed")
    return decoded


def _with_sparse(file: GltfFile, sparse: Any, values: NDArray[Any], label: str) -> NDArray[Any]:
    indices, replacements = sparse.indices, sparse.values
    if not isinstance(sparse.count, int) or sparse.count < 1:
        raise file.problem(label, f"{shown(str(sparse.count))} sparse elements")
    where = _strided(
        file,
        file.view(indices.bufferView, label),
        indices.byteOffset or 0,
        0,
        (sparse.count, 1),
        _dtype(file, indices.componentType, label),
        label,
    ).reshape(-1)
    if where.dtype.kind != "u" or int(where.max()) >= len(values):
        raise file.problem(label, f"a sparse index beyond {len(values)} elements")
    new = _strided(
        file,
        file.view(replacements.bufferView, label),
        replacements.byteOffset or 0,
        0,
        (sparse.count, values.shape[1]),
        values.dtype,
        label,
    )
    values = values.copy()
    values[where] = new
    return values


def _strided(
    file: GltfFile,
    view: memoryview,
    offset: int,
    stride: int,
    shape: tuple[int, int],
    dtype: np.dtype[Any],
    label: str,
) -> NDArray[Any]:
    size = shape[1] * dtype.itemsize
    step = stride or size
    end = offset + step * (shape[0] - 1) + size
    if offset < 0 or step < size or end > len(view):
        raise file.problem(label, f"{shape[0]} elements end at byte {end} of a buffer view of {len(view)}")
    return np.ndarray(shape, dtype, view, offset, (step, dtype.itemsize))


def _dtype(file: GltfFile, component: int, label: str) -> np.dtype[Any]:
    if component not in _COMPONENTS:
        raise file.problem(label, f"component type {shown(str(component))} does not exist")
    return np.dtype(_COMPONENTS[component])
