"""Selection of the headset by the settings."""

from __future__ import annotations

from renderwright.plugins.vr.headset import Headset
from renderwright.plugins.vr.openxr import OpenXrHeadset
from renderwright.plugins.vr.settings import Device, VrSettings
from renderwright.plugins.vr.simulated import SimulatedHeadset, load_poses
from renderwright.render.backend.interop import Interop


def headset_for(settings: VrSettings, interop: Interop | None) -> Headset:
    """The configured headset. An OpenXR headset is the ``interop`` that the device was opened with."""
    real = openxr_headset(settings, interop)
    return real or SimulatedHeadset(settings.ipd, load_poses(settings.poses), settings.lens)


def openxr_headset(settings: VrSettings, interop: Interop | None) -> OpenXrHeadset | None:
    """The OpenXR headset if configured. One without ``interop`` raises an explaining error when it is opened."""
    if settings.device is not Device.OPENXR:
        return None
    return interop if isinstance(interop, OpenXrHeadset) else OpenXrHeadset()
