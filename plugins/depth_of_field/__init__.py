"""Depth of field: what is not at the focus distance blurs, as behind a lens."""

from __future__ import annotations

from pydantic import BaseModel, Field

from renderwright.engine.plugins import PluginGraph, PluginInfo, hookimpl
from renderwright.engine.renderer.blobs import CameraView
from renderwright.render import Execute, Registry, Texture


class DepthOfFieldSettings(BaseModel):
    """What can be chosen."""

    focus: float = Field(0.0, ge=0.0, le=10000.0, description="sharp distance, in metres; 0: what is in the middle")
    aperture: float = Field(0.1, ge=0.0, le=10.0, description="diameter of the lens, in metres; 0: all is sharp")
    largest: float = Field(0.02, ge=0.001, le=0.1, description="largest radius of blur, as a share of the height")
    taps: int = Field(48, ge=8, le=128, description="samples of the blur")


def prepare(reg: Registry, settings: DepthOfFieldSettings) -> Execute:
    """Half the picture's size, with the signed radius of blur in alpha: negative before the focus, positive behind."""
    reg.chain_source("post_hdr", "combine").sampled().bind("source")
    reg.create("depth_of_field/half_picture", Texture("rgba16_sfloat", reg.resolution("main_view", 0.5))).color()
    return _with_lens(reg, "dof_prepare.frag", settings)


def gather(reg: Registry, settings: DepthOfFieldSettings) -> Execute:
    """The blur of what lies behind the focus, and of what lies before it and so also spreads over sharp edges."""
    reg.read("half_picture").sampled(filter="nearest")
    for layer in ("far", "near"):
        reg.create(f"depth_of_field/{layer}", Texture("rgba16_sfloat", reg.resolution("main_view", 0.5))).color()
    reg.uniform("settings", lambda: settings)
    reg.stable()
    pipeline = reg.graphics("dof_gather.frag")
    return lambda cmd: cmd.draw(pipeline)


def combine(reg: Registry, settings: DepthOfFieldSettings) -> Execute:
    """Far blur where the picture is out of focus, near blur over it."""
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
    return PluginInfo("depth_of_field", "0.1.0", "Blur before and behind the focus, from a thin lens; in HDR.")


@hookimpl
def renderwright_settings() -> type[DepthOfFieldSettings]:
    """The settings' model."""
    return DepthOfFieldSettings


@hookimpl
def renderwright_nodes(graph: PluginGraph, settings: DepthOfFieldSettings) -> None:
    """Prepare, gather, and a member of the chain ``post_hdr``."""
    for node in (prepare, gather, combine):
        graph.add_node(node.__name__, lambda reg, node=node: node(reg, settings))  # type: ignore[misc]
