"""Plugins that make NaN or infinity, which spreads, with the words that ``--check nan`` finds for each."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from careless_plugins import Careless
from hostile_plugins import adding

from renderwright.render.types.resources import Texture

SIZE = (16, 12)
HUGE = 1.0e30
NAN = {"zero": 0.0, "numerator": 0.0}
INFINITY = {"zero": 0.0, "numerator": 1.0}
FINE = {"zero": 1.0, "numerator": 0.0}
LARGE = {"zero": 1.0, "numerator": HUGE}


def _with_reader(declare: Callable[[Any], Callable[[Any], None]]) -> object:
    """A plugin with this node, and one that reads its texture; a pass does not store what nobody reads."""

    def read(reg: Any) -> Callable[[Any], None]:
        reg.read("thing").sampled().optional()
        reg.side_effects()
        return lambda cmd: None

    return adding(declare, read)


def _drawn(format: str, values: dict[str, float]) -> object:
    def declare(reg: Any) -> Callable[[Any], None]:
        reg.create("thing", Texture(format, SIZE)).color()
        value = reg.graphics("value.frag")
        return lambda cmd: cmd.draw(value, **values)

    return _with_reader(declare)


def _stored(format: str, values: dict[str, float]) -> object:
    def declare(reg: Any) -> Callable[[Any], None]:
        reg.create("thing", Texture(format, SIZE)).storage_write()
        value = reg.compute("value.comp")
        return lambda cmd: cmd.dispatch(value, SIZE, **values)

    return _with_reader(declare)


def _blended_to_the_picture(reg: Any) -> Callable[[Any], None]:
    reg.modify("/hdr").color()
    value = reg.graphics("value.frag", blend="add")
    return lambda cmd: cmd.draw(value, **NAN)


def _blended_to_one_frame(reg: Any) -> Callable[[Any], None]:
    reg.modify("/hdr").color()
    value = reg.graphics("value.frag", blend="add")

    def execute(cmd: Any) -> None:
        if cmd.frame == 1:
            cmd.draw(value, **NAN)

    return execute


def _in_an_own_history(reg: Any) -> Callable[[Any], None]:
    reg.create("thing", Texture("r32_sfloat", SIZE)).color()
    reg.history("thing").sampled().bind("before")
    grown = reg.graphics("grown.frag")
    return lambda cmd: cmd.draw(grown)


def _in_a_chain(reg: Any) -> Callable[[Any], None]:
    reg.chain("post_hdr", before=("bloom/combine",))
    value = reg.graphics("value.frag")
    return lambda cmd: cmd.draw(value, **NAN)


def _in_a_layer(reg: Any) -> Callable[[Any], None]:
    reg.create("thing", Texture("rgba16_sfloat", SIZE, mips=2, layers=3)).mip(1).layer(2).color()
    value = reg.graphics("value.frag")
    return lambda cmd: cmd.draw(value, **NAN)


def _in_a_corner(reg: Any) -> Callable[[Any], None]:
    reg.create("thing", Texture("rgba16_sfloat", SIZE)).color(clear=(0.0, 0.0, 0.0, 0.0))
    value = reg.graphics("value.frag")

    def execute(cmd: Any) -> None:
        cmd.viewport(5, 3, 4, 2)
        cmd.draw(value, **NAN)

    return execute


def _cleared(reg: Any) -> Callable[[Any], None]:
    reg.create("thing", Texture("r32_sfloat", SIZE)).color(clear=(float("inf"), 0.0, 0.0, 0.0))
    reg.graphics("value.frag")
    return lambda cmd: None


def _later(reg: Any) -> Callable[[Any], None]:
    reg.create("thing", Texture("r32_sfloat", SIZE)).color()
    value = reg.graphics("value.frag")
    return lambda cmd: cmd.draw(value, **(NAN if cmd.frame == 2 else FINE))


def _raises(reg: Any) -> Callable[[Any], None]:
    reg.create("thing", Texture("r32_sfloat", SIZE)).color()
    value = reg.graphics("value.frag")

    def execute(cmd: Any) -> None:
        if cmd.frame == 2:
            raise ValueError("out of order")
        cmd.draw(value, **FINE)

    return execute


def _records_nothing(reg: Any) -> Callable[[Any], None]:
    reg.create("thing", Texture("r32_sfloat", SIZE)).color()
    value = reg.graphics("value.frag")

    def execute(cmd: Any) -> None:
        if cmd.frame != 2:
            cmd.draw(value, **FINE)

    return execute


def _writes_a_part(reg: Any) -> Callable[[Any], None]:
    reg.create("thing", Texture("rgba16_sfloat", SIZE)).storage_write()
    fill = reg.compute("fill.comp")
    return lambda cmd: cmd.dispatch(fill, (8, 8))


IDLE = {"it raises": _with_reader(_raises), "it records nothing": _with_reader(_records_nothing)}
"""Plugins that leave a texture unwritten in frame 2."""

UNWRITTEN = _with_reader(_writes_a_part)
"""A plugin that never writes half of the texels of its texture."""

ALL = SIZE[0] * SIZE[1]

SPREADING = {
    "NaN in the picture": Careless(_with_reader(_blended_to_the_picture), "hdr", "texels with NaN"),
    "NaN in one frame of the picture": Careless(_with_reader(_blended_to_one_frame), "hdr", "with NaN"),
    "a history that grows": Careless(_with_reader(_in_an_own_history), "thing", "texels with infinity"),
    "NaN in a chain": Careless(_with_reader(_in_a_chain), "post_hdr/hostile/node0", "texels with NaN"),
    "NaN in a half": Careless(_drawn("r16_sfloat", NAN), "thing", f"{ALL} texels with NaN"),
    "NaN in two halves": Careless(_drawn("rg16_sfloat", NAN), "thing", f"{ALL} texels with NaN"),
    "NaN in four halves": Careless(_drawn("rgba16_sfloat", NAN), "thing", f"{ALL} texels with NaN"),
    "NaN in two floats": Careless(_drawn("rg32_sfloat", NAN), "thing", f"{ALL} texels with NaN"),
    "NaN in a packed format": Careless(_drawn("b10g11r11_ufloat", NAN), "thing", f"{ALL} texels with NaN"),
    "infinity in a packed format": Careless(
        _drawn("b10g11r11_ufloat", INFINITY), "thing", f"{ALL} texels with infinity"
    ),
    "infinity in four floats": Careless(_drawn("rgba32_sfloat", INFINITY), "thing", f"{ALL} texels with infinity"),
    "one stored texel": Careless(_stored("rgba32_sfloat", NAN), "thing", "1 texel with NaN"),
    "one stored half": Careless(_stored("rgba16_sfloat", INFINITY), "thing", "1 texel with infinity"),
    "one layer of one mip": Careless(
        _with_reader(_in_a_layer),
        "thing",
        '48 texels with NaN to "thing", mip 1 of layer 2, in frame 0, the first is texel (0, 0)',
    ),
    "a corner": Careless(_with_reader(_in_a_corner), "thing", "8 texels with NaN"),
    "its first texel": Careless(_with_reader(_in_a_corner), "thing", "in frame 0, the first is texel (5, 3);"),
    "a clear": Careless(_with_reader(_cleared), "thing", f"{ALL} texels with infinity"),
    "one frame": Careless(_with_reader(_later), "thing", "in frame 2"),
}
"""The mistakes by name."""

FINITE = {
    "a float": _drawn("r32_sfloat", LARGE),
    "four floats": _drawn("rgba32_sfloat", LARGE),
    "a half": _drawn("rgba16_sfloat", {"zero": 1.0, "numerator": 65503.0}),
    "a packed format": _drawn("b10g11r11_ufloat", {"zero": 1.0, "numerator": 65023.0}),
    "no float": _drawn("rgba8_unorm", INFINITY),
}
"""Plugins whose textures have neither."""
