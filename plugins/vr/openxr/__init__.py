"""OpenXR: a headset on the game's own Vulkan device, through the package pyopenxr."""

from renderwright.plugins.vr.openxr.headset import OpenXrHeadset

__all__ = ["OpenXrHeadset"]
