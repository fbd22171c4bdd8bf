"""Plugins that leave undefined what they declare, with the words that ``--check`` finds for each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from hostile_plugins import adding

from renderwright.render.types.resources import Buffer, Texture

COLOR = Texture("rgba16_sfloat", (16, 16))


@dataclass(frozen=True)
class Careless:
    """A plugin, the resource that its message names ('' for none), and a part of the message."""

    plugin: object
    resource: str
    words: str


def node_of(request: Callable[[Any], Callable[[Any], None] | None]) -> object:
    """A plugin with a node that is always in the frame."""

    def declare(reg: Any) -> Callable[[Any], None] | None:
        reg.side_effects()
        return request(reg)

    return adding(declare)


def _idle(cmd: Any) -> None:
    """Record nothing."""


def _no_draw(reg: Any) -> Callable[[Any], None]:
    reg.create("thing", COLOR).color()
    reg.graphics("red.frag")
    return _idle


def _no_execute(reg: Any) -> None:
    reg.create("thing", COLOR).color()


def _draw_of_nothing(reg: Any) -> Callable[[Any], None]:
    reg.create("thing", COLOR).color()
    red = reg.graphics("red.frag")
    return lambda cmd: cmd.draw(red, vertices=0)


def _no_draw_in_a_chain(reg: Any) -> Callable[[Any], None]:
    reg.chain("post_hdr")
    reg.graphics("red.frag")
    return _idle


def _one_output_of_two(reg: Any) -> Callable[[Any], None]:
    reg.create("first", COLOR).color()
    reg.create("thing", COLOR).color()
    red = reg.graphics("red.frag")
    return lambda cmd: cmd.draw(red)


def _no_depth(reg: Any) -> Callable[[Any], None]:
    reg.create("color", COLOR).color()
    reg.create("thing", Texture("d32_sfloat", (16, 16))).depth()
    red = reg.graphics("red.frag")
    return lambda cmd: cmd.draw(red)


def _no_dispatch(reg: Any) -> Callable[[Any], None]:
    reg.create("thing", COLOR).storage_write()
    reg.compute("fill.comp")
    return _idle


def _dispatch_of_nothing(reg: Any) -> Callable[[Any], None]:
    reg.create("thing", COLOR).storage_write()
    fill = reg.compute("fill.comp")
    return lambda cmd: cmd.dispatch(fill, (0, 16))


def _another_storage(reg: Any) -> Callable[[Any], None]:
    reg.create("other", COLOR).storage_write().bind("thing")
    reg.create("thing", Buffer(64)).storage_write().bind("things")
    fill = reg.compute("fill.comp")
    return lambda cmd: cmd.dispatch(fill, (16, 16))


def _no_store(reg: Any) -> Callable[[Any], None]:
    reg.create("thing", COLOR).storage_write()
    fill = reg.compute("unwritten.comp")
    return lambda cmd: cmd.dispatch(fill, (16, 16))


def _no_copy(reg: Any) -> Callable[[Any], None]:
    reg.create("thing", Buffer(64)).copy_dst()
    return _idle


def _only_read(reg: Any) -> Callable[[Any], None]:
    reg.create("thing", COLOR).sampled()
    return _idle


def _no_push(reg: Any) -> Callable[[Any], None]:
    reg.create("thing", COLOR).color()
    tinted = reg.graphics("tinted.frag")

    def execute(cmd: Any) -> None:
        cmd.bind(tinted)
        cmd.recorder.draw(3)

    return execute


def _no_push_for_the_second(reg: Any) -> Callable[[Any], None]:
    reg.create("thing", COLOR).storage()
    scaled = reg.compute("scaled.comp")
    tinted = reg.compute("tinted.comp")

    def execute(cmd: Any) -> None:
        cmd.dispatch(scaled, (16, 16), scale=0.5)
        cmd.bind(tinted)
        cmd.recorder.dispatch(16, 16)

    return execute


def _full_screen(shader: str, *textures: str, draws: bool = True) -> object:
    """A plugin with a full-screen node that draws to these textures, or does not draw."""

    def request(reg: Any) -> Callable[[Any], None]:
        for name in textures:
            reg.create(name, COLOR).color()
        pipeline = reg.fullscreen(shader)
        return lambda cmd: cmd.draw(pipeline) if draws else None

    return node_of(request)


def _unused_push(reg: Any) -> Callable[[Any], None]:
    reg.create("thing", COLOR).storage_write()
    fill = reg.compute("fill.comp")
    return lambda cmd: cmd.dispatch(fill, (16, 16), strength=0.5)


UNUSED_PUSH = node_of(_unused_push)
"""A plugin that gives a push constant to a shader without any."""

CARELESS = {
    "no draw": Careless(node_of(_no_draw), "thing", "draws nothing to it"),
    "no execute function": Careless(node_of(_no_execute), "thing", "draws nothing to it"),
    "a draw of no vertices": Careless(node_of(_draw_of_nothing), "thing", "draws nothing to it"),
    "no draw in a chain member": Careless(
        node_of(_no_draw_in_a_chain), "post_hdr/hostile/node0", "draws nothing to it"
    ),
    "one output of two": Careless(node_of(_one_output_of_two), "thing", "red.frag, which has no output at location 1"),
    "no depth": Careless(node_of(_no_depth), "thing", "without depth_write"),
    "no dispatch": Careless(node_of(_no_dispatch), "thing", "records no dispatch or draw"),
    "a dispatch of no texels": Careless(node_of(_dispatch_of_nothing), "thing", "records no dispatch or draw"),
    "another storage buffer": Careless(node_of(_another_storage), "thing", 'fill.comp, which does not write "things"'),
    "a shader that stores nothing": Careless(
        node_of(_no_store), "thing", 'unwritten.comp, which does not write "thing"'
    ),
    "no copy": Careless(node_of(_no_copy), "thing", "records no copy, clear or fill"),
    "created to be read": Careless(node_of(_only_read), "thing", "only reads it (sampled)"),
    "no push constants": Careless(
        node_of(_no_push), "", 'tinted.frag without its push constants, which are undefined: "tint", "strength"'
    ),
    "no push constants for the second": Careless(
        node_of(_no_push_for_the_second), "", 'tinted.comp without its push constants, which are undefined: "tint"'
    ),
}
"""The mistakes by name."""

FULL_SCREEN = {
    "no draw": Careless(_full_screen("red.frag", "thing", draws=False), "thing", "draws nothing to it"),
    "one output of two": Careless(
        _full_screen("red.frag", "first", "thing"), "thing", "red.frag, which has no output at location 1"
    ),
}
"""Mistakes of full-screen nodes, by name."""
