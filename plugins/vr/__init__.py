"""VR: each player's view is drawn for two eyes, as a headset wants it.

- Each eye has a position and an asymmetric frustum of its own. What does not depend on the eye is done once for both:
  shadow maps follow the blob ``view_camera``, which holds what either eye sees.
- The headset is simulated by default: two displays side by side on the output, a head moved by a script of poses,
  lenses whose distortion is made up for. A real one is reached through OpenXR (``vr.device=openxr``).
- The HUD hangs before the eyes, at a distance of its own.
"""

from __future__ import annotations

from engine.plugins import PluginGraph, PluginInfo, hookimpl
from engine.views import ViewSet
from plugins.vr.devices import headset_for
from plugins.vr.nodes import HUD_PANEL, hud, lens, optics
from plugins.vr.settings import VrSettings
from plugins.vr.stereo import in_stereo

__all__ = ["VrSettings", "framewright_info", "framewright_nodes", "framewright_settings", "framewright_views"]


@hookimpl
def framewright_info() -> PluginInfo:
    """Name, version, summary."""
    return PluginInfo("vr", "0.1.0", "Stereo for a headset, simulated or through OpenXR.")


@hookimpl
def framewright_settings() -> type[VrSettings]:
    """The settings' model."""
    return VrSettings


@hookimpl
def framewright_views(views: ViewSet, settings: VrSettings) -> ViewSet:
    """Each player's view through a headset."""
    return in_stereo(views, headset_for(settings), settings.scale, HUD_PANEL, fill=settings.fill)


@hookimpl
def framewright_nodes(graph: PluginGraph, settings: VrSettings) -> None:
    """The HUD on a panel, and a member of the chain ``tone`` that puts all together for a display."""
    graph.add_node("hud", hud)
    graph.add_node("optics", lambda reg: optics(reg, settings))
    graph.add_node("lens", lens)
