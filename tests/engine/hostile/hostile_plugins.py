"""Plugins that make every mistake we know of, with the words that a person reads about each."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NoReturn

from pydantic import BaseModel

from renderwright.engine.game import Hud
from renderwright.engine.plugins import PluginGraph, PluginInfo, SceneChange, hookimpl
from renderwright.engine.views import ViewSet
from renderwright.render.graph.node_requests import requested
from renderwright.render.types.resources import Buffer, Texture

NAME = "hostile"


@dataclass(frozen=True)
class Hostile:
    """A plugin, or the exception that its import raises, and a part of the reason that its status gives."""

    plugin: object
    words: str


def _fail(*_: object, **__: object) -> NoReturn:
    raise ValueError("out of order")


def _exit(*_: object, **__: object) -> NoReturn:
    sys.exit(3)


def adding(*declares: Callable[[Any], object]) -> object:
    """A plugin whose nodes declare so."""

    class Adding:
        @hookimpl
        def renderwright_nodes(self, graph: PluginGraph) -> None:
            for number, declare in enumerate(declares):
                graph.add_node(f"node{number}", declare)  # type: ignore[arg-type]

    return Adding()


def executing(execute: Callable[[Any], object]) -> object:
    """A plugin with a node that is always in the frame and executes so."""

    def declare(reg: Any) -> Callable[[Any], object]:
        reg.side_effects()
        return execute

    return adding(declare)


def creating(desc: Any, use: str, name: str = "thing") -> object:
    """A plugin with a node that is always in the frame and creates so."""

    def declare(reg: Any) -> Callable[[Any], None]:
        getattr(reg.create(name, desc), use)()
        reg.side_effects()
        return lambda cmd: None

    return adding(declare)


def requesting(request: Callable[[Any], object]) -> object:
    """A plugin with a node that is always in the frame and makes these requests."""

    def declare(reg: Any) -> Callable[[Any], None]:
        request(reg)
        reg.side_effects()
        return lambda cmd: None

    return adding(declare)


def _unchecked(attribute: str, value: object) -> object:
    """A plugin whose node has a value that its verb would have refused."""
    return requesting(lambda reg: setattr(requested(reg), attribute, value))


def _sampling(value: object) -> object:
    """A plugin whose node samples a texture in a way that nobody has checked."""

    def request(reg: Any) -> None:
        reg.read("/hdr").sampled().bind("picture")._sampling = value
        reg.create("thing", Texture("rgba16_sfloat", (8, 8))).storage_write()
        reg.compute("copied.comp")

    return requesting(request)


def _vertices(value: object) -> object:
    """A plugin whose pipeline reads vertices that nobody has checked."""

    def request(reg: Any) -> None:
        reg.create("thing", Texture("rgba8_unorm", (8, 8))).color()
        reg.graphics("red.frag")
        requested(reg).state["vertex"] = value

    return requesting(request)


def drawing(fragment: str, *, fullscreen: bool = False) -> object:
    """A plugin with a node that draws with a shader of its own."""

    def declare(reg: Any) -> Callable[[Any], None]:
        reg.create("thing", Texture("rgba8_unorm", (8, 8))).color()
        reg.side_effects()
        pipeline = reg.fullscreen(fragment) if fullscreen else reg.graphics(fragment)
        return lambda cmd: cmd.draw(pipeline)

    return adding(declare)


def computing(desc: Texture, file: str) -> object:
    """A plugin with a node that writes a texture with a compute shader of its own."""

    def declare(reg: Any) -> Callable[[Any], None]:
        reg.create("thing", desc).storage_write()
        reg.side_effects()
        pipeline = reg.compute(file)
        return lambda cmd: cmd.dispatch(pipeline, (8, 8))

    return adding(declare)


def _counting(desc: Buffer) -> object:
    """A plugin with a node whose compute shader writes two numbers to a buffer."""

    def declare(reg: Any) -> Callable[[Any], None]:
        reg.create("thing", desc).storage_write()
        reg.side_effects()
        pipeline = reg.compute("counts.comp")
        return lambda cmd: cmd.dispatch(pipeline, (1, 1))

    return adding(declare)


class _InInfo:
    @hookimpl
    def renderwright_info(self) -> PluginInfo:
        _fail()


class _InSettings:
    @hookimpl
    def renderwright_settings(self) -> type[BaseModel]:
        _fail()


class _InNodes:
    @hookimpl
    def renderwright_nodes(self, graph: PluginGraph) -> None:
        graph.add_node("first", lambda reg: None)
        _fail()


class _InViews:
    @hookimpl
    def renderwright_views(self, views: ViewSet) -> ViewSet:
        _fail()


class _ViewsOfNothing:
    @hookimpl
    def renderwright_views(self, views: ViewSet) -> Any:
        return None


class _InBeginFrame:
    @hookimpl
    def renderwright_begin_frame(self, time: float) -> None:
        _fail()


class _InSceneChanged:
    @hookimpl
    def renderwright_scene_changed(self, change: SceneChange) -> None:
        _fail()


class _InHud:
    @hookimpl
    def renderwright_hud(self, hud: Hud, player: int) -> None:
        hud.rect(0.0, 0.0, 20.0, 20.0, (1.0, 0.0, 0.0, 1.0))
        _fail()


class _InInterop:
    @hookimpl
    def renderwright_interop(self) -> NoReturn:
        _fail()


class _InteropOfANumber:
    @hookimpl
    def renderwright_interop(self) -> Any:
        return 42


class _InEndFrame:
    @hookimpl
    def renderwright_end_frame(self, rendered: bool) -> None:
        _fail()


class _TwoNodesOfOneName:
    @hookimpl
    def renderwright_nodes(self, graph: PluginGraph) -> None:
        graph.add_node("node", lambda reg: None)
        graph.add_node("node", lambda reg: None)


def _named(name: Any, declare: Any = lambda reg: None) -> object:
    class Named:
        @hookimpl
        def renderwright_nodes(self, graph: PluginGraph) -> None:
            graph.add_node(name, declare)

    return Named()


def _described(**fields: Any) -> object:
    class Described:
        @hookimpl
        def renderwright_info(self) -> PluginInfo:
            return PluginInfo(**{"name": NAME, "version": "1", **fields})

    return Described()


def _lit(lights: Any) -> object:
    class Lit:
        @hookimpl
        def renderwright_nodes(self, graph: PluginGraph) -> None:
            graph.shadowed_lights = lights

    return Lit()


def _waits_for(other: str) -> Callable[[Any], object]:
    """A node that reads what another one creates, and creates what that reads."""
    own = "a" if other == "b" else "b"

    def declare(reg: Any) -> Callable[[Any], None]:
        reg.read(other).sampled()
        reg.create(own, Texture("rgba8_unorm", (8, 8))).color()
        reg.side_effects()
        return lambda cmd: None

    return declare


def _external(provider: Callable[[Any], object]) -> object:
    return requesting(lambda reg: reg.external("number", int, provider))


def _of_uniform() -> object:
    def declare(reg: Any) -> Callable[[Any], None]:
        reg.create("thing", Texture("rgba8_unorm", (8, 8))).color()
        reg.side_effects()
        reg.uniform("params", _fail)
        pipeline = reg.graphics("uniform.frag")
        return lambda cmd: cmd.draw(pipeline)

    return adding(declare)


MATRIX = {
    "import": Hostile(ImportError("no fogmath"), "ImportError: no fogmath"),
    "import exits": Hostile(SystemExit(3), "it calls sys.exit(3)"),
    "missing module": Hostile(ModuleNotFoundError("No module named 'fogmath'", name="fogmath"), 'install "fogmath"'),
    "info": Hostile(_InInfo(), "out of order"),
    "settings": Hostile(_InSettings(), "out of order"),
    "nodes": Hostile(_InNodes(), "out of order"),
    "two nodes of one name": Hostile(_TwoNodesOfOneName(), "node"),
    "a node's name with a space": Hostile(_named("my mix"), '"my mix" cannot be a node name'),
    "a node's name of a number": Hostile(_named(3), "3 cannot be a node name"),
    "a node without a function": Hostile(_named("mix", None), "None, which cannot be called"),
    "a version of a number": Hostile(_described(version=1), "version of PluginInfo is 1, which is not a str"),
    "a backend by itself": Hostile(_described(backends="vulkan"), "'vulkan', which is not a tuple of str"),
    "an unknown backend": Hostile(_described(backends=("gl",)), 'backends of PluginInfo has "gl"'),
    "shadowed lights of a text": Hostile(_lit("four"), "'four', which is no whole number"),
    "views": Hostile(_InViews(), "out of order"),
    "views of nothing": Hostile(_ViewsOfNothing(), "renderwright_views returns None"),
    "begin of frame": Hostile(_InBeginFrame(), "out of order"),
    "scene change": Hostile(_InSceneChanged(), "out of order"),
    "HUD": Hostile(_InHud(), "out of order"),
    "end of frame": Hostile(_InEndFrame(), "out of order"),
    "declare raises": Hostile(adding(_fail), "out of order"),
    "declare exits": Hostile(adding(_exit), "it calls sys.exit(3)"),
    "declare returns a number": Hostile(adding(lambda reg: 42), "returns 42, which cannot be called"),
    "declare without arguments": Hostile(adding(lambda: None), "positional argument"),  # type: ignore[arg-type, misc]
    "execute raises": Hostile(executing(_fail), "out of order"),
    "execute exits": Hostile(executing(_exit), "it calls sys.exit(3)"),
    "execute takes nothing": Hostile(executing(lambda: None), "positional argument"),  # type: ignore[arg-type, misc]
    "skeleton's color": Hostile(
        creating(Texture("rgba16_sfloat", (8, 8)), "color", "/hdr"), "`hdr` belongs to the skeleton"
    ),
    "skeleton's depth": Hostile(creating(Texture("d32_sfloat", (8, 8)), "depth", "/depth"), "belongs to the skeleton"),
    "skeleton's depth as a buffer": Hostile(creating(Buffer(64), "storage", "/depth"), "belongs to the skeleton"),
    "skeleton's depth as color": Hostile(requesting(lambda reg: reg.modify("/depth").color()), "depth"),
    "skeleton's depth as a blob": Hostile(requesting(lambda reg: reg.read("/depth", int)), "depth"),
    "large buffer": Hostile(creating(Buffer(5 << 30), "storage"), "bytes are possible"),
    "huge buffer": Hostile(creating(Buffer(100 << 30), "storage"), "bytes are possible"),
    "empty buffer": Hostile(creating(Buffer(0), "storage"), "0 bytes"),
    "huge texture": Hostile(creating(Texture("rgba8_unorm", (200_000, 200_000)), "color"), "at most"),
    "unknown format": Hostile(requesting(lambda reg: reg.create("thing", Texture("rgba7", (8, 8))).color()), "rgba7"),
    "unknown resolution": Hostile(
        requesting(lambda reg: reg.create("thing", Texture("rgba8_unorm", reg.resolution("vuport"))).color()), "vuport"
    ),
    "unknown dimension": Hostile(requesting(lambda reg: reg.multiplex("veiw")), "veiw"),
    "unknown queue": Hostile(requesting(lambda reg: reg.queue("cuda")), "cuda"),
    "unknown state": Hostile(requesting(lambda reg: reg.state(blendd=True)), "blendd"),
    "state of a list": Hostile(requesting(lambda reg: reg.state(vertex=[(0, "rgb32_sfloat", 0)])), "give a tuple"),
    "cost of a text": Hostile(requesting(lambda reg: reg.cost("high")), "'high', which is no number from 0 on"),
    "no description": Hostile(requesting(lambda reg: reg.create("thing", None)), "None, which is no Texture"),
    "clear of a number": Hostile(
        requesting(lambda reg: reg.create("thing", Texture("rgba8_unorm", (8, 8))).color(clear=3)), "which is no (red,"
    ),
    "unforeseen in the compiler": Hostile(_unchecked("cost", "high"), "the compiler fails with TypeError"),
    "unforeseen in its memory": Hostile(_unchecked("after", [["a"]]), "the compiler fails with"),
    "unforeseen in a pipeline": Hostile(_vertices(3), "fails with TypeError"),
    "unforeseen in a binding": Hostile(_sampling(3), "AttributeError"),
    "cycle": Hostile(adding(_waits_for("a"), _waits_for("b")), "in a cycle"),
    "provider raises": Hostile(_external(_fail), "out of order"),
    "provider exits": Hostile(_external(_exit), "it calls sys.exit(3)"),
    "texture provider returns a number": Hostile(
        requesting(lambda reg: reg.external("thing", Texture("rgba8_unorm", (8, 8)), lambda context: 42).sampled()),
        "returns 42",
    ),
    "buffer provider returns nothing": Hostile(
        requesting(lambda reg: reg.external("thing", Buffer(64), lambda context: None).storage_read()), "returns None"
    ),
    "uniform raises": Hostile(_of_uniform(), "out of order"),
    "missing shader": Hostile(drawing("none.frag"), "does not exist"),
    "missing shader's line": Hostile(drawing("none.frag"), "hostile_plugins.py:"),
    "no push constants": Hostile(
        drawing("tinted.frag"), 'tinted.frag without push constants, which are undefined: "tint"'
    ),
    "no push constants full screen": Hostile(drawing("tinted.frag", fullscreen=True), "hostile_plugins.py:"),
    "another image format": Hostile(
        computing(Texture("r16_sfloat", (8, 8)), "fill.comp"),
        'is an image of format rgba16f in the shader, but "thing" is a texture of format r16_sfloat',
    ),
    "a buffer smaller than its block": Hostile(_counting(Buffer(4)), "needs 8 bytes, but"),
    "bad shader": Hostile(drawing("bad.frag"), "bad.frag"),
}
"""The mistakes by name."""

INTEROPS = {
    "interop raises": Hostile(_InInterop(), "out of order"),
    "interop of a number": Hostile(_InteropOfANumber(), "42"),
}
"""Those of a hook that is called before the device is opened."""
