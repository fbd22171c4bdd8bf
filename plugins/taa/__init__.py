"""TAA: temporal anti-aliasing.

Each frame is sampled at another place within the texels, and the results are gathered over many frames. Motion vectors
bring the picture so far to where its surfaces are now; what cannot be right there is clipped or thrown away.

- Needs a skeleton with ``depth``, ``motion_vectors`` and the chain ``post_hdr``; without them, nothing changes.
- Comes early in ``post_hdr``: bloom and whatever else spreads light get a picture with smooth edges.
- Moves the blob ``camera`` by a part of a texel (``CameraView.jittered``) before anybody reads it.
- History goes by name, so each view and eye has its own.

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
    return PluginInfo("taa", "0.1.0", "Smooth edges and still pictures, from samples of many frames; with sharpening.")


@hookimpl
def renderwright_settings() -> type[TaaSettings]:
    """The settings' model."""
    return TaaSettings


@hookimpl
def renderwright_nodes(graph: PluginGraph, settings: TaaSettings) -> None:
    """A node that jitters the camera, and one or two members of the chain ``post_hdr``."""
    graph.add_node("jitter", lambda reg: jitter(reg, settings))
    graph.add_node("resolve", lambda reg: resolve(reg, settings))
    if settings.sharpness > 0.0:
        graph.add_node("sharpen", lambda reg: sharpen(reg, settings))
