"""OpenXR: a headset's runtime on the game's own device, through the package pyopenxr."""

from renderwright.plugins.vr.openxr.headset import OpenXrHeadset

__all__ = ["OpenXrHeadset"]
