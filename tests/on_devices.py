"""Shaders, barriers and frames for tests of backends. Every test may import this."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from functools import cache
from typing import Any

from renderwright.render.backend.command_buffers import QueuedCommands
from renderwright.render.backend.protocol import AttachedTexture, Backend, BoundBarrier, Recorder
from renderwright.render.shaders.module import BindingKind, ShaderBinding, ShaderModule
from renderwright.render.sync.barriers import Barrier, BarrierReason
from renderwright.render.sync.flags import Access, Layout, Stage
from renderwright.render.sync.scopes import Scope, scope_of
from renderwright.render.types.attachments import Attachment, Load, Store
from renderwright.render.types.physical import BufferInfo, Physical, PhysicalTexture, TextureInfo
from renderwright.render.types.usages import ShaderStage, Usage
from tests.one_time import once

FULL_SCREEN = """#version 450
void main() {
    vec2 corner = vec2((gl_VertexIndex << 1) & 2, gl_VertexIndex & 2);
    gl_Position = vec4(corner * 2.0 - 1.0, 0.5, 1.0);
}
"""


@cache
def compile_glsl(stage: ShaderStage, source: str) -> bytes:
    command = ["glslc", f"-fshader-stage={stage.value}", "--target-env=vulkan1.3", "-o", "-", "-"]
    return subprocess.run(command, input=source.encode(), capture_output=True, check=True).stdout


def module(stage: ShaderStage, source: str, *bindings: ShaderBinding, push_size: int = 0) -> ShaderModule:
    spirv = compile_glsl(stage, source)
    return ShaderModule(stage, f"test.{stage.value}", source, spirv, bindings, push_size)


def vertex(source: str = FULL_SCREEN, *bindings: ShaderBinding, push_size: int = 0) -> ShaderModule:
    return module(ShaderStage.VERTEX, source, *bindings, push_size=push_size)


def fragment(source: str, *bindings: ShaderBinding, push_size: int = 0) -> ShaderModule:
    return module(ShaderStage.FRAGMENT, source, *bindings, push_size=push_size)


def compute(source: str, *bindings: ShaderBinding, push_size: int = 0) -> ShaderModule:
    return module(ShaderStage.COMPUTE, source, *bindings, push_size=push_size)


def binding(number: int, name: str, kind: BindingKind, **fields: Any) -> ShaderBinding:
    return ShaderBinding(0, number, name, kind, **fields)


def texture_info(
    format_name: str, extent: tuple[int, int], *usages: Usage, mips: int = 1, layers: int = 1, samples: int = 1
) -> TextureInfo:
    return TextureInfo(format_name, extent, mips, layers, samples, frozenset(usages))


def buffer_info(size: int, *usages: Usage) -> BufferInfo:
    return BufferInfo(size, frozenset(usages))


def use(usage: Usage, stage: ShaderStage = ShaderStage.FRAGMENT) -> Scope:
    return scope_of(usage, (stage,))


FRESH = Scope(Stage.NONE, Access.NONE, Layout.UNDEFINED)


def change(physical: Physical, before: Scope, after: Scope) -> BoundBarrier:
    """What the compiler would plan between two uses."""
    barrier = Barrier(
        resource=physical.name,
        copy=0,
        src_stages=before.stages,
        src_access=before.write_access,
        dst_stages=after.stages,
        dst_access=after.access,
        old_layout=before.layout,
        new_layout=after.layout,
        reason=BarrierReason.WRITE_READ,
    )
    return BoundBarrier(barrier, physical)


def attached(
    texture: PhysicalTexture,
    usage: Usage = Usage.COLOR,
    load: Load = Load.CLEAR,
    clear: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 0.0),
) -> AttachedTexture:
    return AttachedTexture(Attachment(texture.name, usage, load, Store.STORE, clear), texture, use(usage).layout)


def run_frame(backend: Backend, record: Callable[[Recorder], None], slot: int = 0) -> None:
    backend.begin_frame(slot)
    submissions: list[QueuedCommands] = []
    try:
        recorder = backend.recorder(slot)
        record(recorder)
        submissions.append(once(backend, slot, [recorder.take()]))
    finally:
        backend.end_frame(slot, submissions, None)
    backend.destroy(submissions[0].commands[0])
