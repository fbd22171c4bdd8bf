"""Bloom after Jimenez 2014 ("Next Generation Post Processing in Call of Duty"): 13-tap downsamples, tent upsamples.

The mip chain is one texture, ``bloom/light``. Level n is mip n - 1; level 1 has half the picture's size. The nodes
``down`` fill the mips in order, and the nodes ``up`` blend each mip into the next larger one. If the picture is too
small for all levels, the texture has fewer mips and the nodes of the missing levels do nothing.
"""

from __future__ import annotations

from renderwright.engine.plugins import PluginGraph
from renderwright.plugins.bloom.settings import BloomSettings
from renderwright.render import Commands, Execute, PipelineHandle, Registry, Texture

FORMAT = "rgba16_sfloat"
CHAIN = "post_hdr"
LIGHT = "bloom/light"


def add_bloom(graph: PluginGraph, settings: BloomSettings) -> None:
    """Register all nodes of the effect."""
    graph.add_node("down1", lambda reg: _first(reg, settings))
    for level in range(2, settings.levels + 1):
        graph.add_node(f"down{level}", lambda reg, level=level: _down(reg, level))  # type: ignore[misc]
    for level in range(settings.levels - 1, 0, -1):
        graph.add_node(f"up{level}", lambda reg, level=level: _up(reg, level, settings))  # type: ignore[misc]
    graph.add_node("combine", lambda reg: _combine(reg, settings))


def _first(reg: Registry, settings: BloomSettings) -> Execute:
    """Downsample the picture to level 1. A Karis average suppresses fireflies, which would flicker."""
    reg.chain_source(CHAIN, "combine").sampled().bind("source")
    reg.create(LIGHT, Texture(FORMAT, reg.resolution("picture", 0.5), mips=settings.levels)).mip(0).color()
    return _full_screen(reg, reg.fullscreen("bloom_down.frag", defines={"KARIS_AVERAGE": 1}))


def _down(reg: Registry, level: int) -> Execute:
    """Downsample the previous level to this one."""
    reg.modify(LIGHT).mip(level - 2).sampled().bind("source")
    reg.modify(LIGHT).mip(level - 1).color()
    reg.after(f"down{level - 1}")
    return _full_screen(reg, reg.fullscreen("bloom_down.frag", defines={"KARIS_AVERAGE": 0}))


def _up(reg: Registry, level: int, settings: BloomSettings) -> Execute:
    """Blend the next smaller mip over this level with a tent filter. Keeps alpha, the share passed by Karis weights."""
    reg.modify(LIGHT).mip(level).sampled().bind("coarser")
    finer = reg.modify(LIGHT).mip(level - 1).storage().bind("finer")
    reg.after(f"up{level + 1}" if level + 1 < settings.levels else f"down{settings.levels}")
    reg.uniform("settings", settings)
    pipeline = reg.compute("bloom_up.comp")
    reg.stable()

    def execute(cmd: Commands) -> None:
        cmd.dispatch(pipeline, finer.extent)

    return execute


def _combine(reg: Registry, settings: BloomSettings) -> Execute:
    """Mix the picture with its blurred copy."""
    reg.chain(CHAIN)
    reg.read(LIGHT).mip(0).sampled().bind("bloom")
    reg.uniform("settings", settings)
    return _full_screen(reg, reg.fullscreen("bloom_combine.frag"))


def _full_screen(reg: Registry, pipeline: PipelineHandle) -> Execute:
    reg.stable()

    def execute(cmd: Commands) -> None:
        cmd.draw(pipeline)

    return execute
