"""A deferred frame of 20 passes, as data and as a frame graph.

Boxes in a depth buffer, in a G-buffer with four targets and in two shadow maps; then ambient occlusion with its blur,
lighting, fog, an antialiasing with a history, motion blur, bloom, tone mapping and sharpening, full screen each.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from renderwright.render.graph.declare import Execute
from renderwright.render.graph.frame_graph import FrameGraph
from renderwright.render.graph.registry import Registry
from renderwright.render.types.resources import Extent, Texture
from renderwright.render.types.sampling import Sampling

GLSL = Path(__file__).parent / "glsl" / "deferred"
DEPTH, LIGHT = "d32_sfloat", "rgba16_sfloat"
BOX_VERTICES = 36
BLACK = (0.0, 0.0, 0.0, 0.0)
RESULT = "picture"
HISTORY = "steady"
"""The texture whose last contents the antialiasing reads."""

_FRONT = {"cull": "back"}
_FIRST = {**_FRONT, "depth_test": "greater", "depth_write": True}
_SAME = {**_FRONT, "depth_test": "equal"}


@dataclass(frozen=True)
class Load:
    """The size of the picture and of a shadow map, and the number of boxes along each side."""

    size: Extent
    shadow: int = 2048
    boxes: int = 32

    @property
    def all_boxes(self) -> int:
        """The number of boxes, with the ground."""
        return self.boxes**2 + 1


@dataclass(frozen=True)
class BoxPass:
    """Draws all boxes, seen by the sun with a ``reach`` in metres, or by the camera (0).

    It clears its ``targets``, and its ``depth`` if it ``writes_depth``; else it draws what has that depth.
    """

    name: str
    depth: str
    reach: float = 0.0
    fragment: str = ""
    targets: tuple[str, ...] = ()

    @property
    def writes_depth(self) -> bool:
        """Whether it is the first to draw to its depth."""
        return not self.fragment

    @property
    def state(self) -> dict[str, Any]:
        """The fixed-function state."""
        return _FIRST if self.writes_depth else _SAME

    def defines(self, load: Load) -> dict[str, Any]:
        """What its shaders are compiled with."""
        return {"REACH": self.reach, "SIDE": load.boxes}


@dataclass(frozen=True)
class ScreenPass:
    """Fills the ``target`` from its ``sources``, by their names in the shader; ``before`` is that of the history.

    ``beside`` if it may run on a compute queue.
    """

    name: str
    fragment: str
    target: str
    sources: dict[str, str]
    before: str = ""
    constants: tuple[tuple[str, str], ...] = ()
    beside: bool = False

    @property
    def defines(self) -> dict[str, Any]:
        """What its shader is compiled with."""
        return dict(self.constants)


def _down(number: int, source: str) -> ScreenPass:
    below = "1.0" if number == 1 else "0.0"
    return ScreenPass(
        f"down {number}", "down.frag", f"down {number}", {"source": source}, constants=(("BELOW", below),)
    )


def _up(number: int, source: str) -> ScreenPass:
    return ScreenPass(f"up {number}", "up.frag", f"up {number}", {"source": source, "base": f"down {number}"})


def _blur(name: str, source: str, target: str, along: str) -> ScreenPass:
    sources = {"source": source, "depth": "depth"}
    return ScreenPass(name, "blur.frag", target, sources, constants=(("ALONG", along),), beside=True)


PASSES: tuple[BoxPass | ScreenPass, ...] = (
    BoxPass("depth", "depth"),
    BoxPass("gbuffer", "depth", fragment="gbuffer.frag", targets=("albedo", "direction", "material", "motion")),
    BoxPass("near shadow", "near shadow", reach=16.0),
    BoxPass("far shadow", "far shadow", reach=60.0),
    ScreenPass("occlusion", "occlusion.frag", "found", {"depth": "depth", "direction": "direction"}, beside=True),
    _blur("blur across", "found", "half blurred", "vec2(1.0, 0.0)"),
    _blur("blur along", "half blurred", "occlusion", "vec2(0.0, 1.0)"),
    ScreenPass(
        "lighting",
        "lighting.frag",
        "lit",
        {
            "albedo": "albedo",
            "direction": "direction",
            "material": "material",
            "depth": "depth",
            "occlusion": "occlusion",
            "near_shadow": "near shadow",
            "far_shadow": "far shadow",
        },
    ),
    ScreenPass("fog", "fog.frag", "foggy", {"source": "lit", "depth": "depth", "far_shadow": "far shadow"}),
    ScreenPass("antialiasing", "temporal.frag", HISTORY, {"source": "foggy", "motion": "motion"}, before="before"),
    ScreenPass("motion blur", "motion_blur.frag", "moving", {"source": HISTORY, "motion": "motion"}),
    _down(1, "moving"),
    _down(2, "down 1"),
    _down(3, "down 2"),
    _down(4, "down 3"),
    _up(3, "down 4"),
    _up(2, "up 3"),
    _up(1, "up 2"),
    ScreenPass("tonemap", "tonemap.frag", "shown", {"source": "moving", "bloom": "up 1"}),
    ScreenPass("sharpen", "sharpen.frag", RESULT, {"source": "shown"}),
)


def textures(load: Load) -> dict[str, Texture]:
    """All textures by name."""
    size, shadow = load.size, (load.shadow, load.shadow)
    half = _part(size, 1)
    found = {
        "near shadow": Texture(DEPTH, shadow),
        "far shadow": Texture(DEPTH, shadow),
        "depth": Texture(DEPTH, size),
        "albedo": Texture("rgba8_unorm", size),
        "direction": Texture("rgba16_sfloat", size),
        "material": Texture("rgba8_unorm", size),
        "motion": Texture("rg16_sfloat", size),
        "found": Texture("r8_unorm", half),
        "half blurred": Texture("r8_unorm", half),
        "occlusion": Texture("r8_unorm", half),
        "shown": Texture("rgba8_unorm", size),
        RESULT: Texture("rgba8_unorm", size),
    }
    found |= {name: Texture(LIGHT, size) for name in ("lit", "foggy", HISTORY, "moving")}
    found |= {f"down {number}": Texture(LIGHT, _part(size, number)) for number in (1, 2, 3, 4)}
    return found | {f"up {number}": Texture(LIGHT, _part(size, number)) for number in (1, 2, 3)}


def sampling(texture: Texture) -> Sampling:
    """How every shader samples a texture."""
    return Sampling("nearest" if texture.format == DEPTH else "linear")


def deferred_graph(load: Load) -> FrameGraph:
    """The frame as a graph, whose nodes are all stable."""
    graph = FrameGraph()
    graph.add_sink(RESULT)
    for one in PASSES:
        declare = partial(_boxes, one, load) if isinstance(one, BoxPass) else partial(_screen, one, load)
        graph.add_node(one.name, declare)
    return graph


def _boxes(one: BoxPass, load: Load, reg: Registry) -> Execute:
    made, boxes = textures(load), load.all_boxes
    if one.writes_depth:
        reg.create(one.depth, made[one.depth]).depth(clear=0.0)
    else:
        reg.read(one.depth).depth_read()
    for target in one.targets:
        reg.create(target, made[target]).color(clear=BLACK)
    pipeline = reg.graphics(one.fragment, "boxes.vert", defines=one.defines(load), **one.state)
    reg.stable()
    return lambda cmd: cmd.draw(pipeline, BOX_VERTICES, boxes)


def _screen(one: ScreenPass, load: Load, reg: Registry) -> Execute:
    made = textures(load)
    for binding, source in one.sources.items():
        reg.read(source).sampled(sampling(made[source]).filter).bind(binding)
    if one.before:
        reg.history(one.target).sampled().bind(one.before)
    reg.create(one.target, made[one.target]).color()
    pipeline = reg.fullscreen(one.fragment, defines=one.defines)
    if one.beside:
        reg.queue("compute", "graphics")
    reg.stable()
    return lambda cmd: cmd.draw(pipeline)


def _part(size: Extent, halvings: int) -> Extent:
    return max(1, size[0] >> halvings), max(1, size[1] >> halvings)
