"""Refusals: they say what is asked for, what the device has, and what to do, alike on every device."""

from __future__ import annotations

import pytest

from renderwright.render.backend.protocol import Backend, PipelineDesc
from renderwright.render.errors import BackendError, ShaderError
from renderwright.render.shaders.module import BindingKind, ShaderModule
from renderwright.render.types.physical import BufferInfo, TextureInfo
from renderwright.render.types.usages import ShaderStage, Usage
from tests.on_devices import binding, buffer_info, texture_info

FAR = 1 << 24
"""More than any device has of texels along an edge, layers or bindings."""


@pytest.mark.parametrize(
    ("info", "asked", "hint"),
    [
        (
            texture_info("rgba8_srgb", (4, 4), Usage.STORAGE),
            'format "rgba8_srgb" as storage that shaders read and write',
            "use another format, such as rgba8_unorm",
        ),
        (texture_info("rgba8_unorm", (4, 4), Usage.DEPTH), "as a depth attachment", "such as d32_sfloat"),
        (
            texture_info("rgba8_unorm", (FAR, 4), Usage.SAMPLED),
            f'{FAR} x 4 texels in format "rgba8_unorm"',
            "at least 1 x 1 and at most [0-9]+ x [0-9]+ texels",
        ),
        (texture_info("rgba8_unorm", (0, 4), Usage.SAMPLED), "of 0 x 4 texels", "texels are possible"),
        (
            texture_info("rgba8_unorm", (4, 4), Usage.SAMPLED, mips=4),
            "of 4 mips",
            "at most 3 mips are possible at 4 x 4",
        ),
        (texture_info("rgba8_unorm", (4, 4), Usage.SAMPLED, layers=FAR), f"{FAR} layers", "layers are possible"),
        (texture_info("rgba8_unorm", (4, 4), Usage.COLOR, samples=128), "128 samples", "1.* or [0-9]+ samples"),
        (buffer_info(1 << 40, Usage.UNIFORM), "a uniform buffer of 1099511627776", "are possible; split it, or"),
        (buffer_info(0, Usage.STORAGE), "a buffer of 0 bytes", "at least one byte"),
    ],
    ids=["format", "aspect", "size", "nothing", "mips", "layers", "samples", "buffer", "empty"],
)
def test_resources_beyond_the_device(device: Backend, info: TextureInfo | BufferInfo, asked: str, hint: str) -> None:
    name = device.capabilities.device
    with pytest.raises(BackendError) as caught:
        device.texture_needs(info) if isinstance(info, TextureInfo) else device.buffer_needs(info)
    assert caught.value.message.startswith(f"{name} cannot ")
    assert asked in caught.value.message
    assert caught.match(hint)


def shader(**needs: object) -> ShaderModule:
    return ShaderModule(ShaderStage.COMPUTE, "needs.comp", "", b"", **needs)


@pytest.mark.parametrize(
    ("module", "asked", "hint"),
    [
        (
            shader(bindings=(binding(0, "pictures", BindingKind.STORAGE_TEXTURE, count=FAR),)),
            f'"needy" binds {FAR} storage textures, and ',
            "bind fewer in one node",
        ),
        (shader(push_size=FAR), f'"needy" has {FAR} bytes of push constants, and ', "reg.uniform"),
        (shader(local_size=(FAR, 2, 1)), f'"needy" has workgroups of {FAR} x 2 x 1 invocations', "local_size smaller"),
    ],
    ids=["bindings", "push constants", "workgroup"],
)
def test_shaders_beyond_the_device(device: Backend, module: ShaderModule, asked: str, hint: str) -> None:
    with pytest.raises(ShaderError) as caught:
        device.create_pipeline(PipelineDesc("needy", (module,)))
    assert asked in caught.value.message
    assert device.capabilities.device in caught.value.message
    assert hint in caught.value.hint
    assert caught.value.where is not None
    assert caught.value.where.file == "needs.comp"


def test_a_dispatch_beyond_the_device(device: Backend) -> None:
    with pytest.raises(BackendError, match=r"cannot run 1 x 4294967295 x 1 workgroups at once") as caught:
        device.recorder(0).dispatch(1, (1 << 32) - 1)
    assert "are possible; use larger workgroups" in caught.value.hint
    device.recorder(0).take()
