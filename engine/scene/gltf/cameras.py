"""Orthographic cameras of glTF files."""

from __future__ import annotations

from typing import Any

from renderwright.engine.scene.camera import Camera

_NEAREST = 1e-6
"""The nearest near plane, as a share of the far plane's distance; a file may have it at 0."""


def orthographic_camera(source: Any) -> Camera:
    """The camera of a glTF element ``orthographic``. The width of its picture follows from the picture's shape."""
    far = float(source.zfar)
    near = max(float(source.znear), _NEAREST * far)
    return Camera(near=near, height=2.0 * float(source.ymag), depth_range=far - near)
