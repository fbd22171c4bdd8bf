"""Depth of field: surfaces away from the focus distance blur, as through a thin lens."""

from __future__ import annotations

from pydantic import BaseModel, Field

from renderwright.engine.plugins import PluginGraph, PluginInfo, hookimpl
from renderwright.engine.renderer.blobs import CameraView
from renderwright.render import Execute, Registry, Texture


class DepthOfFieldSettings(BaseModel):
    """User settings."""

    focus: float = Field(0.0, ge=0.0, le=10000.0, description="focus distance in metres; 0: the picture's centre")
    aperture: float = Field(0.1, ge=0.0, le=10.0, description="diameter of the lens in metres; 0: no blur")
    largest: float = Field(0.02, ge=0.001, le=0.1, description="largest blur radius, as a share of the height")
    taps: int = Field(48, ge=8, le=128, description="samples per texel")


def prepare(reg: Registry, settings: DepthOfFieldSettings) -> Execute:
    """Downsample the picture to half size, with the signed blur radius in alpha: negative in front of the focus."""
    reg.chain_source("post_hdr", "combine").sampled().bind("source")
    reg.create("depth_of_field/half_picture", Texture("rgba16_sfloat", reg.resolution("main_view", 0.5))).color()
    return _with_lens(reg, "dof_prepare.frag", settings)


def gather(reg: Registry, settings: DepthOfFieldSettings) -> Execute:
    """Blur into two layers: ``far`` (behind the focus) and ``near`` (in front, spreading over sharp edges)."""
    reg.read("half_picture").sampled(filter="nearest")
    for layer in ("far", "near"):
        reg.create(f"depth_of_field/{layer}", Texture("rgba16_sfloat", reg.resolution("main_view", 0.5))).color()
    reg.uniform("settings", lambda: settings)
    reg.stable()
    pipeline = reg.graphics("dof_gather.frag")
    return lambda cmd: cmd.draw(pipeline)


def combine(reg: Registry, settings: DepthOfFieldSettings) -> Execute:
    """Replace texels that are out of focus by the far layer, and lay the near layer over the picture."""
    reg.chain("post_hdr", priority=100)
    reg.read("far").sampled()
    reg.read("near").sampled()
    return _with_lens(reg, "dof_combine.frag", settings)


def _with_lens(reg: Registry, shader: str, settings: DepthOfFieldSettings) -> Execute:
    reg.read("depth").sampled(filter="nearest")
    reg.read("camera", CameraView)
    reg.uniform("settings", lambda: settings)
    reg.stable()
    pipeline = reg.graphics(shader)
    return lambda cmd: cmd.draw(pipeline)


@hookimpl
def renderwright_info() -> PluginInfo:
    """Name, version, summary."""
    return PluginInfo("depth_of_field", "0.1.0", "Thin-lens blur in front of and behind the focus; in HDR.")


@hookimpl
def renderwright_settings() -> type[DepthOfFieldSettings]:
    """The settings' model."""
    return DepthOfFieldSettings


@hookimpl
def renderwright_nodes(graph: PluginGraph, settings: DepthOfFieldSettings) -> None:
    """Add ``prepare``, ``gather`` and ``combine``, a member of the chain ``post_hdr``."""
    for node in (prepare, gather, combine):
        graph.add_node(node.__name__, lambda reg, node=node: node(reg, settings))  # type: ignore[misc]
