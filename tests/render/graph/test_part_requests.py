"""Asking for mips and layers of a texture, and the mistakes that fail at the line that made them."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from renderwright.render.errors import GraphError
from renderwright.render.graph.node_requests import requested
from renderwright.render.graph.registry import Registry
from renderwright.render.graph.source import caller_location
from renderwright.render.types.parts import WHOLE, Part
from renderwright.render.types.resources import Buffer, Texture

CUBE = Texture("rgba8_unorm", (64, 64), mips=4, layers=6)


def build(reg: Registry):
    return requested(reg).declaration(caller_location(), 0, True)


def test_a_request_says_which_mips_and_layers() -> None:
    reg = Registry("n", "")
    reg.create("cube", CUBE).mip(1).layers(2, 3).color()
    reg.modify("other").layer(5).storage()
    reg.read("third").mips(0, 2).sampled()
    reg.read("whole").sampled()
    parts = [request.part for request in build(reg).requests]
    assert parts == [Part((1, 1), (2, 3)), Part(None, (5, 1)), Part((0, 2), None), WHOLE]


def test_one_verb_may_be_requested_once_for_each_part() -> None:
    reg = Registry("n", "")
    reg.modify("t").mip(0).sampled().bind("source")
    reg.modify("t").mip(1).color()
    assert [request.part.mips for request in build(reg).requests] == [(0, 1), (1, 1)]


MISTAKES: dict[str, tuple[Callable[[Registry], object], str]] = {
    "beyond the mips": (lambda reg: reg.create("t", CUBE).mip(4), '"t" has 4 mips, so no mip 4'),
    "beyond the layers": (lambda reg: reg.create("t", CUBE).layers(4, 3), '"t" has 6 layers, so no layers 4 to 6'),
    "negative": (lambda reg: reg.read("t").mip(-1), '"t" cannot be used with 1 mips from number -1 on'),
    "nothing": (lambda reg: reg.read("t").layers(0, 0), '"t" cannot be used with 0 layers from number 0 on'),
    "twice": (lambda reg: reg.read("t").mip(0).mips(1, 2), 'the request for "t" already has a range of mips'),
    "of a buffer": (lambda reg: reg.create("t", Buffer(16)).layer(0), '"t" is a buffer; only textures have layers'),
    "of a blob": (lambda reg: reg.read("t", int).mip(0), '"t" is a blob; only textures have mips'),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_wrong_part_fails_at_once(mistake: str) -> None:
    make, message = MISTAKES[mistake]
    with pytest.raises(GraphError) as caught:
        make(Registry("n", ""))
    assert message in str(caught.value)
    assert "test_part_requests.py" in str(caught.value)


def test_a_node_may_read_a_part_of_what_it_creates() -> None:
    reg = Registry("n", "")
    reg.create("t", CUBE).mip(0).color()
    reg.read("t").mip(1).sampled()
    assert len(build(reg).requests) == 2


def test_two_requests_with_one_verb_have_nothing_in_common() -> None:
    reg = Registry("n", "")
    reg.modify("t").mips(0, 2).sampled()
    reg.modify("t").mip(1).color()
    with pytest.raises(GraphError, match='"n" has two modify requests for "t": mips 0 to 1 and mip 1'):
        build(reg)
    reg = Registry("n", "")
    reg.modify("t").sampled()
    with pytest.raises(GraphError, match='"n" has two modify requests for "t"'):
        reg.modify("t")
    reg = Registry("n", "")
    reg.create("t", CUBE).layer(0).color()
    with pytest.raises(GraphError, match='"n" has two create requests for "t"'):
        reg.create("t", CUBE)
