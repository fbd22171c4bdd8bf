"""VR: each player's view is rendered in stereo for a headset.

- Each eye has a position and an asymmetric frustum of its own. Work that does not depend on the eye is done once:
  shadow maps follow the blob ``view_camera``, whose frustum contains both eyes' frusta.
- The default headset is simulated: two displays side by side on the output, a scripted head pose, and lens distortion
  correction. A real headset is driven through OpenXR (``vr.device=openxr``): its runtime supplies poses, sizes and
  images and corrects for its lenses, and the output mirrors it.
- The HUD is a panel in front of the eyes, at a distance of its own.
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
    """The OpenXR headset, which takes part in opening the device."""
    return OpenXrHeadset() if settings.device is Device.OPENXR else None


@hookimpl(trylast=True)
def renderwright_views(views: ViewSet, settings: VrSettings, interop: Interop | None) -> ViewSet:
    """Split each player's view into the views of two eyes."""
    return in_stereo(views, headset_for(settings, interop), settings.scale, HUD_PANEL, fill=settings.fill)


@hookimpl
def renderwright_nodes(graph: PluginGraph, settings: VrSettings, interop: Interop | None) -> None:
    """Add the HUD panel, the lens pass (a member of the chain ``tone``) and, with OpenXR, the copy to the headset."""
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
    """Submit the frame to an OpenXR headset."""
    if isinstance(interop, OpenXrHeadset):
        interop.end_frame(rendered=rendered)


@hookimpl
def renderwright_disabled(interop: Interop | None) -> None:
    """End the session of an OpenXR headset."""
    if isinstance(interop, OpenXrHeadset):
        interop.close()
