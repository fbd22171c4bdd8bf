"""Nodes that render to targets of several sizes at once are named."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from typing import Any

import pytest

from renderwright.engine.options import PluginChoice
from renderwright.engine.session import Session
from renderwright.games.marbles import Marbles
from renderwright.render.backend.null.backend import NullBackend
from renderwright.render.errors import PluginError
from renderwright.render.types.resources import Texture


def play_strictly(plugin: str) -> list[str]:
    """The nodes of a frame with the plugin."""
    backend = NullBackend()
    session = Session(Marbles, backend, (32, 18), choice=PluginChoice(enable=(plugin,)), strict=True)
    with closing(session), closing(backend.create_target((32, 18))) as target:
        session.step()
        session.render(target)
        return [node.declaration.name for node in session.runtime.plan.graph.nodes]


def renders_beside(size: Any, kind: str) -> Callable[[Any], Callable[[Any], None]]:
    def declare(reg: Any) -> Callable[[Any], None]:
        reg.modify("albedo").color()
        own = reg.create("own", Texture("d32_sfloat" if kind == "depth" else "r8_unorm", size(reg)))
        own.depth(clear=0.0) if kind == "depth" else own.color()
        return lambda cmd: None

    return declare


@pytest.mark.parametrize("kind", ["color", "depth"])
@pytest.mark.parametrize(
    ("size", "words"), [(lambda reg: (16, 16), "16 x 16"), (lambda reg: reg.resolution("main_view", 0.5), "16 x 9")]
)
def test_a_node_whose_render_targets_have_several_sizes_is_named(
    kind: str, size: Any, words: str, install: Callable[[Callable[[Any], object]], None]
) -> None:
    declare = renders_beside(size, kind)
    install(declare)
    with pytest.raises(PluginError) as caught:
        play_strictly("extra")
    message = f'node "extra/node" renders to "albedo" of 32 x 18 and to "own" of {words} at once'
    assert message in caught.value.message
    assert "give them one size" in caught.value.hint
    assert caught.value.where is not None
    assert caught.value.where.file == __file__


def test_render_targets_that_a_resize_makes_unequal_are_named(
    install: Callable[[Callable[[Any], object]], None],
) -> None:
    install(renders_beside(lambda reg: (32, 18), "color"))
    backend = NullBackend()
    session = Session(Marbles, backend, (32, 18), choice=PluginChoice(enable=("extra",)), strict=True)
    with closing(session), closing(backend.create_target((32, 18))) as target:
        session.step()
        session.render(target)
        target.resize((64, 36))
        session.step()
        with pytest.raises(PluginError, match='renders to "albedo" of 64 x 36 and to "own" of 32 x 18'):
            session.render(target)


def test_targets_of_which_one_is_too_small_for_its_mip_are_not_named(
    install: Callable[[Callable[[Any], object]], None],
) -> None:
    def declare(reg: Any) -> Callable[[Any], None]:
        reg.modify("albedo").color()
        reg.create("own", Texture("r8_unorm", reg.resolution("main_view"), mips=8)).mip(7).color()
        return lambda cmd: None

    install(declare)
    assert "extra/node" in play_strictly("extra")


def test_render_targets_of_one_size_are_not_named(install: Callable[[Callable[[Any], object]], None]) -> None:
    install(renders_beside(lambda reg: reg.resolution("main_view"), "color"))
    assert "extra/node" in play_strictly("extra")
