"""Pictures of a capture: textures made smaller, with the values that their texels have."""

from __future__ import annotations

import base64
import hashlib
import zlib
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from renderwright.engine.dumps.texels import values_of
from renderwright.render.formats import Aspect, format_named
from renderwright.render.runtime.lowering.texture_copies import CopiedTexels

PIXELS = 160
"""The longest side of a picture, where there is room for pictures of that size."""

ROOM = 3_000_000
"""Bytes of all pictures together, above which they become smaller."""

LEAST_PIXELS = 24

SINKS = 3
"""How much larger the last picture of a sink is."""

_UNSIGNED, _SIGNED = {1: 255, 2: 65535}, {1: 127, 2: 32767}


def pictures_of(
    copies: Sequence[CopiedTexels], sinks: Sequence[str] = (), pixels: int = PIXELS, room: int = ROOM
) -> list[dict[str, Any]]:
    """The pictures of copied textures, ``pixels`` large, or smaller if all of them take more than ``room`` bytes.

    What the frame is made for (the ``sinks``) is larger.
    """
    if pixels <= 0:
        return []
    last = {copied.resource: number for number, copied in enumerate(copies) if copied.resource in sinks}
    larger = set(last.values())
    while True:
        found = [
            picture_of(copied, pixels * (SINKS if number in larger else 1)) for number, copied in enumerate(copies)
        ]
        if sum(len(picture["data"]) for picture in found) <= room or pixels <= LEAST_PIXELS:
            return found
        pixels = max(LEAST_PIXELS, pixels * 3 // 4)


def picture_of(copied: CopiedTexels, pixels: int) -> dict[str, Any]:
    """One picture. ``low`` and ``high`` are over all texels of the texture, also those that the picture leaves out."""
    texels, scale = _plain(copied.info.format, copied.texels)
    named = format_named(copied.info.format)
    smaller = _smaller(texels, pixels)
    finite = np.isfinite(texels) if texels.dtype.kind == "f" else np.ones(texels.shape, bool)
    planes = np.ascontiguousarray(np.moveaxis(smaller, 2, 0)).astype(smaller.dtype.newbyteorder("<"))
    height, width, channels = texels.shape
    return {
        "node": copied.node,
        "resource": copied.resource,
        "mip": copied.mip,
        "layer": copied.layer,
        "layers": copied.info.layers,
        "format": copied.info.format,
        "extent": [width, height],
        "size": [smaller.shape[1], smaller.shape[0]],
        "channels": channels,
        "kind": "depth" if named.aspect is not Aspect.COLOR else "integer" if "int" in named.name else "color",
        "linear": "float" in named.name,
        "type": f"{smaller.dtype.kind}{smaller.dtype.itemsize}",
        "scale": scale,
        "low": [_bound(np.min, texels[..., one], finite[..., one]) for one in range(channels)],
        "high": [_bound(np.max, texels[..., one], finite[..., one]) for one in range(channels)],
        "nan": int(np.isnan(texels).any(axis=2).sum()) if texels.dtype.kind == "f" else 0,
        "infinite": int(np.isinf(texels).any(axis=2).sum()) if texels.dtype.kind == "f" else 0,
        "flat": bool((copied.texels == copied.texels[:1, :1]).all()),
        "digest": _digest(copied),
        "data": base64.b64encode(zlib.compress(planes.tobytes(), 6)).decode(),
    }


def _digest(copied: CopiedTexels) -> str:
    """Equal for equal texels of one format and size."""
    what = f"{copied.info.format} {copied.texels.shape}".encode()
    return hashlib.blake2b(copied.texels.tobytes(), digest_size=8, key=what[:64]).hexdigest()


def _plain(name: str, texels: NDArray[Any]) -> tuple[NDArray[Any], float]:
    """Texels as numbers, red first, and the number that stands for 1."""
    named = format_named(name).name
    if "11" in named:
        return values_of(named, texels).astype(np.float16), 1.0  # its numbers are halves without a sign
    if named.startswith(("a2b10", "d24")):
        return values_of(named, texels), 1.0
    if named.endswith(("_unorm", "_srgb")):
        return (texels[..., [2, 1, 0, 3]] if named.startswith("bgra") else texels), _UNSIGNED[texels.dtype.itemsize]
    return texels, _SIGNED[texels.dtype.itemsize] if named.endswith("_snorm") else 1.0


def _smaller(texels: NDArray[Any], pixels: int) -> NDArray[Any]:
    """Some of the texels, evenly spread, so that each value is one that the texture has."""
    height, width = texels.shape[:2]
    factor = max(height, width) / pixels
    if factor <= 1:
        return texels
    rows, columns = (max(1, round(side / factor)) for side in (height, width))
    at = [((np.arange(count) + 0.5) * side / count).astype(int) for count, side in ((rows, height), (columns, width))]
    smaller: NDArray[Any] = texels[at[0]][:, at[1]]
    return smaller


def _bound(pick: Any, values: NDArray[Any], finite: NDArray[np.bool_]) -> float:
    found = values[finite]
    return float(pick(found)) if found.size else 0.0
