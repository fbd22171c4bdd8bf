"""Motion blur: texels are blurred along their motion vectors."""

from __future__ import annotations

from pydantic import BaseModel, Field

from renderwright.engine.plugins import PluginGraph, PluginInfo, hookimpl
from renderwright.engine.renderer.blobs import CameraView
from renderwright.render import Commands, Execute, Registry, Texture

TILE = 32
"""Side of a tile in texels. A texel is blurred over at most this distance to either side."""


class MotionBlurSettings(BaseModel):
    """User settings."""

    shutter: float = Field(0.5, ge=0.0, le=2.0, description="share of the frame time during which the shutter is open")
    samples: int = Field(12, ge=4, le=64, description="samples along the motion vector")


def tiles(reg: Registry, settings: MotionBlurSettings) -> Execute:
    """Write the longest half motion of each tile, in texels."""
    reg.read("motion_vectors").sampled(filter="nearest")
    desc = Texture("rg16_sfloat", reg.resolution("picture", 1.0 / TILE))
    reg.create("motion_blur/tiles", desc).color()
    reg.uniform("settings", settings)
    reg.stable()
    pipeline = reg.fullscreen("motion_tiles.frag", defines={"TILE": TILE})

    def execute(cmd: Commands) -> None:
        width, height = cmd.resolution("picture")
        cmd.draw(pipeline, width=width, height=height)

    return execute


def smear(reg: Registry, settings: MotionBlurSettings) -> Execute:
    """Gather along the tile's dominant motion and the texel's own."""
    reg.chain("post_hdr", priority=50)
    reg.read("motion_vectors").sampled(filter="nearest")
    reg.read("depth").sampled(filter="nearest")
    reg.read("tiles").sampled(filter="nearest")
    reg.read("camera", CameraView)
    return _full_screen(reg, "motion_blur.frag", settings)


def _full_screen(reg: Registry, shader: str, settings: MotionBlurSettings) -> Execute:
    reg.uniform("settings", settings)
    reg.stable()
    pipeline = reg.fullscreen(shader, defines={"TILE": TILE})
    return lambda cmd: cmd.draw(pipeline)


@hookimpl
def renderwright_info() -> PluginInfo:
    """Name, version, summary."""
    return PluginInfo("motion_blur", "0.1.0", "Blurs moving surfaces along their motion vectors, in HDR.")


@hookimpl
def renderwright_settings() -> type[MotionBlurSettings]:
    """The settings' model."""
    return MotionBlurSettings


@hookimpl
def renderwright_nodes(graph: PluginGraph, settings: MotionBlurSettings) -> None:
    """Add the tile pass and one member of the chain ``post_hdr``."""
    graph.add_node("tiles", lambda reg: tiles(reg, settings))
    graph.add_node("smear", lambda reg: smear(reg, settings))
