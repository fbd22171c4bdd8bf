"""TAA: temporal anti-aliasing.

Each frame is rendered with a different subpixel jitter and blended into an accumulated picture. Motion vectors
reproject that history; samples that do not fit the current picture are clipped or rejected.

- Needs a skeleton with ``depth``, ``motion_vectors`` and the chain ``post_hdr``; without them, nothing changes.
- Runs early in ``post_hdr``, so that bloom and other effects that spread light get smooth edges.
- Jitters the blob ``camera`` (``CameraView.jittered``) before any node reads it.
- Each view and eye has a history of its own.

After Yang, Liu and Salvi 2020 ("A Survey of Temporal Antialiasing Techniques"), Karis 2014 ("High Quality Temporal
Supersampling") and Salvi 2016 ("An Excursion in Temporal Supersampling").
"""

from renderwright.engine.plugins import PluginGraph, PluginInfo, hookimpl
from renderwright.plugins.taa.nodes import jitter, resolve, sharpen
from renderwright.plugins.taa.settings import TaaSettings

__all__ = ["TaaSettings", "renderwright_info", "renderwright_nodes", "renderwright_settings"]


@hookimpl
def renderwright_info() -> PluginInfo:
    """Name, version, summary."""
    return PluginInfo("taa", "0.1.0", "Temporal anti-aliasing with sharpening: smooth, stable edges.")


@hookimpl
def renderwright_settings() -> type[TaaSettings]:
    """The settings' model."""
    return TaaSettings


@hookimpl
def renderwright_nodes(graph: PluginGraph, settings: TaaSettings) -> None:
    """Add a node that jitters the camera, and one or two members of the chain ``post_hdr``."""
    graph.add_node("jitter", lambda reg: jitter(reg, settings))
    graph.add_node("resolve", lambda reg: resolve(reg, settings))
    if settings.sharpness > 0.0:
        graph.add_node("sharpen", lambda reg: sharpen(reg, settings))
