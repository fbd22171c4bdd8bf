"""Bloom after Jimenez 2014 ("Next Generation Post Processing in Call of Duty"): 13-tap downsamples, tent upsamples."""

from __future__ import annotations

from engine.plugins import PluginGraph
from plugins.bloom.settings import BloomSettings
from render.compiler.declare import Execute
from render.graph.handles import PipelineHandle
from render.graph.registry import Registry
from render.graph.resources import Texture
from render.runtime.commands import Commands

FORMAT = "rgba16_sfloat"
CHAIN = "post_hdr"


def add_bloom(graph: PluginGraph, settings: BloomSettings) -> None:
    """Register all nodes of the effect."""
    for level in range(1, settings.levels + 1):
        graph.add_node(f"down{level}", lambda reg, level=level: _down(reg, level))  # type: ignore[misc]
    for level in range(settings.levels - 1, 0, -1):
        graph.add_node(f"up{level}", lambda reg, level=level: _up(reg, level, settings))  # type: ignore[misc]
    graph.add_node("combine", lambda reg: _combine(reg, settings))


def _down(reg: Registry, level: int) -> Execute:
    """Half the level before; the first also weighs down lone bright texels, which would flicker (Karis average)."""
    source = reg.chain_source(CHAIN, "combine") if level == 1 else reg.read(f"down{level - 1}")
    source.sampled().bind("source")
    size = reg.resolution("main_view", 0.5**level)
    reg.create(f"bloom/down{level}", Texture(FORMAT, size)).color()
    pipeline = reg.graphics("bloom_down.frag", defines={"KARIS_AVERAGE": int(level == 1)})
    return _full_screen(reg, pipeline)


def _up(reg: Registry, level: int, settings: BloomSettings) -> Execute:
    """The level below, spread by a tent, over this level's own light."""
    coarser = "up" if level + 1 < settings.levels else "down"
    reg.read(f"{coarser}{level + 1}").sampled().bind("coarser")
    reg.read(f"down{level}").sampled(filter="nearest").bind("own")
    size = reg.resolution("main_view", 0.5**level)
    reg.create(f"bloom/up{level}", Texture(FORMAT, size)).color()
    reg.uniform("settings", lambda: settings)
    pipeline = reg.graphics("bloom_up.frag")
    return _full_screen(reg, pipeline)


def _combine(reg: Registry, settings: BloomSettings) -> Execute:
    """Gives a share of the picture's light to its spread copy."""
    reg.chain(CHAIN)
    reg.read("up1").sampled().bind("bloom")
    reg.uniform("settings", lambda: settings)
    pipeline = reg.graphics("bloom_combine.frag")
    return _full_screen(reg, pipeline)


def _full_screen(reg: Registry, pipeline: PipelineHandle) -> Execute:
    reg.stable()

    def execute(cmd: Commands) -> None:
        cmd.draw(pipeline)

    return execute
