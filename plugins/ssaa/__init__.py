"""SSAA: supersampling. Each view is rendered several times, sampled at other places within the texels, and averaged.

- The views are split over the dimension ``sample``: every node that makes a part of a view's picture runs once for each
  sample, effects included, and none of them knows. Work that views share (shadow maps) runs once.
- Resolves last in the chain ``tone``, in linear light: each sample is what a display would show there, and their mean
  is what a display with so many texels more would show from afar. Averaged before the tone mapper, one sample of a lamp
  would outweigh all others of its texel, and the lamp would keep jagged edges.
- Needs a skeleton that repeats its pictures over ``sample``, with the chain ``tone``.

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
    return PluginInfo("ssaa", "0.1.0", "Supersampling: each view as the mean of several complete pictures.")


@hookimpl
def renderwright_settings() -> type[SsaaSettings]:
    """The settings' model."""
    return SsaaSettings


@hookimpl
def renderwright_views(views: ViewSet, settings: SsaaSettings) -> ViewSet:
    """The samples of each view."""
    return views.split(DIMENSION, Samples(settings.samples)) if settings.samples > 1 else views


@hookimpl
def renderwright_nodes(graph: PluginGraph, settings: SsaaSettings) -> None:
    """One member of the chain ``tone``."""
    if settings.samples > 1:
        graph.add_node("resolve", lambda reg: resolve(reg, settings))
