"""Attachments that live within one render pass."""

from __future__ import annotations

import pytest
from ordered_frames import Frame, compile_frame, fragment, placement_of

from renderwright.render.compiler.values.placement import Placement
from renderwright.render.graph.snapshot import SizeInputs
from renderwright.render.types.attachments import Load, Store
from renderwright.render.types.physical import TextureInfo
from renderwright.render.types.usages import Usage


def transient(placement: Placement) -> set[str]:
    return {item.id for item in placement.resources if isinstance(item.info, TextureInfo) and item.info.transient}


def names(frame: Frame) -> set[str]:
    return transient(placement_of(frame.graph(), SizeInputs()))


def scene(*others: tuple[str, Usage]) -> Frame:
    """Two nodes that draw to ``color`` with ``depth`` and the ``others``."""
    frame = Frame().texture("color").texture("depth", format="d32_sfloat")
    for name, _ in others:
        frame.texture(name)
    touches = [fragment(name, usage) for name, usage in (("color", Usage.COLOR), ("depth", Usage.DEPTH), *others)]
    return frame.node("sky", *touches).node("trees", *touches)


def test_a_depth_buffer_that_nobody_reads_later_is_transient() -> None:
    frame = scene().node("show", fragment("color", Usage.SAMPLED))
    assert names(frame) == {"depth"}
    (attachment,) = (item for item in compile_frame(frame).pass_plan.passes[0].attachments if item.resource == "depth")
    assert (attachment.load, attachment.store) == (Load.DISCARD, Store.DISCARD)


def test_multisampled_color_is_transient_when_only_its_resolved_form_is_read() -> None:
    frame = scene(("resolved", Usage.RESOLVE)).node("show", fragment("resolved", Usage.SAMPLED))
    assert names(frame) == {"color", "depth"}


def test_a_pass_in_between_ends_it() -> None:
    frame = scene().texture("other").node("other", fragment("other", Usage.COLOR))
    frame.node("rocks", fragment("color", Usage.COLOR), fragment("depth", Usage.DEPTH))
    assert names(frame.node("show", fragment("color", Usage.SAMPLED))) == {"other"}


def test_other_attachments_are_another_pass() -> None:
    frame = scene().node("decals", fragment("color", Usage.COLOR), fragment("depth", Usage.DEPTH_READ))
    assert names(frame.node("show", fragment("color", Usage.SAMPLED))) == set()


@pytest.mark.parametrize(
    "frame",
    [
        scene().sink("color", "depth"),
        scene().node("next", fragment("depth", Usage.SAMPLED, history=True), fragment("color", Usage.SAMPLED)),
        scene().node("copy", fragment("depth", Usage.COPY_SRC), fragment("color", Usage.COPY_SRC)),
        Frame().texture("window", external=True).node("draw", fragment("window", Usage.COLOR)),
    ],
    ids=["a sink", "a history", "a copy", "external"],
)
def test_what_is_wanted_later_or_elsewhere_has_memory(frame: Frame) -> None:
    assert names(frame) == set()
