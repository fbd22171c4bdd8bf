"""The synchronisation scope of each usage of a resource: stages, accesses and layout.

This table is the only place where a declared usage becomes a synchronisation scope.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property, reduce
from operator import or_

from renderwright.render.sync.flags import WRITES, Access, Layout, Stage
from renderwright.render.types.usages import ShaderStage, ShaderStages, Usage


@dataclass(frozen=True)
class Scope:
    """The synchronisation scope of one use: pipeline stages, memory accesses and layout (images only)."""

    stages: Stage
    access: Access
    layout: Layout

    @cached_property
    def writes(self) -> bool:
        """Whether the use changes the resource's contents."""
        return bool(self.access & WRITES)

    @cached_property
    def write_access(self) -> Access:
        """The part of the access that has to be made available."""
        return self.access & WRITES


_SHADER_STAGES = {
    ShaderStage.VERTEX: Stage.VERTEX_SHADER,
    ShaderStage.FRAGMENT: Stage.FRAGMENT_SHADER,
    ShaderStage.COMPUTE: Stage.COMPUTE_SHADER,
}

_DEPTH_TESTS = Stage.EARLY_FRAGMENT_TESTS | Stage.LATE_FRAGMENT_TESTS

_SHADER_SCOPES = {
    Usage.SAMPLED: (Access.SHADER_SAMPLED_READ, Layout.SHADER_READ_ONLY),
    Usage.STORAGE: (Access.SHADER_STORAGE_READ | Access.SHADER_STORAGE_WRITE, Layout.GENERAL),
    Usage.STORAGE_READ: (Access.SHADER_STORAGE_READ, Layout.GENERAL),
    Usage.STORAGE_WRITE: (Access.SHADER_STORAGE_WRITE, Layout.GENERAL),
    Usage.UNIFORM: (Access.UNIFORM_READ, Layout.UNDEFINED),
}

_FIXED_SCOPES = {
    Usage.COLOR: Scope(
        Stage.COLOR_ATTACHMENT_OUTPUT,
        Access.COLOR_ATTACHMENT_READ | Access.COLOR_ATTACHMENT_WRITE,
        Layout.COLOR_ATTACHMENT,
    ),
    Usage.RESOLVE: Scope(Stage.COLOR_ATTACHMENT_OUTPUT, Access.COLOR_ATTACHMENT_WRITE, Layout.COLOR_ATTACHMENT),
    Usage.DEPTH: Scope(
        _DEPTH_TESTS,
        Access.DEPTH_STENCIL_ATTACHMENT_READ | Access.DEPTH_STENCIL_ATTACHMENT_WRITE,
        Layout.DEPTH_ATTACHMENT,
    ),
    Usage.DEPTH_READ: Scope(_DEPTH_TESTS, Access.DEPTH_STENCIL_ATTACHMENT_READ, Layout.DEPTH_READ_ONLY),
    Usage.VERTEX: Scope(Stage.VERTEX_ATTRIBUTE_INPUT, Access.VERTEX_ATTRIBUTE_READ, Layout.UNDEFINED),
    Usage.INDEX: Scope(Stage.INDEX_INPUT, Access.INDEX_READ, Layout.UNDEFINED),
    Usage.INDIRECT: Scope(Stage.DRAW_INDIRECT, Access.INDIRECT_COMMAND_READ, Layout.UNDEFINED),
    # Fills and image clears are CLEAR-stage commands in synchronization2, so a destination of "copy" covers both.
    Usage.COPY_DST: Scope(Stage.COPY | Stage.CLEAR, Access.TRANSFER_WRITE, Layout.TRANSFER_DST),
    Usage.COPY_SRC: Scope(Stage.COPY, Access.TRANSFER_READ, Layout.TRANSFER_SRC),
    Usage.PRESENT: Scope(Stage.NONE, Access.NONE, Layout.PRESENT_SRC),
    Usage.HOST_READ: Scope(Stage.HOST, Access.HOST_READ, Layout.GENERAL),
}


@cache
def scope_of(usage: Usage, stages: ShaderStages) -> Scope:
    """The scope of ``usage``; ``stages`` matter to shader usages only."""
    if usage in _SHADER_SCOPES:
        access, layout = _SHADER_SCOPES[usage]
        return Scope(reduce(or_, [_SHADER_STAGES[stage] for stage in stages]), access, layout)
    return _FIXED_SCOPES[usage]
