"""Bloom: bright light spreads, as in a lens."""

from engine.plugins import PluginGraph, PluginInfo, hookimpl
from plugins.bloom.nodes import add_bloom
from plugins.bloom.settings import BloomSettings

__all__ = ["BloomSettings", "framewright_info", "framewright_nodes", "framewright_settings"]


@hookimpl
def framewright_info() -> PluginInfo:
    """Name, version, summary."""
    return PluginInfo("bloom", "0.1.0", "Light spreads from bright places; energy conserving, in HDR.")


@hookimpl
def framewright_settings() -> type[BloomSettings]:
    """The settings' model."""
    return BloomSettings


@hookimpl
def framewright_nodes(graph: PluginGraph, settings: BloomSettings) -> None:
    """Downsamples, upsamples, and a member of the chain ``post_hdr``."""
    add_bloom(graph, settings)
