"""Bloom: light spreads around bright areas, as in a lens."""

from renderwright.engine.plugins import PluginGraph, PluginInfo, hookimpl
from renderwright.plugins.bloom.nodes import add_bloom
from renderwright.plugins.bloom.settings import BloomSettings

__all__ = ["BloomSettings", "renderwright_info", "renderwright_nodes", "renderwright_settings"]


@hookimpl
def renderwright_info() -> PluginInfo:
    """Name, version, summary."""
    return PluginInfo("bloom", "0.1.0", "Light spreads around bright areas; energy conserving, in HDR.")


@hookimpl
def renderwright_settings() -> type[BloomSettings]:
    """The settings' model."""
    return BloomSettings


@hookimpl
def renderwright_nodes(graph: PluginGraph, settings: BloomSettings) -> None:
    """Add the downsamples, the upsamples and one member of the chain ``post_hdr``."""
    add_bloom(graph, settings)
