"""Rules of the protocol in OpenGL's terms: barriers, units of bindings, texels of clears."""

from __future__ import annotations

import pytest

from renderwright.render.backend.null.resources import NullTexture
from renderwright.render.backend.opengl import enums as gl
from renderwright.render.backend.opengl.barriers import barrier_bits
from renderwright.render.backend.opengl.clears import texel_value
from renderwright.render.backend.opengl.units import units_of
from renderwright.render.backend.protocol import BoundBarrier
from renderwright.render.errors import ShaderError
from renderwright.render.shaders.module import UNSIZED, BindingKind, BlockMember, ShaderBinding, ShaderModule
from renderwright.render.shaders.opengl_words import PUSH_PLACE, place_of
from renderwright.render.sync.barriers import Barrier, BarrierReason, MemoryBarrier
from renderwright.render.sync.flags import Access, Layout, Stage
from renderwright.render.types.physical import TextureInfo
from renderwright.render.types.usages import ShaderStage, Usage

MOST = dict.fromkeys(BindingKind, 8)
HDR = NullTexture(TextureInfo("rgba16_sfloat", (8, 8), 1, 1, 1, frozenset({Usage.STORAGE})), "hdr")


def memory_barrier(before: Access, after: Access) -> MemoryBarrier:
    return MemoryBarrier(Stage.ALL_COMMANDS, before, Stage.ALL_COMMANDS, after, ())


def shader(*bindings: ShaderBinding, push: tuple[BlockMember, ...] = ()) -> ShaderModule:
    return ShaderModule(ShaderStage.COMPUTE, "test.comp", "", b"", bindings, 4 * len(push), push)


@pytest.mark.parametrize(
    ("before", "after", "bits"),
    [
        (Access.COLOR_ATTACHMENT_WRITE, Access.SHADER_SAMPLED_READ, 0),
        (Access.TRANSFER_WRITE, Access.INDIRECT_COMMAND_READ, 0),
        (Access.SHADER_STORAGE_WRITE, Access.SHADER_SAMPLED_READ, gl.TEXTURE_FETCH_BARRIER),
        (
            Access.SHADER_STORAGE_WRITE,
            Access.INDIRECT_COMMAND_READ | Access.INDEX_READ,
            gl.COMMAND_BARRIER | gl.ELEMENT_ARRAY_BARRIER,
        ),
        (
            Access.SHADER_SAMPLED_READ,
            Access.SHADER_STORAGE_WRITE,
            gl.SHADER_IMAGE_ACCESS_BARRIER | gl.SHADER_STORAGE_BARRIER,
        ),
    ],
)
def test_barriers_stand_where_shaders_store(before: Access, after: Access, bits: int) -> None:
    assert barrier_bits([memory_barrier(before, after)]) == bits


@pytest.mark.parametrize("coalesced", [False, True])
@pytest.mark.parametrize(
    ("before", "after", "bits"),
    [
        (Access(0), Access.COLOR_ATTACHMENT_WRITE, gl.FRAMEBUFFER_BARRIER),
        (Access.COLOR_ATTACHMENT_WRITE, Access.SHADER_SAMPLED_READ, 0),
    ],
)
def test_what_follows_readers_may_follow_an_earlier_store(
    before: Access, after: Access, bits: int, coalesced: bool
) -> None:
    stages = Stage.ALL_COMMANDS
    one = Barrier("hdr", 0, stages, before, stages, after, Layout.GENERAL, Layout.GENERAL, BarrierReason.READ_WRITE)
    barrier = MemoryBarrier(stages, before, stages, after, (one,)) if coalesced else BoundBarrier(one, HDR)
    assert barrier_bits([barrier]) == bits


def test_units_count_each_kind_through_all_sets() -> None:
    pictures = ShaderBinding(0, 0, "pictures", BindingKind.SAMPLED, count=3)
    block = ShaderBinding(0, 1, "Block", BindingKind.UNIFORM_BUFFER)
    picture = ShaderBinding(1, 0, "picture", BindingKind.SAMPLED)
    numbers = ShaderBinding(1, 1, "Numbers", BindingKind.STORAGE_BUFFER)
    units = units_of([shader(numbers, picture, block, pictures, push=(BlockMember("x", 0, "float"),))], "test", MOST)
    assert units.places == {
        place_of(0, 0): 0,
        place_of(0, 1): 0,
        place_of(1, 0): 3,
        place_of(1, 1): 0,
        PUSH_PLACE: 1,
    }


def test_push_constants_beyond_std140_take_a_storage_unit() -> None:
    numbers = ShaderBinding(0, 0, "Numbers", BindingKind.STORAGE_BUFFER)
    many = BlockMember("many", 0, "float", count=4, stride=4)
    units = units_of([shader(numbers, push=(many,))], "test", MOST)
    assert units.push is not None
    assert (units.push.uniform, units.push.point) == (False, 1)


def test_too_many_bindings_are_counted() -> None:
    pictures = ShaderBinding(0, 0, "pictures", BindingKind.STORAGE_TEXTURE, count=9)
    with pytest.raises(ShaderError, match='"test" binds 9 storage textures, and the device has 8'):
        units_of([shader(pictures)], "test", MOST)


def test_arrays_without_length_are_refused_by_the_field() -> None:
    pictures = ShaderBinding(0, 0, "pictures", BindingKind.SAMPLED, count=UNSIZED)
    with pytest.raises(ShaderError, match='"pictures" without length') as caught:
        units_of([shader(pictures)], "test", MOST)
    assert "Capabilities.indexed_textures" in caught.value.message
    assert "give the array a length" in caught.value.hint


def test_clears_of_srgb_textures_are_encoded() -> None:
    encoded = texel_value("rgba8_srgb", (0.5, 0.001, 2.0, 0.5)).data
    assert list(encoded) == pytest.approx([0.735357, 0.01292, 1.0, 0.5], abs=1e-5)
    assert list(texel_value("rgba8_unorm", (0.5, 0.0, 1.0, 0.5)).data) == [0.5, 0.0, 1.0, 0.5]
    assert list(texel_value("r32_uint", (7.0, 0.0, 0.0, 0.0)).data) == [7, 0, 0, 0]
