"""Names and words of the fixed-function state of pipelines."""

from __future__ import annotations

from collections.abc import Mapping

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
FURTHER_VERTEX_FORMATS = ("rgba8_snorm", "rgba8_uint", "rgba16_uint", "rgb32_uint", "rgb32_sfloat")
"""Formats of vertex attributes that no texture has."""
VERTEX_FORMATS = (
    *(name for name in FORMATS if FORMATS[name].aspect is Aspect.COLOR and not FORMATS[name].srgb),
    *FURTHER_VERTEX_FORMATS,
)
