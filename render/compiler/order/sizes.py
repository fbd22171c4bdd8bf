"""How large a resource will be, as far as anybody can tell before resolutions have values."""

from __future__ import annotations

from renderwright.render.formats import FORMATS
from renderwright.render.types.resources import Blob, Buffer, Resolution, ResourceDesc, Texture

REFERENCE_TEXELS = 1920 * 1080
"""The texels of an auto-resolution at scale 1, whatever its value will be."""

_UNKNOWN_TEXEL_BYTES = 4
_MIP_CHAIN = 4 / 3


def estimated_bytes(desc: ResourceDesc) -> float:
    """Bytes of a resource, for comparison only: the order is chosen before sizes are known, and must not depend on them
    (a resize would shuffle the frame).

    Auto-resolutions count as 1920 x 1080 times the square of their scale; fixed sizes count as they are.
    """
    if isinstance(desc, Blob):
        return 0.0
    if isinstance(desc, Buffer):
        return float(desc.size)
    return _texels(desc) * _texel_bytes(desc) * desc.layers * desc.samples


def _texels(desc: Texture) -> float:
    if isinstance(desc.size, Resolution):
        texels = REFERENCE_TEXELS * desc.size.scale**2
    else:
        texels = float(desc.size[0] * desc.size[1])
    return texels * _MIP_CHAIN if desc.mips > 1 else texels


def _texel_bytes(desc: Texture) -> int:
    known = FORMATS.get(desc.format)
    return known.texel_bytes if known else _UNKNOWN_TEXEL_BYTES
