"""Device accesses of usages, for the oracle.

This table is independent of the one that barriers are derived from (``render/sync/scopes.py``), so that a mistake in
either shows.
"""

from __future__ import annotations

from collections.abc import Collection

from renderwright.render.sync.oracle.names import ACCESSES, STAGES
from renderwright.render.types.usages import ShaderStage, ShaderStages, Usage

RENDERED = frozenset({Usage.COLOR, Usage.DEPTH, Usage.DEPTH_READ, Usage.RESOLVE})
"""Usages as an attachment, whose accesses belong to rendering."""

_SHADERS = {
    ShaderStage.VERTEX: STAGES["VERTEX_SHADER"],
    ShaderStage.FRAGMENT: STAGES["FRAGMENT_SHADER"],
    ShaderStage.COMPUTE: STAGES["COMPUTE_SHADER"],
}
_IN_SHADERS = {
    Usage.SAMPLED: ACCESSES["SHADER_SAMPLED_READ"],
    Usage.UNIFORM: ACCESSES["UNIFORM_READ"],
    Usage.STORAGE: ACCESSES["SHADER_STORAGE_READ"] | ACCESSES["SHADER_STORAGE_WRITE"],
    Usage.STORAGE_READ: ACCESSES["SHADER_STORAGE_READ"],
    Usage.STORAGE_WRITE: ACCESSES["SHADER_STORAGE_WRITE"],
}
_FIXED = {
    Usage.VERTEX: ("VERTEX_ATTRIBUTE_INPUT", "VERTEX_ATTRIBUTE_READ"),
    Usage.INDEX: ("INDEX_INPUT", "INDEX_READ"),
    Usage.INDIRECT: ("DRAW_INDIRECT", "INDIRECT_COMMAND_READ"),
    Usage.COPY_SRC: ("COPY", "TRANSFER_READ"),
}
_LAYOUTS = {
    Usage.SAMPLED: "SHADER_READ_ONLY_OPTIMAL",
    Usage.STORAGE: "GENERAL",
    Usage.STORAGE_READ: "GENERAL",
    Usage.STORAGE_WRITE: "GENERAL",
    Usage.COPY_SRC: "TRANSFER_SRC_OPTIMAL",
    Usage.COPY_DST: "TRANSFER_DST_OPTIMAL",
    Usage.COLOR: "COLOR_ATTACHMENT_OPTIMAL",
    Usage.RESOLVE: "COLOR_ATTACHMENT_OPTIMAL",
    Usage.DEPTH: "DEPTH_STENCIL_ATTACHMENT_OPTIMAL",
    Usage.DEPTH_READ: "DEPTH_STENCIL_READ_ONLY_OPTIMAL",
}


def device_access(usage: Usage, stages: ShaderStages) -> tuple[int, int] | None:
    """The stages and accesses of a usage; None for accesses by rendering, the host or the display.

    A copy may also be a fill or a clear, which has another stage.
    """
    if usage in _IN_SHADERS:
        return sum(_SHADERS[stage] for stage in stages), _IN_SHADERS[usage]
    if usage is Usage.COPY_DST:
        return STAGES["COPY"] | STAGES["CLEAR"], ACCESSES["TRANSFER_WRITE"]
    if usage in _FIXED:
        stage_name, access_name = _FIXED[usage]
        return STAGES[stage_name], ACCESSES[access_name]
    return None


def layout_for(usages: Collection[Usage], *, general: bool = False) -> str:
    """The layout of a texture with these usages in one node; with ``general``, the general layout."""
    if general:
        return "GENERAL"
    wanted = {_LAYOUTS[usage] for usage in usages if usage in _LAYOUTS}
    if wanted == {_LAYOUTS[Usage.SAMPLED], _LAYOUTS[Usage.DEPTH_READ]}:
        return _LAYOUTS[Usage.DEPTH_READ]
    if wanted == {_LAYOUTS[Usage.DEPTH], _LAYOUTS[Usage.DEPTH_READ]}:
        return _LAYOUTS[Usage.DEPTH]
    return wanted.pop() if len(wanted) == 1 else "GENERAL"
