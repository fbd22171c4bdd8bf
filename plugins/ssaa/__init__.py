"""SSAA: supersampling. Each view is rendered several times with different subpixel offsets, and averaged.

- The views are split over the dimension ``sample``. Every node of a view, effects included, runs once for each sample
  and needs no change for it. Work that views share (shadow maps) runs once.
- The node ``resolve`` averages the samples late in the chain ``tone``, after tone mapping, in linear light. Averaged
  before the tone mapper, one bright sample would outweigh all others of its texel, and lamps would keep jagged edges.
- Needs a skeleton that multiplexes its pictures over ``sample`` and has the chain ``tone``.

The rotated grid is the one of Goss and Wu, "Study of Supersampling Methods for Computer Graphics Hardware Antialiasing"
(2000).
"""

from renderwright.engine.plugins import PluginGraph, PluginInfo, hookimpl
from renderwright.engine.views import ViewSet
from renderwright.plugins.ssaa.nodes import resolve
from renderwright.plugins.ssaa.samples import DIMENSION, Samples
from renderwright.plugins.ssaa.settings import SsaaSettings

__all__ = ["SsaaSettings", "renderwright_info", "renderwright_nodes", "renderwright_settings", "renderwright_views"]


@hookimpl
def renderwright_info() -> PluginInfo:
    """Name, version, summary."""
    return PluginInfo("ssaa", "0.1.0", "Supersampling: each view is the mean of several complete pictures.")


@hookimpl
def renderwright_settings() -> type[SsaaSettings]:
    """The settings' model."""
    return SsaaSettings


@hookimpl
def renderwright_views(views: ViewSet, settings: SsaaSettings) -> ViewSet:
    """Split each view into its samples."""
    return views.split(DIMENSION, Samples(settings.samples)) if settings.samples > 1 else views


@hookimpl
def renderwright_nodes(graph: PluginGraph, settings: SsaaSettings) -> None:
    """Add one member of the chain ``tone``."""
    if settings.samples > 1:
        graph.add_node("resolve", lambda reg: resolve(reg, settings))
