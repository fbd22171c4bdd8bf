"""A plugin that creates what the skeleton makes, or repeats over a dimension that the graph lacks, is told the way."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from renderwright.engine.plugin_trial import try_plugin
from renderwright.engine.skeleton import find_skeleton
from renderwright.render.types.resources import Texture

Install = Callable[[Callable[[Any], object]], None]


def creates(name: str) -> Callable[[Any], object]:
    def declare(reg: Any) -> object:
        reg.create(name, Texture("rgba16_sfloat", reg.resolution("main_view"))).color()
        return lambda cmd: None

    return declare


@pytest.mark.parametrize(
    ("name", "node", "chain"), [("hdr", "transparent", "post_hdr"), ("hdr_lit", "lighting", "post_opaque")]
)
def test_the_source_of_a_chain_is_told_with_who_makes_it_and_how_to_use_it(
    name: str, node: str, chain: str, install: Install
) -> None:
    install(creates(name))
    fault = try_plugin("marbles", "extra").fault
    assert f"`{name}` is created by `{node}` and `extra/node`" in fault
    assert f"`{node}` makes it at {find_skeleton('deferred')}:" in fault
    ways = f'change it by reg.modify("{name}"), or join the chain that begins with it by reg.chain("{chain}")'
    assert f"{ways}; otherwise disable the plugin `extra`" in fault


def test_the_output_of_a_chain_is_told_with_who_makes_its_input(install: Install) -> None:
    install(creates("hdr_opaque"))
    fault = try_plugin("marbles", "extra").fault
    assert "`extra/node` creates `hdr_opaque`, which is the output of the chain `post_opaque`" in fault
    assert 'join the chain by reg.chain("post_opaque"), or change `hdr_lit`, its input, which `lighting` makes' in fault


@pytest.mark.parametrize("request_of", [lambda reg: reg.multiplex("views"), lambda reg: reg.multiview("views")])
def test_an_unknown_dimension_is_told_at_the_line_of_its_request(
    request_of: Callable[[Any], None], install: Install
) -> None:
    def declare(reg: Any) -> object:
        reg.modify("hdr").color()
        request_of(reg)
        return lambda cmd: None

    install(declare)
    fault = try_plugin("marbles", "extra").fault
    assert "over `views`, which is no dimension of this graph" in fault
    assert fault.startswith(f"{__file__}:{request_of.__code__.co_firstlineno}: ")
