"""Names and words of the fixed-function state of pipelines."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from renderwright.render.formats import FORMATS, Aspect

CHOICES: Mapping[str, tuple[str, ...]] = {
    "topology": ("triangles", "lines", "points"),
    "cull": ("none", "back", "front"),
    "depth_test": ("none", "greater", "greater_equal", "equal", "less", "always"),
    "blend": ("none", "alpha", "add", "premultiplied", "transparent"),
}
"""The words of the keys that have one of a few; the first is the default."""
STATE_KEYS = (*CHOICES, "depth_write", "depth_bias", "depth_clamp", "color_write", "vertex", "vertex_stride")
"""The keys of ``PipelineDesc.state``, which describes their values."""
CHANNELS = "rgba"
"""The channels that ``color_write`` has some of."""
FURTHER_VERTEX_FORMATS: Mapping[str, int] = {
    "rgba8_snorm": 4,
    "rgba8_uint": 4,
    "rgba16_uint": 8,
    "rgb32_uint": 12,
    "rgb32_sfloat": 12,
}
"""Formats of vertex attributes that no texture has, and their bytes."""
VERTEX_FORMATS = (
    *(name for name in FORMATS if FORMATS[name].aspect is Aspect.COLOR and not FORMATS[name].srgb),
    *FURTHER_VERTEX_FORMATS,
)


def vertex_format_bytes(name: str) -> int:
    """The bytes of an attribute of one of ``VERTEX_FORMATS``."""
    further = FURTHER_VERTEX_FORMATS.get(name)
    return FORMATS[name].texel_bytes if further is None else further


def bytes_of_a_vertex(attributes: Iterable[tuple[int, str, int]]) -> int:
    """The bytes from the start of a vertex to the end of its last attribute; attributes are those of ``vertex``."""
    return max((offset + vertex_format_bytes(name) for _, name, offset in attributes), default=0)
