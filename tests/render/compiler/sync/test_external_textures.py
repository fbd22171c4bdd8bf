"""Textures from outside the frame: those that are read first come with contents, and are handed back as they came."""

from __future__ import annotations

import pytest
from ordered_frames import Compiled, Frame, Touch, compile_frame, compute, fragment

from renderwright.render.inspect.plan_stream import judge
from renderwright.render.sync.flags import Layout
from renderwright.render.types.parts import Part
from renderwright.render.types.usages import ShaderStage, Usage

ASSET, STORED, DRAWN = Layout.SHADER_READ_ONLY, Layout.GENERAL, Layout.COLOR_ATTACHMENT


def used(*touches: Touch, mips: int = 1) -> Compiled:
    """A frame whose nodes use a texture from outside in turn; the oracle finds nothing wrong with it."""
    frame = Frame().texture("photo", external=True, mips=mips).buffer("end").sink("end")
    for number, touch in enumerate(touches):
        frame.node(f"n{number}", touch, compute("end", Usage.STORAGE if number else Usage.STORAGE_WRITE))
    compiled = compile_frame(frame)
    assert judge([compiled] * 4).findings == ()
    return compiled


def layouts(compiled: Compiled) -> list[tuple[Layout, Layout]]:
    return [(one.old_layout, one.new_layout) for _, one in compiled.barriers("photo")]


@pytest.mark.parametrize(
    ("usage", "layout"),
    [
        (Usage.COPY_SRC, Layout.TRANSFER_SRC),
        (Usage.STORAGE_READ, STORED),
        (Usage.STORAGE, STORED),
    ],
)
def test_what_is_read_first_keeps_its_contents(usage: Usage, layout: Layout) -> None:
    assert layouts(used(compute("photo", usage))) == [(ASSET, layout), (layout, ASSET)]


def test_what_is_only_sampled_needs_no_barrier() -> None:
    assert layouts(used(compute("photo", Usage.SAMPLED), fragment("photo", Usage.SAMPLED))) == []


def test_what_is_read_and_then_written_keeps_its_contents() -> None:
    assert layouts(used(compute("photo", Usage.SAMPLED), fragment("photo", Usage.COLOR))) == [
        (ASSET, DRAWN),
        (DRAWN, ASSET),
    ]


def test_what_is_written_first_is_made_anew() -> None:
    assert layouts(used(compute("photo", Usage.STORAGE_WRITE), compute("photo", Usage.SAMPLED))) == [
        (Layout.UNDEFINED, STORED),
        (STORED, ASSET),
    ]


def test_a_part_that_is_read_first_brings_the_whole_texture() -> None:
    second = Touch("photo", Usage.SAMPLED, ShaderStage.COMPUTE, part=Part(mips=(1, 1)))
    first = Touch("photo", Usage.STORAGE_WRITE, ShaderStage.COMPUTE, part=Part(mips=(0, 1)))
    assert layouts(used(first, second, compute("photo", Usage.SAMPLED), mips=3)) == [(ASSET, STORED), (STORED, ASSET)]
