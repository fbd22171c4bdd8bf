"""VR: each player's view is drawn for two eyes, as a headset wants it.

- Each eye has a position and an asymmetric frustum of its own. What does not depend on the eye is done once for both:
  shadow maps follow the blob ``view_camera``, which holds what either eye sees.
- The headset is simulated by default: two displays side by side on the output, a head moved by a script of poses,
  lenses whose distortion is made up for. A real one is reached through OpenXR (``vr.device=openxr``): its runtime gives
  poses, sizes and images, bends what it shows for its lenses, and the output is a mirror of it.
- The HUD hangs before the eyes, at a distance of its own.
"""

from __future__ import annotations

from renderwright.engine.plugins import PluginGraph, PluginInfo, hookimpl
from renderwright.engine.views import ViewSet
from renderwright.plugins.vr.devices import headset_for, openxr_headset
from renderwright.plugins.vr.nodes import HUD_PANEL, display, hud, lens, optics
from renderwright.plugins.vr.openxr import OpenXrHeadset
from renderwright.plugins.vr.settings import Device, VrSettings
from renderwright.plugins.vr.stereo import in_stereo
from renderwright.render.backend.interop import Interop

__all__ = [
    "VrSettings",
    "renderwright_disabled",
    "renderwright_end_frame",
    "renderwright_info",
    "renderwright_interop",
    "renderwright_nodes",
    "renderwright_settings",
    "renderwright_views",
]


@hookimpl
def renderwright_info() -> PluginInfo:
    """Name, version, summary."""
    return PluginInfo("vr", "0.1.0", "Stereo for a headset, simulated or through OpenXR.")


@hookimpl
def renderwright_settings() -> type[VrSettings]:
    """The settings' model."""
    return VrSettings


@hookimpl
def renderwright_interop(settings: VrSettings) -> OpenXrHeadset | None:
    """A real headset, which wants to be there when the device is opened."""
    return OpenXrHeadset() if settings.device is Device.OPENXR else None


@hookimpl
def renderwright_views(views: ViewSet, settings: VrSettings, interop: Interop | None) -> ViewSet:
    """Each player's view through a headset."""
    return in_stereo(views, headset_for(settings, interop), settings.scale, HUD_PANEL, fill=settings.fill)


@hookimpl
def renderwright_nodes(graph: PluginGraph, settings: VrSettings, interop: Interop | None) -> None:
    """The HUD on a panel, a member of the chain ``tone`` that puts all together, and what brings that to a real one."""
    graph.add_node("hud", hud)
    graph.add_node("optics", lambda reg: optics(reg, settings))
    graph.add_node("lens", lens)
    headset = openxr_headset(settings, interop)
    if headset is not None:
        headset.open()
        graph.add_node("display", lambda reg: display(reg, headset))
    elif isinstance(interop, OpenXrHeadset):
        interop.close()


@hookimpl
def renderwright_end_frame(rendered: bool, settings: VrSettings, interop: Interop | None) -> None:
    """A real headset is shown what has been drawn."""
    if isinstance(interop, OpenXrHeadset):
        interop.end_frame(rendered=rendered)


@hookimpl
def renderwright_disabled(interop: Interop | None) -> None:
    """A real headset is left."""
    if isinstance(interop, OpenXrHeadset):
        interop.close()
