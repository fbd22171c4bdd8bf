"""What shaders can have on a device."""

from __future__ import annotations

from renderwright.render.backend.opengl import enums as gl
from renderwright.render.backend.opengl.api import Api
from renderwright.render.backend.shader_limits import Groups, ShaderLimits
from renderwright.render.shaders.module import BindingKind
from renderwright.render.types.usages import ShaderStage

_IN_A_STAGE = {
    ShaderStage.VERTEX: {
        BindingKind.SAMPLED: gl.MAX_VERTEX_TEXTURE_IMAGE_UNITS,
        BindingKind.STORAGE_TEXTURE: gl.MAX_VERTEX_IMAGE_UNIFORMS,
        BindingKind.UNIFORM_BUFFER: gl.MAX_VERTEX_UNIFORM_BLOCKS,
        BindingKind.STORAGE_BUFFER: gl.MAX_VERTEX_SHADER_STORAGE_BLOCKS,
    },
    ShaderStage.FRAGMENT: {
        BindingKind.SAMPLED: gl.MAX_FRAGMENT_TEXTURE_IMAGE_UNITS,
        BindingKind.STORAGE_TEXTURE: gl.MAX_FRAGMENT_IMAGE_UNIFORMS,
        BindingKind.UNIFORM_BUFFER: gl.MAX_FRAGMENT_UNIFORM_BLOCKS,
        BindingKind.STORAGE_BUFFER: gl.MAX_FRAGMENT_SHADER_STORAGE_BLOCKS,
    },
    ShaderStage.COMPUTE: {
        BindingKind.SAMPLED: gl.MAX_COMPUTE_TEXTURE_IMAGE_UNITS,
        BindingKind.STORAGE_TEXTURE: gl.MAX_COMPUTE_IMAGE_UNIFORMS,
        BindingKind.UNIFORM_BUFFER: gl.MAX_COMPUTE_UNIFORM_BLOCKS,
        BindingKind.STORAGE_BUFFER: gl.MAX_COMPUTE_SHADER_STORAGE_BLOCKS,
    },
}


def shader_limits(api: Api, device: str) -> ShaderLimits:
    """The limits of the context, of the device with that name."""
    return ShaderLimits(
        device=device,
        bindings={
            stage: {kind: api.integer(limit) for kind, limit in limits.items()} for stage, limits in _IN_A_STAGE.items()
        },
        push_bytes=api.integer(gl.MAX_UNIFORM_BLOCK_SIZE),
        invocations=api.integer(gl.MAX_COMPUTE_WORK_GROUP_INVOCATIONS),
        group_size=_by_axis(api, gl.MAX_COMPUTE_WORK_GROUP_SIZE),
        groups=_by_axis(api, gl.MAX_COMPUTE_WORK_GROUP_COUNT),
    )


def _by_axis(api: Api, name: int) -> Groups:
    return api.integer(name, 0), api.integer(name, 1), api.integer(name, 2)
