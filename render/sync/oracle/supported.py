"""Which stages can perform which accesses.

Source: Vulkan 1.4, table "Supported Access Types".
"""

from __future__ import annotations

from functools import cache

from renderwright.render.sync.oracle.names import ACCESSES, ALL_COMMANDS, HOST, STAGES, spell, split

_VERTICES = split(STAGES["PRE_RASTERIZATION_SHADERS"], source=True)
_SHADERS = _VERTICES | STAGES["FRAGMENT_SHADER"] | STAGES["COMPUTE_SHADER"]
_TESTS = STAGES["EARLY_FRAGMENT_TESTS"] | STAGES["LATE_FRAGMENT_TESTS"]
_COPIES = STAGES["COPY"] | STAGES["RESOLVE"] | STAGES["BLIT"]
_SUPPORTING = {
    "INDIRECT_COMMAND_READ": STAGES["DRAW_INDIRECT"],
    "INDEX_READ": STAGES["INDEX_INPUT"],
    "VERTEX_ATTRIBUTE_READ": STAGES["VERTEX_ATTRIBUTE_INPUT"],
    "UNIFORM_READ": _SHADERS,
    "INPUT_ATTACHMENT_READ": STAGES["FRAGMENT_SHADER"],
    "SHADER_READ": _SHADERS,
    "SHADER_WRITE": _SHADERS,
    "SHADER_SAMPLED_READ": _SHADERS,
    "SHADER_STORAGE_READ": _SHADERS,
    "SHADER_STORAGE_WRITE": _SHADERS,
    "COLOR_ATTACHMENT_READ": STAGES["COLOR_ATTACHMENT_OUTPUT"],
    "COLOR_ATTACHMENT_WRITE": STAGES["COLOR_ATTACHMENT_OUTPUT"],
    "DEPTH_STENCIL_ATTACHMENT_READ": _TESTS,
    "DEPTH_STENCIL_ATTACHMENT_WRITE": _TESTS,
    "TRANSFER_READ": _COPIES,
    "TRANSFER_WRITE": _COPIES | STAGES["CLEAR"],
    "HOST_READ": HOST,
    "HOST_WRITE": HOST,
}
_NO_ACCESS = STAGES["TOP_OF_PIPE"] | STAGES["BOTTOM_OF_PIPE"]


@cache
def unsupported(stages: int, access: int) -> str:
    """Why no command can have these stages and accesses, in words; '' if one can."""
    single = split(stages & ~_NO_ACCESS, source=True)
    for name, supporting in _SUPPORTING.items():
        if access & ACCESSES[name] and not single & supporting:
            return f"{spell(stages)} does not perform {name}"
    if access and not single:
        return f"{spell(stages)} performs no access, but {spell(access, access=True)} is named"
    return ""


@cache
def supporting(access: int) -> str:
    """The stages that can perform these accesses, in words."""
    stages = 0
    for name, some in _SUPPORTING.items():
        if access & ACCESSES[name]:
            stages |= some
    return spell(stages or ALL_COMMANDS)
