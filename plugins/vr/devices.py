"""The headset that the settings ask for."""

from __future__ import annotations

from plugins.vr.headset import Headset
from plugins.vr.settings import Device, VrSettings
from plugins.vr.simulated import SimulatedHeadset, load_poses


def headset_for(settings: VrSettings) -> Headset:
    """``UsageError`` if it is not there."""
    if settings.device is Device.OPENXR:
        from plugins.vr.openxr import open_headset

        return open_headset()
    return SimulatedHeadset(settings.ipd, load_poses(settings.poses), settings.lens)
