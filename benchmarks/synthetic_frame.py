"""A frame graph with the shape of a real frame, at any size.

Two views; five branches (shadows, G-buffer, lighting, transparency, post-processing); groups of opaque and transparent
nodes that modify shared targets, in the proportion 160 to 80 of 300; post chains; histories on a tenth of the nodes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from renderwright.render.graph.declare import Declare
from renderwright.render.graph.frame_graph import FrameGraph
from renderwright.render.graph.registry import Registry
from renderwright.render.graph.snapshot import Chain, ResolutionRule
from renderwright.render.types.resources import Texture

OPAQUE_SHARE = 160 / 300
TRANSPARENT_SHARE = 80 / 300
HISTORY_EVERY = 10
TARGETS = ("albedo", "normal", "material", "depth")


@dataclass(frozen=True)
class SyntheticFrame:
    """The graph, its number of nodes, and the nodes of a plugin that can be switched off and on."""

    graph: FrameGraph
    nodes: int
    plugin: tuple[tuple[str, Declare], ...]

    def switch_off(self) -> None:
        """Remove the plugin's nodes."""
        for name, _ in self.plugin:
            self.graph.remove_node(name)

    def switch_on(self) -> None:
        """Add the plugin's nodes."""
        for name, declare in self.plugin:
            self.graph.add_node(name, declare, plugin="glow")

    def resize(self, width: int, height: int) -> None:
        """Set the output size."""
        self.graph.set_resolution("output", (width, height))


def synthetic_frame(size: int) -> SyntheticFrame:
    """A frame of about ``size`` nodes (30 or more)."""
    graph = FrameGraph()
    graph.set_resolution("output", (1920, 1080))
    graph.define_resolution(ResolutionRule("main_view", of="output", scale=1.0))
    graph.add_chain(Chain("post_hdr", "hdr", "hdr_final"))
    graph.add_chain(Chain("post_ldr", "ldr", "image"))
    graph.set_count("view", 2)
    graph.add_sink("shown")
    opaque = max(1, round(size * OPAQUE_SHARE))
    transparent = max(1, round(size * TRANSPARENT_SHARE))
    plugin = (("glow/blur", _effect_map("glow", "hdr")), ("glow/apply", _member("post_hdr", "glow")))
    fixed: list[tuple[str, Declare]] = [
        ("scene", _scene),
        ("gbuffer", _gbuffer),
        ("lighting", _lighting),
        ("tonemap", _tonemap),
        ("compose", _compose),
    ]
    rest = size - opaque - transparent - len(fixed) - len(plugin)
    nodes = fixed + [(f"opaque/{n}", _opaque) for n in range(opaque)]
    nodes += [(f"transparent/{n}", _transparent) for n in range(transparent)]
    nodes += _branches(max(0, rest))
    for name, declare in nodes:
        graph.add_node(name, declare)
    frame = SyntheticFrame(graph, len(nodes) + len(plugin), plugin)
    frame.switch_on()
    return frame


def _branches(count: int) -> list[tuple[str, Declare]]:
    """Shadow maps, effect maps with histories, and members of both chains, in turn."""
    nodes: list[tuple[str, Declare]] = []
    number = 0
    while len(nodes) < count:
        kind = number % 5
        name = f"{number}"
        if kind == 0:
            nodes.append((f"shadow/{name}", _shadow_map(name)))
        elif kind == 1:
            nodes += [(f"map/{name}", _effect_map(name, "depth")), (f"use/{name}", _member("post_hdr", name))]
        elif kind == 2:
            nodes.append((f"fx/{name}", _member("post_hdr", "")))
        elif kind == 3:
            nodes.append((f"ldr/{name}", _member("post_ldr", "")))
        else:
            nodes += [(f"gi/{name}", _history_map(name)), (f"gi_use/{name}", _member("post_hdr", name))]
        number += 1
    return nodes[:count]


class Camera:
    """The blob of the synthetic frame."""


def _full(reg: Registry, format: str, scale: float = 1.0) -> Texture:
    return Texture(format, reg.resolution("main_view", scale))


def _nothing(cmd: object) -> None:
    del cmd


def _scene(reg: Registry) -> Callable[[object], None]:
    reg.multiplex("view")
    reg.create("camera", Camera)
    return _nothing


def _gbuffer(reg: Registry) -> None:
    reg.multiplex("view")
    for target in TARGETS[:-1]:
        reg.create(target, _full(reg, "rgba8_unorm")).color(clear=(0, 0, 0, 0))
    reg.create("depth", _full(reg, "d32_sfloat")).depth(clear=0.0)


def _opaque(reg: Registry) -> Callable[[object], None]:
    reg.multiplex("view")
    for target in TARGETS[:-1]:
        reg.modify(target).color()
    reg.modify("depth").depth()
    reg.read("camera", Camera)
    return _nothing


def _lighting(reg: Registry) -> Callable[[object], None]:
    reg.multiplex("view")
    for target in TARGETS:
        reg.read(target).sampled()
    reg.create("hdr", _full(reg, "rgba16_sfloat")).color()
    return _nothing


def _transparent(reg: Registry) -> Callable[[object], None]:
    reg.multiplex("view")
    reg.modify("hdr").color()
    reg.read("depth").depth_read()
    reg.read("camera", Camera)
    return _nothing


def _shadow_map(name: str) -> Declare:
    def declare(reg: Registry) -> Callable[[object], None]:
        reg.create(f"shadow_map{name}", Texture("d32_sfloat", (1024, 1024))).depth(clear=0.0)
        reg.side_effects()
        return _nothing

    return declare


def _effect_map(name: str, source: str) -> Declare:
    def declare(reg: Registry) -> Callable[[object], None]:
        reg.multiplex("view")
        reg.read(source).sampled()
        reg.create(f"map{name}", _full(reg, "r16_sfloat", 0.5)).color()
        return _nothing

    return declare


def _history_map(name: str) -> Declare:
    def declare(reg: Registry) -> Callable[[object], None]:
        reg.multiplex("view")
        reg.read("depth").sampled()
        reg.history(f"map{name}").sampled()
        reg.create(f"map{name}", _full(reg, "rgba16_sfloat", 0.5)).color()
        return _nothing

    return declare


def _member(chain: str, name: str) -> Declare:
    def declare(reg: Registry) -> Callable[[object], None]:
        reg.multiplex("view")
        reg.chain(chain)
        if name:
            reg.read(f"map{name}").sampled()
        return _nothing

    return declare


def _tonemap(reg: Registry) -> Callable[[object], None]:
    reg.multiplex("view")
    reg.read("hdr_final").sampled()
    reg.create("ldr", _full(reg, "rgba8_unorm")).color()
    return _nothing


def _compose(reg: Registry) -> Callable[[object], None]:
    reg.gather("image").sampled()
    reg.create("shown", Texture("rgba8_unorm", reg.resolution("output"))).color()
    return _nothing
