"""Estimated sizes of resources, for use before resolutions have values."""

from __future__ import annotations

from renderwright.render.compiler.rates import kept_resources
from renderwright.render.compiler.values.instances import InstanceGraph
from renderwright.render.formats import FORMATS
from renderwright.render.types.resources import Blob, Buffer, Resolution, ResourceDesc, Texture

REFERENCE_TEXELS = 1920 * 1080
"""The texels of an auto-resolution at scale 1, whatever its value will be."""

_UNKNOWN_TEXEL_BYTES = 4
_MIP_CHAIN = 4 / 3


def resource_bytes(graph: InstanceGraph) -> dict[str, float]:
    """Estimated bytes by resource id; 0 for resources whose memory does not depend on the order.

    Those are blobs (no GPU memory), external resources (memory of others), and resources that a node with a rate of its
    own keeps between frames (always live).
    """
    kept = kept_resources(graph)
    return {
        item.id: 0.0 if item.resource.external or item.id in kept else estimated_bytes(item.resource.desc)
        for item in graph.resources
    }


def estimated_bytes(desc: ResourceDesc) -> float:
    """Bytes of a resource, for comparison only.

    The order must not depend on real sizes, since a resize would shuffle the frame. Auto-resolutions count as 1920 x
    1080 times the square of their scale; fixed sizes count as they are.
    """
    if isinstance(desc, Blob):
        return 0.0
    if isinstance(desc, Buffer):
        return desc.size * (REFERENCE_TEXELS * desc.each.scale**2 if desc.each is not None else 1.0)
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
