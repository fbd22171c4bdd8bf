"""Writers of single values at a member's offset, by GLSL type."""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from enum import Enum
from itertools import chain
from typing import Any

import numpy as np
from pyglm import glm

from renderwright.render.shaders.glsl_types import GLSL_TYPES, GlslType, glsl_type
from renderwright.render.shaders.module import BlockMember

Writer = Callable[[bytearray, Any], None]
"""Writes a value into a block's bytes."""

_BAD_VALUE = (struct.error, TypeError, ValueError, OverflowError)
_GLM_MATRICES: dict[str, Any] = {
    f"mat{columns}" if columns == rows else f"mat{columns}x{rows}": getattr(glm, f"mat{columns}x{rows}")
    for columns in (2, 3, 4)
    for rows in (2, 3, 4)
}
_FLOATS = "fde"
_NUMBERS = (int, float, np.number)
_QUATERNIONS = (glm.quat, glm.dquat)


class UnfitError(Exception):
    """A value does not fit its member; the message describes values that do."""


class _MisshapenError(Exception):
    """A matrix of another shape; the message says which."""


def member_writer(member: BlockMember) -> Writer:
    """The writer of a member. The writer raises ``UnfitError`` for a value of another shape or kind."""
    kind = GLSL_TYPES.get(member.type)
    if kind is None:
        return _bytes_writer(member)
    if kind.columns > 1:
        if not member.count:
            return _matrix_writer(member, kind, member.offset)
        return _matrices_writer(member, kind)
    if member.count:
        return _array_writer(member, kind)
    return _scalar_writer(member, kind) if kind.rows == 1 else _vector_writer(member, kind)


def _scalar_writer(member: BlockMember, kind: GlslType) -> Writer:
    pack_into, offset = struct.Struct(f"<{kind.code}").pack_into, member.offset

    def write(data: bytearray, value: Any) -> None:
        try:
            pack_into(data, offset, value)
        except _BAD_VALUE:
            try:
                pack_into(data, offset, _plain(value))
            except _BAD_VALUE as error:
                raise UnfitError(_what_fits(kind, value)) from error

    return write


def _plain(value: Any) -> Any:
    """The number of an enum member or a numpy boolean."""
    if isinstance(value, Enum):
        return value.value
    return int(value) if isinstance(value, np.bool_) else value


def _what_fits(kind: GlslType, value: Any) -> str:
    """The values that a scalar or vector takes, and the type that takes this one if it has other components."""
    numbers = "number" if kind.code in _FLOATS else "whole number"
    amount = f"a {numbers}" if kind.rows == 1 else f"{kind.rows} {numbers}s"
    parts = _numbers_in(value)
    rounded = kind.code not in _FLOATS and any(isinstance(part, float | np.floating) for part in parts)
    other = glsl_type("f" if rounded else kind.code, len(parts))
    instead = f", or declare the member as {other.name} in the shader" if other is not None and other != kind else ""
    return f"give {amount} that {_with_article(kind.name)} can hold{instead}"


def _numbers_in(value: Any) -> list[Any]:
    """The components of a number or a vector; none for anything else."""
    try:
        parts = [value] if isinstance(value, _NUMBERS) else list(value)
    except TypeError:
        return []
    return parts if all(isinstance(part, _NUMBERS) for part in parts) else []


def _with_article(name: str) -> str:
    return f"{'an' if name[0] in 'aei' else 'a'} {name}"


def _matrix_that_fits(kind: GlslType) -> str:
    return (
        f"give a matrix of {kind.columns} columns and {kind.rows} rows: a PyGLM matrix, a numpy array indexed "
        "[row, column], or a sequence of columns"
    )


def _vector_writer(member: BlockMember, kind: GlslType) -> Writer:
    pack_into, offset = struct.Struct(f"<{kind.rows}{kind.code}").pack_into, member.offset

    def write(data: bytearray, value: Any) -> None:
        try:
            if isinstance(value, _QUATERNIONS):
                pack_into(data, offset, value.x, value.y, value.z, value.w)
            else:
                pack_into(data, offset, *value)
        except _BAD_VALUE as error:
            raise UnfitError(_what_fits(kind, value)) from error

    return write


def _of_wide_numbers(value: Any) -> str:
    """That an array has numbers of twice the size, in words; '' if it has not."""
    wide = isinstance(value, np.ndarray) and value.dtype in (np.float64, np.int64)
    return f": it is an array of {value.dtype}, make it of np.float32 or np.int32" if wide else ""


def _matrix_writer(member: BlockMember, kind: GlslType, offset: int) -> Writer:
    lines, length = (kind.rows, kind.columns) if member.row_major else (kind.columns, kind.rows)
    gap = member.matrix_stride - length * kind.scalar_bytes
    layout = struct.Struct("<" + f"{gap}x".join([f"{length}{kind.code}"] * lines))
    contiguous = gap == 0 and not member.row_major
    end = offset + layout.size
    same_type = _GLM_MATRICES.get(kind.name)

    def write(data: bytearray, value: Any) -> None:
        if contiguous and type(value) is same_type:
            data[offset:end] = value.to_bytes()
            return
        try:
            numbers = _column_major(value, kind)
            if member.row_major:
                numbers = [numbers[column * kind.rows + row] for row in range(lines) for column in range(length)]
            layout.pack_into(data, offset, *numbers)
        except _MisshapenError as error:
            raise UnfitError(f"{_matrix_that_fits(kind)}; {error}") from error
        except (*_BAD_VALUE, IndexError) as error:
            raise UnfitError(_matrix_that_fits(kind)) from error

    return write


def _column_major(value: Any, kind: GlslType) -> Sequence[Any]:
    """The numbers of a matrix, column by column."""
    if isinstance(value, np.ndarray) and value.ndim != 1:
        if value.shape != (kind.rows, kind.columns):
            raise _MisshapenError(f"the array has shape {value.shape}")
        return [number.item() for number in value.T.flat]
    parts = list(value)
    if len(parts) == kind.columns * kind.rows:
        return parts
    if len(parts) != kind.columns or any(len(column) != kind.rows for column in parts):
        raise _MisshapenError("the value has other columns")
    return list(chain.from_iterable(parts))


def _matrices_writer(member: BlockMember, kind: GlslType) -> Writer:
    writers = [_matrix_writer(member, kind, member.offset + index * member.stride) for index in range(member.count)]

    def write(data: bytearray, value: Any) -> None:
        try:
            matrices = list(value)
        except TypeError as error:
            raise UnfitError("give a sequence of matrices") from error
        if len(matrices) > len(writers):
            raise UnfitError(f"give at most {len(writers)} matrices, not {len(matrices)}")
        for write_one, matrix in zip(writers, matrices, strict=False):
            write_one(data, matrix)

    return write


def _array_writer(member: BlockMember, kind: GlslType) -> Writer:
    dtype = np.dtype(f"<{kind.code}")
    shape = (member.count,) if kind.rows == 1 else (member.count, kind.rows)
    strides = (member.stride,) if kind.rows == 1 else (member.stride, kind.scalar_bytes)

    def write(data: bytearray, value: Any) -> None:
        try:
            given = np.asarray(value)
        except _BAD_VALUE as error:
            raise UnfitError(f"give a sequence of {kind.name} values") from error
        if given.size == 0:
            return
        if given.shape[1:] != shape[1:] or given.ndim == 0:
            raise UnfitError(f"give an array of shape {shape}, not {given.shape}")
        if len(given) > member.count:
            raise UnfitError(f"give at most {member.count} elements, not {len(given)}")
        target: np.ndarray[Any, Any] = np.ndarray(shape, dtype, data, member.offset, strides)
        target[: len(given)] = _converted(given, dtype)

    return write


def _converted(given: np.ndarray[Any, Any], dtype: np.dtype[Any]) -> np.ndarray[Any, Any]:
    """The array in the block's type. Floats are never rounded to integers, and integers never wrap around."""
    if given.dtype.kind not in "biuf" or (dtype.kind in "iu" and given.dtype.kind == "f"):
        raise UnfitError(f"give {'integers' if dtype.kind in 'iu' else 'numbers'}, not {given.dtype} values")
    if dtype.kind in "iu" and given.dtype.kind in "iu":
        limits = np.iinfo(dtype)
        if int(given.min()) < limits.min or int(given.max()) > limits.max:
            raise UnfitError(f"give integers from {limits.min} to {limits.max}")
    return given.astype(dtype)


def _bytes_writer(member: BlockMember) -> Writer:
    capacity = member.count * member.stride

    def write(data: bytearray, value: Any) -> None:
        try:
            given = memoryview(value).cast("B")
        except TypeError as error:
            raise UnfitError("give bytes in the layout of the block, or a contiguous numpy array of them") from error
        if len(given) > capacity:
            raise UnfitError(f"give at most {capacity} bytes, not {len(given)}{_of_wide_numbers(value)}")
        data[member.offset : member.offset + len(given)] = given

    return write
