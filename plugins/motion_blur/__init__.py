"""Motion blur: what moves while the shutter is open is smeared along its way."""

from __future__ import annotations

from pydantic import BaseModel, Field

from renderwright.engine.plugins import PluginGraph, PluginInfo, hookimpl
from renderwright.render import Execute, Registry, Texture

TILE = 32
"""Side of a tile in texels, and so the farthest that a texel is smeared to either side."""


class MotionBlurSettings(BaseModel):
    """What can be chosen."""

    shutter: float = Field(0.5, ge=0.0, le=2.0, description="share of a frame's time that the shutter is open")
    samples: int = Field(12, ge=4, le=64, description="samples along the way")


def tiles(reg: Registry, settings: MotionBlurSettings) -> Execute:
    """The longest motion in each tile of the picture, in texels to either side."""
    reg.read("motion_vectors").sampled(filter="nearest")
    desc = Texture("rg16_sfloat", reg.resolution("main_view", 1.0 / TILE))
    reg.create("motion_blur/tiles", desc).color()
    return _drawn(reg, "motion_tiles.frag", settings)


def smear(reg: Registry, settings: MotionBlurSettings) -> Execute:
    """Each texel from those that pass over it, or that it passes over."""
    reg.chain("post_hdr", priority=50)
    reg.read("motion_vectors").sampled(filter="nearest")
    reg.read("depth").sampled(filter="nearest")
    reg.read("tiles").sampled(filter="nearest")
    return _drawn(reg, "motion_blur.frag", settings)


def _drawn(reg: Registry, shader: str, settings: MotionBlurSettings) -> Execute:
    reg.uniform("settings", lambda: settings)
    reg.stable()
    pipeline = reg.graphics(shader, defines={"TILE": TILE})
    return lambda cmd: cmd.draw(pipeline)


@hookimpl
def renderwright_info() -> PluginInfo:
    """Name, version, summary."""
    return PluginInfo("motion_blur", "0.1.0", "Smears what moves along its way, in HDR.")


@hookimpl
def renderwright_settings() -> type[MotionBlurSettings]:
    """The settings' model."""
    return MotionBlurSettings


@hookimpl
def renderwright_nodes(graph: PluginGraph, settings: MotionBlurSettings) -> None:
    """The tiles, and a member of the chain ``post_hdr``."""
    graph.add_node("tiles", lambda reg: tiles(reg, settings))
    graph.add_node("smear", lambda reg: smear(reg, settings))
