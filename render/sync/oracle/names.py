"""Vulkan's stages, accesses and layouts by name, and the order of stages by the specification.

Names are Vulkan's without prefix and suffix (``FRAGMENT_SHADER``); several are joined by ``|``. Numbers are Vulkan's.
Source: Vulkan 1.4, chapter "Synchronization and Cache Control", tables of supported access types and of stage order.
"""

from __future__ import annotations

from functools import cache

STAGES = {
    "TOP_OF_PIPE": 0x1,
    "DRAW_INDIRECT": 0x2,
    "VERTEX_INPUT": 0x4,
    "VERTEX_SHADER": 0x8,
    "TESSELLATION_CONTROL_SHADER": 0x10,
    "TESSELLATION_EVALUATION_SHADER": 0x20,
    "GEOMETRY_SHADER": 0x40,
    "FRAGMENT_SHADER": 0x80,
    "EARLY_FRAGMENT_TESTS": 0x100,
    "LATE_FRAGMENT_TESTS": 0x200,
    "COLOR_ATTACHMENT_OUTPUT": 0x400,
    "COMPUTE_SHADER": 0x800,
    "ALL_TRANSFER": 0x1000,
    "BOTTOM_OF_PIPE": 0x2000,
    "HOST": 0x4000,
    "ALL_GRAPHICS": 0x8000,
    "ALL_COMMANDS": 0x10000,
    "COPY": 0x1_0000_0000,
    "RESOLVE": 0x2_0000_0000,
    "BLIT": 0x4_0000_0000,
    "CLEAR": 0x8_0000_0000,
    "INDEX_INPUT": 0x10_0000_0000,
    "VERTEX_ATTRIBUTE_INPUT": 0x20_0000_0000,
    "PRE_RASTERIZATION_SHADERS": 0x40_0000_0000,
}

ACCESSES = {
    "INDIRECT_COMMAND_READ": 0x1,
    "INDEX_READ": 0x2,
    "VERTEX_ATTRIBUTE_READ": 0x4,
    "UNIFORM_READ": 0x8,
    "INPUT_ATTACHMENT_READ": 0x10,
    "SHADER_READ": 0x20,
    "SHADER_WRITE": 0x40,
    "COLOR_ATTACHMENT_READ": 0x80,
    "COLOR_ATTACHMENT_WRITE": 0x100,
    "DEPTH_STENCIL_ATTACHMENT_READ": 0x200,
    "DEPTH_STENCIL_ATTACHMENT_WRITE": 0x400,
    "TRANSFER_READ": 0x800,
    "TRANSFER_WRITE": 0x1000,
    "HOST_READ": 0x2000,
    "HOST_WRITE": 0x4000,
    "MEMORY_READ": 0x8000,
    "MEMORY_WRITE": 0x10000,
    "SHADER_SAMPLED_READ": 0x1_0000_0000,
    "SHADER_STORAGE_READ": 0x2_0000_0000,
    "SHADER_STORAGE_WRITE": 0x4_0000_0000,
}

LAYOUTS = {
    "UNDEFINED": 0,
    "GENERAL": 1,
    "COLOR_ATTACHMENT_OPTIMAL": 2,
    "DEPTH_STENCIL_ATTACHMENT_OPTIMAL": 3,
    "DEPTH_STENCIL_READ_ONLY_OPTIMAL": 4,
    "SHADER_READ_ONLY_OPTIMAL": 5,
    "TRANSFER_SRC_OPTIMAL": 6,
    "TRANSFER_DST_OPTIMAL": 7,
    "PREINITIALIZED": 8,
    "DEPTH_ATTACHMENT_OPTIMAL": 1000241000,
    "DEPTH_READ_ONLY_OPTIMAL": 1000241001,
    "READ_ONLY_OPTIMAL": 1000314000,
    "ATTACHMENT_OPTIMAL": 1000314001,
    "PRESENT_SRC_KHR": 1000001002,
}

ALL_COMMANDS = STAGES["ALL_COMMANDS"]
HOST = STAGES["HOST"]

_GRAPHICS_ORDER = (
    STAGES["DRAW_INDIRECT"],
    STAGES["INDEX_INPUT"] | STAGES["VERTEX_ATTRIBUTE_INPUT"],
    STAGES["VERTEX_SHADER"],
    STAGES["TESSELLATION_CONTROL_SHADER"],
    STAGES["TESSELLATION_EVALUATION_SHADER"],
    STAGES["GEOMETRY_SHADER"],
    STAGES["EARLY_FRAGMENT_TESTS"],
    STAGES["FRAGMENT_SHADER"],
    STAGES["LATE_FRAGMENT_TESTS"],
    STAGES["COLOR_ATTACHMENT_OUTPUT"],
)
_COMPUTE_ORDER = (STAGES["DRAW_INDIRECT"], STAGES["COMPUTE_SHADER"])
_TRANSFERS = STAGES["COPY"] | STAGES["RESOLVE"] | STAGES["BLIT"] | STAGES["CLEAR"]
_GRAPHICS = sum(_GRAPHICS_ORDER)
_EVERYTHING = _GRAPHICS | STAGES["COMPUTE_SHADER"] | _TRANSFERS

_PARTS = {
    STAGES["VERTEX_INPUT"]: STAGES["INDEX_INPUT"] | STAGES["VERTEX_ATTRIBUTE_INPUT"],
    STAGES["PRE_RASTERIZATION_SHADERS"]: STAGES["VERTEX_SHADER"]
    | STAGES["TESSELLATION_CONTROL_SHADER"]
    | STAGES["TESSELLATION_EVALUATION_SHADER"]
    | STAGES["GEOMETRY_SHADER"],
    STAGES["ALL_TRANSFER"]: _TRANSFERS,
    STAGES["ALL_GRAPHICS"]: _GRAPHICS,
    ALL_COMMANDS: _EVERYTHING,
}

WRITE_ACCESSES = (
    ACCESSES["SHADER_WRITE"]
    | ACCESSES["COLOR_ATTACHMENT_WRITE"]
    | ACCESSES["DEPTH_STENCIL_ATTACHMENT_WRITE"]
    | ACCESSES["TRANSFER_WRITE"]
    | ACCESSES["HOST_WRITE"]
    | ACCESSES["MEMORY_WRITE"]
    | ACCESSES["SHADER_STORAGE_WRITE"]
)
ALL_ACCESSES = sum(ACCESSES.values())
_COLLECTIVE = sum(ACCESSES[name] for name in ("MEMORY_READ", "MEMORY_WRITE", "SHADER_READ", "SHADER_WRITE"))
_READ_ACCESSES = ALL_ACCESSES & ~WRITE_ACCESSES


@cache
def split(stages: int, *, source: bool) -> int:
    """The single stages of a mask; TOP_OF_PIPE and BOTTOM_OF_PIPE are interpreted for the given side."""
    empty, full = ("TOP_OF_PIPE", "BOTTOM_OF_PIPE") if source else ("BOTTOM_OF_PIPE", "TOP_OF_PIPE")
    single = stages & ~(STAGES[empty] | STAGES[full])
    if stages & STAGES[full]:
        single |= ALL_COMMANDS
    for whole, parts in _PARTS.items():
        if single & whole:
            single = single & ~whole | parts
    return single


@cache
def source_scope_stages(stages: int) -> int:
    """The stages of a source scope: those of the mask and all logically earlier ones."""
    single = split(stages, source=True)
    for order in (_GRAPHICS_ORDER, _COMPUTE_ORDER):
        earlier = 0
        for stage in reversed(order):
            if single & stage:
                earlier = sum(order[: order.index(stage)])
                break
        single |= earlier
    return single


@cache
def destination_scope_stages(stages: int) -> int:
    """The stages of a destination scope: those of the mask and all logically later ones."""
    single = split(stages, source=False)
    named = single
    for order in (_GRAPHICS_ORDER, _COMPUTE_ORDER):
        for number, stage in enumerate(order):
            if named & stage:
                single |= sum(order[number + 1 :])
                break
    return single


@cache
def accesses(mask: int) -> int:
    """An access mask with collective accesses expanded."""
    if mask & ACCESSES["MEMORY_READ"]:
        mask |= _READ_ACCESSES
    if mask & ACCESSES["MEMORY_WRITE"]:
        mask |= WRITE_ACCESSES
    if mask & ACCESSES["SHADER_READ"]:
        mask |= ACCESSES["SHADER_SAMPLED_READ"] | ACCESSES["SHADER_STORAGE_READ"]
    if mask & ACCESSES["SHADER_WRITE"]:
        mask |= ACCESSES["SHADER_STORAGE_WRITE"]
    return mask & ~_COLLECTIVE


@cache
def bits(mask: int) -> tuple[int, ...]:
    """The numbers of the bits that are set."""
    return tuple(number for number in range(mask.bit_length()) if mask >> number & 1)


@cache
def spell(mask: int, *, access: bool = False) -> str:
    """A mask of stages (or of accesses) as names joined by ``|``; ``NONE`` for an empty one."""
    table = ACCESSES if access else STAGES
    known = [name for name, bit in table.items() if mask & bit]
    rest = mask & ~sum(table.values())
    return "|".join(known + ([hex(rest)] if rest else [])) or "NONE"


_READ_ONLY = {
    "SHADER_READ_ONLY_OPTIMAL",
    "DEPTH_STENCIL_READ_ONLY_OPTIMAL",
    "DEPTH_READ_ONLY_OPTIMAL",
    "READ_ONLY_OPTIMAL",
}
_DEPTH = {
    "DEPTH_STENCIL_ATTACHMENT_OPTIMAL",
    "DEPTH_STENCIL_READ_ONLY_OPTIMAL",  # a store operation counts as a write even in a read-only layout
    "DEPTH_ATTACHMENT_OPTIMAL",
    "DEPTH_READ_ONLY_OPTIMAL",
    "READ_ONLY_OPTIMAL",
    "ATTACHMENT_OPTIMAL",
}
_COLOR = {"COLOR_ATTACHMENT_OPTIMAL"} | _DEPTH  # depth is resolved by the same stage and accesses as colour
_ALLOWED: dict[str, set[str]] = {
    "SHADER_SAMPLED_READ": _READ_ONLY,
    "INPUT_ATTACHMENT_READ": _READ_ONLY,
    "COLOR_ATTACHMENT_READ": _COLOR,
    "COLOR_ATTACHMENT_WRITE": _COLOR,
    "DEPTH_STENCIL_ATTACHMENT_READ": _DEPTH,
    "DEPTH_STENCIL_ATTACHMENT_WRITE": _DEPTH,
    "TRANSFER_READ": {"TRANSFER_SRC_OPTIMAL"},
    "TRANSFER_WRITE": {"TRANSFER_DST_OPTIMAL"},
    "SHADER_STORAGE_READ": set(),
    "SHADER_STORAGE_WRITE": set(),
}


@cache
def layout_allows(layout: str, access: int) -> bool:
    """Whether a layout allows an access; GENERAL allows all."""
    if layout == "GENERAL":
        return True
    return all(layout in allowed for name, allowed in _ALLOWED.items() if access & ACCESSES[name])
