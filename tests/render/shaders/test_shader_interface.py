from __future__ import annotations

import pytest

from renderwright.render.errors import ShaderError
from renderwright.render.formats import Numbers
from renderwright.render.shaders import (
    BindingKind,
    BlockMember,
    ShaderBinding,
    ShaderModule,
    merge_bindings,
    merge_push,
)
from renderwright.render.types.usages import ShaderStage

SAMPLED, STORAGE = BindingKind.SAMPLED, BindingKind.STORAGE_BUFFER


def modules(*bindings: tuple[ShaderBinding, ...]) -> list[ShaderModule]:
    stages = ((ShaderStage.VERTEX, "x/a.vert"), (ShaderStage.FRAGMENT, "x/a.frag"))
    return [ShaderModule(stage, file, "", b"", found) for (stage, file), found in zip(stages, bindings, strict=True)]


def pushes(*members: tuple[BlockMember, ...]) -> list[ShaderModule]:
    stages = ((ShaderStage.VERTEX, "x/a.vert"), (ShaderStage.FRAGMENT, "x/a.frag"))
    return [
        ShaderModule(stage, file, "", b"", push_members=found)
        for (stage, file), found in zip(stages, members, strict=True)
    ]


def test_merges_by_place_and_joins_writes():
    camera = ShaderBinding(0, 1, "camera", BindingKind.UNIFORM_BUFFER, size=16, members=(BlockMember("a", 0, "vec4"),))
    merged = merge_bindings(
        modules(
            (ShaderBinding(0, 3, "items", STORAGE), camera),
            (camera, ShaderBinding(0, 3, "items", STORAGE, writes=True), ShaderBinding(0, 0, "t", SAMPLED)),
        )
    )
    assert merged == (
        ShaderBinding(0, 0, "t", SAMPLED),
        camera,
        ShaderBinding(0, 3, "items", STORAGE, writes=True),
    )
    assert merge_bindings([]) == ()


@pytest.mark.parametrize("sizes", [(8, 20), (20, 8)])
def test_storage_that_stages_declare_differently_has_the_larger_size(sizes):
    merged = merge_bindings(modules(*[(ShaderBinding(0, 0, "items", STORAGE, size=size),) for size in sizes]))
    assert merged == (ShaderBinding(0, 0, "items", STORAGE, size=20),)


def block(size: int, *members: BlockMember) -> ShaderBinding:
    return ShaderBinding(0, 0, "b", BindingKind.UNIFORM_BUFFER, size=size, members=members)


@pytest.mark.parametrize(
    ("first", "second", "message"),
    [
        (
            ShaderBinding(0, 0, "a", SAMPLED),
            ShaderBinding(0, 0, "b", SAMPLED),
            'set 0 binding 0 is "a" in a.vert and "b" in a.frag',
        ),
        (
            ShaderBinding(0, 0, "a", SAMPLED),
            ShaderBinding(0, 0, "a", STORAGE),
            'set 0 binding 0 is sampled "a" in a.vert and storage buffer "a" in a.frag',
        ),
        (
            ShaderBinding(0, 0, "a", SAMPLED, shadow=True),
            ShaderBinding(0, 0, "a", SAMPLED, 2),
            r'shadow sampler "a" in a.vert and sampled "a"\[2\] in a.frag',
        ),
        (
            ShaderBinding(0, 0, "a", BindingKind.STORAGE_TEXTURE, format="r32f"),
            ShaderBinding(0, 0, "a", BindingKind.STORAGE_TEXTURE, format="r16f"),
            'r32f storage texture "a" in a.vert and r16f storage texture "a" in a.frag',
        ),
        (
            ShaderBinding(0, 0, "a", SAMPLED, numbers=Numbers.UNSIGNED),
            ShaderBinding(0, 0, "a", SAMPLED),
            'set 0 binding 0 is sampled "a" of unsigned integers in a.vert and sampled "a" in a.frag',
        ),
        (
            ShaderBinding(0, 0, "a", SAMPLED),
            ShaderBinding(1, 4, "a", SAMPLED),
            'the binding "a" is set 0 binding 0 in a.vert and set 1 binding 4 in a.frag',
        ),
        (
            block(16, BlockMember("x", 0, "float")),
            block(16, BlockMember("x", 0, "vec2")),
            'blocks "b" that differ at member "x" / "x"',
        ),
        (
            block(16, BlockMember("x", 0, "float")),
            block(16, BlockMember("x", 0, "float"), BlockMember("y", 4, "float")),
            "different numbers of members",
        ),
    ],
)
def test_conflicts(first, second, message):
    with pytest.raises(ShaderError, match=message) as caught:
        merge_bindings(modules((first,), (second,)))
    assert caught.value.hint


def test_two_bindings_of_one_number_in_one_file_are_named_with_the_line(tmp_path):
    file = tmp_path / "a.frag"
    file.write_text(
        "#version 450\nlayout(set = 0, binding = 1) uniform Settings { float x; } settings;\n\n"
        "layout(set = 0, binding = 1) uniform sampler2D depth;\n"
    )
    found = (
        ShaderBinding(0, 1, "depth", SAMPLED),
        ShaderBinding(0, 1, "settings", BindingKind.UNIFORM_BUFFER, size=16, members=(BlockMember("x", 0, "float"),)),
    )
    with pytest.raises(ShaderError) as caught:
        merge_bindings([ShaderModule(ShaderStage.FRAGMENT, str(file), "", b"", found)])
    assert str(caught.value.where) == f"{file}:4"
    assert caught.value.message == 'set 0 binding 1 is both "depth" and "settings" in a.frag'
    assert caught.value.hint == "give one of them another binding number"


def test_push_constants_of_both_stages():
    a, b, c = BlockMember("a", 0, "vec4"), BlockMember("b", 16, "float"), BlockMember("c", 20, "float")
    assert merge_push(pushes((a, b), (c, a))) == ((a, b, c), 24)
    assert merge_push(pushes((), ())) == ((), 0)


def test_push_constant_conflicts():
    with pytest.raises(ShaderError, match=r'"a" is vec4 at byte 0 in a.vert and vec4 at byte 16 in a.frag'):
        merge_push(pushes((BlockMember("a", 0, "vec4"),), (BlockMember("a", 16, "vec4"),)))
    with pytest.raises(ShaderError, match=r'"a" of a.vert and "b" of a.frag lie on the same bytes'):
        merge_push(pushes((BlockMember("a", 0, "vec4"),), (BlockMember("b", 12, "float"),)))
