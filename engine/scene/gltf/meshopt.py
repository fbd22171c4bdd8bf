"""Decoding of buffer views that are compressed by meshoptimizer (EXT_meshopt_compression), version 0.

Source: the extension's specification, which describes the bitstreams. The library has no wheels, and the format is
small. The bytes of a block are decoded as arrays; only the lengths of groups of 16 are found one after the other.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Bytes = NDArray[np.uint8]

_GROUP = 16
_ATTRIBUTES_HEADER, _TRIANGLES_HEADER, _INDICES_HEADER = 0xA0, 0xE0, 0xD0
_LEAST_TAIL = 32
_BLOCK_BYTES, _BLOCK_VERTICES = 8192, 256


class MeshoptError(ValueError):
    """The data are damaged. The message says how."""


def decode_meshopt(data: bytes, count: int, stride: int, mode: str, filter_name: str = "NONE") -> Bytes:
    """Decode ``count`` elements of ``stride`` bytes; returns their bytes. Raises ``MeshoptError``."""
    try:
        if mode == "ATTRIBUTES":
            return _filtered(_attributes(data, count, stride), stride, filter_name)
        if mode == "TRIANGLES":
            indices = _Triangles(data, count).decoded()
        elif mode == "INDICES":
            indices = _sequence(data, count)
        else:
            raise MeshoptError(f"there is no mode {mode}")
        if stride not in (2, 4):
            raise MeshoptError(f"indices of {stride} bytes")
        return np.array(indices, np.uint32).astype(f"<u{stride}").view(np.uint8)
    except IndexError:
        raise MeshoptError("the data end too early") from None


def _attributes(data: bytes, count: int, stride: int) -> Bytes:
    if not 0 < stride <= 256 or stride % 4:
        raise MeshoptError(f"elements of {stride} bytes")
    if not data or data[0] != _ATTRIBUTES_HEADER:
        raise MeshoptError("no attributes of version 0")
    tail = max(stride, _LEAST_TAIL)
    end = len(data) - tail
    raw = np.frombuffer(data, np.uint8)
    last = raw[len(data) - stride :].copy()
    result = np.empty((count, stride), np.uint8)
    block = min(_BLOCK_BYTES // stride & ~(_GROUP - 1), _BLOCK_VERTICES)
    at = 1
    for first in range(0, count, block):
        size = min(block, count - first)
        groups = -(-size // _GROUP)
        for byte in range(stride):
            deltas, at = _byte_stream(data, raw, at, groups, end)
            # The sum wraps around like bytes do.
            steps = (deltas[:size] >> 1) ^ (0 - (deltas[:size] & 1))
            result[first : first + size, byte] = np.cumsum(steps, dtype=np.uint8) + last[byte]
        last = result[first + size - 1].copy()
    if at != end:
        raise MeshoptError(f"{end - at} bytes are left over")
    return result.reshape(-1)


def _byte_stream(data: bytes, raw: Bytes, at: int, groups: int, end: int) -> tuple[Bytes, int]:
    """The deltas of one byte of the elements of a block, and where the next byte's begin."""
    header = at
    at += -(-groups // 4)
    decoded = np.zeros((groups, _GROUP), np.uint8)
    for group in range(groups):
        if at > end:
            raise MeshoptError("the data end too early")
        kind = data[header + group // 4] >> 2 * (group % 4) & 3
        if kind == 3:
            decoded[group] = raw[at : at + _GROUP]
            at += _GROUP
        elif kind:
            packed = raw[at : at + 4 * kind]
            values = _unpacked(packed, 2 * kind)
            at += 4 * kind
            # The largest value stands for a byte that follows.
            others = np.flatnonzero(values == (1 << 2 * kind) - 1)
            values[others] = raw[at : at + len(others)]
            at += len(others)
            decoded[group] = values
    if at > end:
        raise MeshoptError("the data end too early")
    return decoded.reshape(-1), at


def _unpacked(packed: Bytes, bits: int) -> Bytes:
    """Values of 2 or 4 bits, those in the high bits first."""
    shifts = np.arange(8 - bits, -1, -bits, dtype=np.uint8)
    return np.asarray((packed[:, None] >> shifts & ((1 << bits) - 1)).reshape(-1), np.uint8)


class _Reader:
    """Reads numbers of varying length."""

    def __init__(self, data: bytes, at: int, end: int) -> None:
        self._data = data
        self.at = at
        self._end = end

    def byte(self) -> int:
        """The next byte."""
        if self.at >= self._end:
            raise MeshoptError("the data end too early")
        self.at += 1
        return self._data[self.at - 1]

    def number(self) -> int:
        """A number in groups of 7 bits, the lowest first."""
        result = 0
        for shift in range(0, 35, 7):
            byte = self.byte()
            result |= (byte & 127) << shift
            if byte < 128:
                break
        return result

    def step(self) -> int:
        """A signed number."""
        number = self.number()
        return number >> 1 ^ -(number & 1)


class _Triangles:
    """Decodes the indices of triangles, most of which share an edge with one of the last 16."""

    def __init__(self, data: bytes, count: int) -> None:
        if count % 3:
            raise MeshoptError(f"{count} indices of triangles")
        if len(data) < 1 + count // 3 + _GROUP or data[0] & 0xF0 != _TRIANGLES_HEADER or data[0] & 15 > 1:
            raise MeshoptError("no triangles of version 0 or 1")
        self._codes = data[1 : 1 + count // 3]
        self._common = data[-_GROUP:]
        self._end = len(data) - _GROUP
        self._reader = _Reader(data, 1 + count // 3, self._end)
        # From this code on the third corner of a triangle is no recent vertex.
        self._recent = 13 if data[0] & 15 else 15
        self._edges = [(0, 0)] * 16
        self._vertices = [0] * 16
        self._edge = self._vertex = 0
        self._next = self._last = 0

    def decoded(self) -> list[int]:
        """The indices."""
        indices: list[int] = []
        for code in self._codes:
            indices += self._beside_edge(code) if code < 0xF0 else self._apart(code)
        if self._reader.at != self._end:
            raise MeshoptError(f"{self._end - self._reader.at} bytes are left over")
        return indices

    def _beside_edge(self, code: int) -> tuple[int, int, int]:
        a, b = self._edges[self._edge - 1 - (code >> 4) & 15]
        corner = code & 15
        if corner < self._recent:
            c = self._new() if corner == 0 else self._vertices[self._vertex - 1 - corner & 15]
            if corner == 0:
                self._push(c)
        else:
            c = self._last = self._far() if corner == 15 else self._last + (1 if corner == 14 else -1)
            self._push(c)
        self._push_edges((c, b), (a, c))
        return a, b, c

    def _apart(self, code: int) -> tuple[int, int, int]:
        """A triangle beside none of the last."""
        if code < 0xFE:
            common = self._common[code & 15]
            first, second, third = 0, common >> 4, common & 15
            # Here 15 is an age as well.
            a, b, c = self._new(), self._recent_or_new(second), self._recent_or_new(third)
        else:
            common = self._reader.byte()
            first, second, third = 0 if code == 0xFE else 15, common >> 4, common & 15
            if common == 0:
                self._next = 0
            a = self._new() if first == 0 else 0
            b = 0 if second == 15 else self._recent_or_new(second)
            c = 0 if third == 15 else self._recent_or_new(third)
            if first == 15:
                a = self._last = self._far()
            if second == 15:
                b = self._last = self._far()
            if third == 15:
                c = self._last = self._far()
        fresh = (0,) if code < 0xFE else (0, 15)
        self._push(a)
        if second in fresh:
            self._push(b)
        if third in fresh:
            self._push(c)
        self._push_edges((b, a), (c, b), (a, c))
        return a, b, c

    def _new(self) -> int:
        self._next += 1
        return self._next - 1

    def _recent_or_new(self, age: int) -> int:
        return self._new() if age == 0 else self._vertices[self._vertex - age & 15]

    def _far(self) -> int:
        return self._last + self._reader.step() & 0xFFFFFFFF

    def _push(self, vertex: int) -> None:
        self._vertices[self._vertex] = vertex
        self._vertex = self._vertex + 1 & 15

    def _push_edges(self, *edges: tuple[int, int]) -> None:
        for edge in edges:
            self._edges[self._edge] = edge
            self._edge = self._edge + 1 & 15


def _sequence(data: bytes, count: int) -> list[int]:
    """Indices without triangles, each near one of two others."""
    if len(data) < 5 or data[0] & 0xF0 != _INDICES_HEADER or data[0] & 15 > 1:
        raise MeshoptError("no indices of version 0 or 1")
    reader = _Reader(data, 1, len(data) - 4)
    last = [0, 0]
    indices = []
    for _ in range(count):
        number = reader.number()
        base, number = number & 1, number >> 1
        last[base] = last[base] + (number >> 1 ^ -(number & 1)) & 0xFFFFFFFF
        indices.append(last[base])
    return indices


def _filtered(decoded: Bytes, stride: int, filter_name: str) -> Bytes:
    match filter_name:
        case "NONE":
            return decoded
        case "OCTAHEDRAL" if stride in (4, 8):
            return _octahedral(decoded.view(np.int8 if stride == 4 else "<i2").reshape(-1, 4))
        case "QUATERNION" if stride == 8:
            return _quaternions(decoded.view("<i2").reshape(-1, 4))
        case "EXPONENTIAL":
            words = decoded.view("<i4")
            return np.asarray(np.ldexp((words << 8 >> 8).astype(np.float32), words >> 24), "<f4").view(np.uint8)
    raise MeshoptError(f"no filter {filter_name} for elements of {stride} bytes")


def _octahedral(values: NDArray[np.signedinteger]) -> Bytes:
    """Unit vectors from two coordinates of an octahedron; the third value is that of 1."""
    x, y = values[:, 0].astype(np.float32), values[:, 1].astype(np.float32)
    z = values[:, 2].astype(np.float32) - np.abs(x) - np.abs(y)
    below = np.minimum(z, 0.0)
    x, y = x + np.where(x >= 0.0, below, -below), y + np.where(y >= 0.0, below, -below)
    vectors = np.stack([x, y, z], axis=1)
    length = np.maximum(np.sqrt((vectors * vectors).sum(axis=1, keepdims=True)), 1e-12)
    result = values.copy()
    result[:, :3] = np.rint(vectors * (np.iinfo(values.dtype).max / length))
    return np.ascontiguousarray(result).view(np.uint8).reshape(-1)


def _quaternions(values: NDArray[np.int16]) -> Bytes:
    """Unit quaternions from the three smaller components; the fourth value has their scale and which is missing."""
    missing = values[:, 3] & 3
    scale = np.float32(np.sqrt(0.5)) / (values[:, 3] | 3).astype(np.float32)
    parts = values[:, :3].astype(np.float32) * scale[:, None]
    largest = np.sqrt(np.maximum(1.0 - (parts * parts).sum(axis=1), 0.0))
    every = np.rint(np.concatenate([largest[:, None], parts], axis=1) * 32767.0).astype("<i2")
    result = np.empty_like(every)
    rows = np.arange(len(every))
    for place in range(4):
        result[rows, (missing + place) & 3] = every[:, place]
    return result.view(np.uint8).reshape(-1)
