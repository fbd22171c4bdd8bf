"""Names and words of the fixed-function state of pipelines."""

from __future__ import annotations

STATE_KEYS = (
    "topology",
    "cull",
    "depth_test",
    "depth_write",
    "depth_bias",
    "depth_clamp",
    "blend",
    "color_write",
    "vertex",
    "vertex_stride",
)
"""The keys of ``PipelineDesc.state``, which describes their values."""

TOPOLOGIES = ("triangles", "lines", "points")
CULLS = ("none", "back", "front")
COMPARES = ("none", "greater", "greater_equal", "equal", "less", "always")
BLENDS = ("none", "alpha", "add", "premultiplied", "transparent")
CHANNELS = "rgba"
"""The channels that ``color_write`` has some of."""
