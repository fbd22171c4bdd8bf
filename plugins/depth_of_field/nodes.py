"""Depth of field by a gather in two steps.

After Jimenez 2014 ("Next Generation Post Processing in Call of Duty"). Few samples leave gaps in a large disk,
so a small lamp becomes a cluster of dots. Three things fill them:

- Texels of a square of 4 x 4 take 16 different shares of one set of samples (interleaved sampling, Keller and Heidrich
  2001), and the node ``combine`` takes the mean over such a square. The set is the same in each frame.
- A sample is the mean over the distance between the samples of the whole set, from a mip of that size.
- The mips hold what is behind the focus and what is in front of it apart, weighted by the share that is blurred.
"""

from __future__ import annotations

from renderwright.engine.plugins import PluginGraph
from renderwright.engine.renderer.blobs import CameraView
from renderwright.plugins.depth_of_field.settings import DepthOfFieldSettings
from renderwright.render import Execute, Registry, Texture

FORMAT = "rgba16_sfloat"
LEVELS = 7
"""Mips of the sources. The smallest one needed finds foreground: its texels are as large as the distance between 24
samples on the largest disk."""
PARTS = ("behind", "before", "spreads")
"""Layers of the sources: the light behind the focus, the light in front of it, and the radii of both."""
LAYERS = ("far", "near")


def add_depth_of_field(graph: PluginGraph, settings: DepthOfFieldSettings) -> None:
    """Register all nodes of the effect."""
    for node in (prepare, gather, combine):
        graph.add_node(node.__name__, lambda reg, node=node: node(reg, settings))  # type: ignore[misc]
    for level in range(1, LEVELS):
        graph.add_node(f"halve_{level}", lambda reg, level=level: halve(reg, level))  # type: ignore[misc]


def prepare(reg: Registry, settings: DepthOfFieldSettings) -> Execute:
    """Downsample the picture to half size: as a whole, with the signed blur radius in alpha, and to the sources."""
    reg.chain_source("post_hdr", "combine").sampled().bind("source")
    reg.create("depth_of_field/half_picture", _half(reg)).color()
    sources = Texture(FORMAT, reg.resolution("picture", 0.5), mips=LEVELS, layers=len(PARTS))
    first, *others = PARTS
    reg.create("depth_of_field/sources", sources).mip(0).layer(0).color().bind(first)
    for layer, part in enumerate(others, 1):
        reg.modify("sources").mip(0).layer(layer).color().bind(part)
    return _with_lens(reg, "dof_prepare.frag", settings)


def halve(reg: Registry, level: int) -> Execute:
    """Downsample the sources to this mip."""
    for layer, part in enumerate(PARTS):
        reg.modify("sources").mip(level - 1).layer(layer).sampled().bind(f"larger_{part}")
        reg.modify("sources").mip(level).layer(layer).color().bind(part)
    reg.after(f"halve_{level - 1}" if level > 1 else "prepare")
    return _drawn(reg, "dof_halve.frag")


def gather(reg: Registry, settings: DepthOfFieldSettings) -> Execute:
    """Blur into two layers: ``far`` (behind the focus) and ``near`` (in front, spreading over sharp edges)."""
    reg.read("half_picture").sampled(filter="nearest")
    for number, part in enumerate(PARTS):
        reg.read("sources").layer(number).sampled().bind(part)
    for layer in LAYERS:
        reg.create(f"depth_of_field/{layer}", _half(reg)).color()
    reg.create("depth_of_field/reach", _half(reg, format_="rg16_sfloat")).color()
    return _drawn(reg, "dof_gather.frag", settings)


def combine(reg: Registry, settings: DepthOfFieldSettings) -> Execute:
    """Replace texels that are out of focus by the far layer, and lay the near layer over the picture.

    The layers are means over the texels that have the whole set of samples together.
    """
    reg.chain("post_hdr", priority=100)
    for layer in LAYERS:
        reg.read(layer).sampled()
    reg.read("reach").sampled(filter="nearest")
    return _with_lens(reg, "dof_combine.frag", settings)


def _half(reg: Registry, format_: str = FORMAT) -> Texture:
    return Texture(format_, reg.resolution("picture", 0.5))


def _with_lens(reg: Registry, shader: str, settings: DepthOfFieldSettings) -> Execute:
    reg.read("depth").sampled(filter="nearest")
    reg.read("camera", CameraView)
    return _drawn(reg, shader, settings)


def _drawn(reg: Registry, shader: str, settings: DepthOfFieldSettings | None = None) -> Execute:
    if settings is not None:
        reg.uniform("settings", settings)
    reg.stable()
    pipeline = reg.fullscreen(shader)
    return lambda cmd: cmd.draw(pipeline)
