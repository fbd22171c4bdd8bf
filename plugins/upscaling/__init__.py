"""Temporal upscaling: the scene is rendered at a part of its size, and many frames make the picture at full size.

Each frame is rendered with a different subpixel jitter. Its samples are added to a history of the size of the picture,
each to the texels that it is near to; motion vectors reproject the history.

- Sets the size of rendering by ``ViewSet.upscaled``. Effects from ``post_hdr`` on see the picture at full size.
- Needs a skeleton with ``depth``, ``motion_vectors`` and the chain ``post_hdr``; without the first two, each frame is
  enlarged by itself.
- Stands in for the plugin ``taa``.
- Each view and eye has a history of its own.

After Yang, Liu and Salvi 2020 ("A Survey of Temporal Antialiasing Techniques", its part on temporal upsampling) and
Karis 2014 ("High Quality Temporal Supersampling").
"""

from renderwright.engine.plugins import PluginGraph, PluginInfo, hookimpl
from renderwright.engine.views import ViewSet
from renderwright.plugins.upscaling.nodes import jitter, resolve, sharpen
from renderwright.plugins.upscaling.settings import UpscalingSettings

__all__ = [
    "UpscalingSettings",
    "renderwright_info",
    "renderwright_nodes",
    "renderwright_settings",
    "renderwright_views",
]


@hookimpl
def renderwright_info() -> PluginInfo:
    """Name, version, summary."""
    return PluginInfo(
        "upscaling", "0.1.0", "Renders fewer texels and accumulates a picture of full size; replaces taa."
    )


@hookimpl
def renderwright_settings() -> type[UpscalingSettings]:
    """The settings' model."""
    return UpscalingSettings


@hookimpl
def renderwright_views(views: ViewSet, settings: UpscalingSettings) -> ViewSet:
    """Render the scene at a part of the pictures' size."""
    return views.upscaled(settings.scale)


@hookimpl
def renderwright_nodes(graph: PluginGraph, settings: UpscalingSettings) -> None:
    """Add a node that jitters the camera, and two members of the chain ``post_hdr``."""
    graph.add_node("jitter", jitter)
    graph.add_node("resolve", lambda reg: resolve(reg, settings))
    graph.add_node("sharpen", lambda reg: sharpen(reg, settings))
