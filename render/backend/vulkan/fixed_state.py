"""The fixed-function state of a graphics pipeline, translated to Vulkan's constants."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from renderwright.render.backend.protocol import PipelineDesc
from renderwright.render.backend.vulkan.api import lib
from renderwright.render.errors import BackendError
from renderwright.render.formats import FORMATS
from renderwright.render.suggest import did_you_mean
from renderwright.render.types.pipeline_state import STATE_KEYS

_TOPOLOGIES: dict[str, int] = {
    "triangles": lib.VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
    "lines": lib.VK_PRIMITIVE_TOPOLOGY_LINE_LIST,
    "points": lib.VK_PRIMITIVE_TOPOLOGY_POINT_LIST,
}
_CULLS: dict[str, int] = {
    "none": lib.VK_CULL_MODE_NONE,
    "back": lib.VK_CULL_MODE_BACK_BIT,
    "front": lib.VK_CULL_MODE_FRONT_BIT,
}
_COMPARES: dict[str, int] = {
    "none": lib.VK_COMPARE_OP_ALWAYS,
    "greater": lib.VK_COMPARE_OP_GREATER,
    "greater_equal": lib.VK_COMPARE_OP_GREATER_OR_EQUAL,
    "equal": lib.VK_COMPARE_OP_EQUAL,
    "less": lib.VK_COMPARE_OP_LESS,
    "always": lib.VK_COMPARE_OP_ALWAYS,
}
_ONE = lib.VK_BLEND_FACTOR_ONE
_INVERSE_ALPHA = lib.VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA
_BLENDS: dict[str, tuple[int, int, int] | None] = {
    # (source colour, destination colour, destination alpha); the source alpha's factor is one
    "none": None,
    "alpha": (lib.VK_BLEND_FACTOR_SRC_ALPHA, _INVERSE_ALPHA, _INVERSE_ALPHA),
    "add": (_ONE, _ONE, _ONE),
    "premultiplied": (_ONE, _INVERSE_ALPHA, _INVERSE_ALPHA),
}
_CHANNELS: dict[str, int] = {
    "r": lib.VK_COLOR_COMPONENT_R_BIT,
    "g": lib.VK_COLOR_COMPONENT_G_BIT,
    "b": lib.VK_COLOR_COMPONENT_B_BIT,
    "a": lib.VK_COLOR_COMPONENT_A_BIT,
}
VERTEX_FORMATS: dict[str, int] = {
    **{name: FORMATS[name].vk for name in FORMATS if FORMATS[name].aspect == "color" and not FORMATS[name].srgb},
    "rgba8_snorm": lib.VK_FORMAT_R8G8B8A8_SNORM,
    "rgba8_uint": lib.VK_FORMAT_R8G8B8A8_UINT,
    "rgba16_uint": lib.VK_FORMAT_R16G16B16A16_UINT,
    "rgb32_uint": lib.VK_FORMAT_R32G32B32_UINT,
    "rgb32_sfloat": lib.VK_FORMAT_R32G32B32_SFLOAT,
}


@dataclass(frozen=True)
class VertexAttribute:
    """A vertex shader input: location, VkFormat, byte offset in the vertex."""

    location: int
    format: int
    offset: int


@dataclass(frozen=True)
class FixedState:
    """The state of a ``PipelineDesc`` with defaults, in Vulkan's constants."""

    topology: int
    cull: int
    depth_test: bool
    depth_compare: int
    depth_write: bool
    depth_bias: tuple[float, float] | None
    depth_clamp: bool
    blend: tuple[int, int, int] | None
    color_write: int
    attributes: tuple[VertexAttribute, ...]
    stride: int


def fixed_state(desc: PipelineDesc) -> FixedState:
    """The state of a description. Raises ``BackendError`` with the pipeline and the invalid key."""
    state = dict(desc.state)
    for key in state:
        if key not in STATE_KEYS:
            raise BackendError(f'pipeline "{desc.name}": unknown state "{key}"', hint=did_you_mean(key, STATE_KEYS))

    def choice(key: str, default: str, table: Mapping[str, Any]) -> Any:
        word = state.get(key, default)
        if word not in table:
            raise BackendError(f'pipeline "{desc.name}": {key} cannot be "{word}"', hint=f"one of {', '.join(table)}")
        return table[word]

    bias = state.get("depth_bias")
    return FixedState(
        topology=choice("topology", "triangles", _TOPOLOGIES),
        cull=choice("cull", "none", _CULLS),
        depth_test=state.get("depth_test", "none") != "none" or bool(state.get("depth_write", False)),
        depth_compare=choice("depth_test", "none", _COMPARES),
        depth_write=bool(state.get("depth_write", False)),
        depth_bias=(float(bias[0]), float(bias[1])) if bias else None,
        depth_clamp=bool(state.get("depth_clamp", False)),
        blend=choice("blend", "none", _BLENDS),
        color_write=_channels(desc, str(state.get("color_write", "rgba"))),
        attributes=tuple(
            VertexAttribute(location, _vertex_format(desc, name), offset)
            for location, name, offset in state.get("vertex", ())
        ),
        stride=int(state.get("vertex_stride", 0)),
    )


def _channels(desc: PipelineDesc, names: str) -> int:
    if not set(names) <= set(_CHANNELS):
        raise BackendError(
            f'pipeline "{desc.name}": color_write cannot be "{names}"', hint=f"some of {', '.join(_CHANNELS)}"
        )
    return sum(bit for name, bit in _CHANNELS.items() if name in names)


def _vertex_format(desc: PipelineDesc, name: str) -> int:
    if name not in VERTEX_FORMATS:
        raise BackendError(
            f'pipeline "{desc.name}": unknown vertex format "{name}"', hint=did_you_mean(name, VERTEX_FORMATS)
        )
    return VERTEX_FORMATS[name]
