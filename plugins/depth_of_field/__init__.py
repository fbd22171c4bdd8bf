"""Depth of field: surfaces away from the focus distance blur, as through a thin lens."""

from renderwright.engine.plugins import PluginGraph, PluginInfo, hookimpl
from renderwright.plugins.depth_of_field.nodes import add_depth_of_field
from renderwright.plugins.depth_of_field.settings import DepthOfFieldSettings

__all__ = ["DepthOfFieldSettings", "renderwright_info", "renderwright_nodes", "renderwright_settings"]


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
    """Add the passes from ``prepare`` to ``combine``, a member of the chain ``post_hdr``."""
    add_depth_of_field(graph, settings)
