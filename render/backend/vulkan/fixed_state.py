"""The words of fixed-function state in Vulkan's constants."""

from __future__ import annotations

from renderwright.render.backend.vulkan.api import lib
from renderwright.render.formats import FORMATS

TOPOLOGIES: dict[str, int] = {
    "triangles": lib.VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
    "lines": lib.VK_PRIMITIVE_TOPOLOGY_LINE_LIST,
    "points": lib.VK_PRIMITIVE_TOPOLOGY_POINT_LIST,
}
CULLS: dict[str, int] = {
    "none": lib.VK_CULL_MODE_NONE,
    "back": lib.VK_CULL_MODE_BACK_BIT,
    "front": lib.VK_CULL_MODE_FRONT_BIT,
}
COMPARES: dict[str, int] = {
    "none": lib.VK_COMPARE_OP_ALWAYS,
    "greater": lib.VK_COMPARE_OP_GREATER,
    "greater_equal": lib.VK_COMPARE_OP_GREATER_OR_EQUAL,
    "equal": lib.VK_COMPARE_OP_EQUAL,
    "less": lib.VK_COMPARE_OP_LESS,
    "always": lib.VK_COMPARE_OP_ALWAYS,
}
_ONE = lib.VK_BLEND_FACTOR_ONE
_INVERSE_ALPHA = lib.VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA
BLENDS: dict[str, tuple[int, int, int, int] | None] = {
    # (source colour, destination colour, source alpha, destination alpha)
    "none": None,
    "alpha": (lib.VK_BLEND_FACTOR_SRC_ALPHA, _INVERSE_ALPHA, _ONE, _INVERSE_ALPHA),
    "add": (_ONE, _ONE, _ONE, _ONE),
    "premultiplied": (_ONE, _INVERSE_ALPHA, _ONE, _INVERSE_ALPHA),
    "transparent": (_ONE, _INVERSE_ALPHA, lib.VK_BLEND_FACTOR_ZERO, _INVERSE_ALPHA),
}
CHANNELS: dict[str, int] = {
    "r": lib.VK_COLOR_COMPONENT_R_BIT,
    "g": lib.VK_COLOR_COMPONENT_G_BIT,
    "b": lib.VK_COLOR_COMPONENT_B_BIT,
    "a": lib.VK_COLOR_COMPONENT_A_BIT,
}
_FURTHER_VERTEX_FORMATS: dict[str, int] = {
    "rgba8_snorm": lib.VK_FORMAT_R8G8B8A8_SNORM,
    "rgba8_uint": lib.VK_FORMAT_R8G8B8A8_UINT,
    "rgba16_uint": lib.VK_FORMAT_R16G16B16A16_UINT,
    "rgb32_uint": lib.VK_FORMAT_R32G32B32_UINT,
    "rgb32_sfloat": lib.VK_FORMAT_R32G32B32_SFLOAT,
}


def vertex_format(name: str) -> int:
    """The VkFormat of a vertex attribute."""
    further = _FURTHER_VERTEX_FORMATS.get(name)
    return FORMATS[name].vk if further is None else further
