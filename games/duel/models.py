"""Meshes of tanks, put together from the engine's primitives."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from renderwright.engine.scene import Mesh
from renderwright.engine.scene.assembly import Part, assembled
from renderwright.engine.scene.primitives import box, capsule, cylinder, torus

_LYING = 0.5 * np.pi


@dataclass(frozen=True)
class TankMeshes:
    """The painted, the metal and the glowing parts of a tank that faces -Z."""

    paint: Mesh
    metal: Mesh
    glow: Mesh


def tank_meshes() -> TankMeshes:
    """A hull between two pods, a turret with a barrel, thrusters behind and below."""
    paint: list[Part] = [
        (box((1.15, 0.34, 2.3), 0.12), (0.0, 0.26, 0.1), (0.0, 0.0, 0.0)),
        (box((1.0, 0.30, 1.1), 0.1), (0.0, 0.12, -1.15), (-0.35, 0.0, 0.0)),
        (box((0.95, 0.34, 1.15), 0.14), (0.0, 0.60, 0.25), (0.06, 0.0, 0.0)),
        (box((0.16, 0.42, 0.62), 0.05), (-0.86, 0.42, 0.95), (-0.3, 0.0, 0.25)),
        (box((0.16, 0.42, 0.62), 0.05), (0.86, 0.42, 0.95), (-0.3, 0.0, -0.25)),
    ]
    metal: list[Part] = [
        (box((1.9, 0.26, 2.0), 0.1), (0.0, 0.02, 0.1), (0.0, 0.0, 0.0)),
        (cylinder(0.10, 1.35, segments=16), (0.0, 0.62, -1.0), (_LYING, 0.0, 0.0)),
        (cylinder(0.16, 0.30, segments=16), (0.0, 0.62, -1.62), (_LYING, 0.0, 0.0)),
        (cylinder(0.46, 0.2, segments=24), (0.0, 0.44, 0.2), (0.0, 0.0, 0.0)),
        (box((0.5, 0.14, 0.5), 0.05), (0.0, 0.80, 0.35), (0.0, 0.0, 0.0)),
    ]
    glow: list[Part] = [(torus(0.78, 0.05, segments=32, rings=8), (0.0, -0.14, 0.1), (0.0, 0.0, 0.0))]
    for side in (-1.0, 1.0):
        paint.append((capsule(0.27, 2.5, segments=20, rings=6), (side * 1.02, 0.06, 0.05), (_LYING, 0.0, 0.0)))
        metal.append((cylinder(0.19, 0.5, segments=16), (side * 0.42, 0.24, 1.3), (_LYING, 0.0, 0.0)))
        glow.append((cylinder(0.145, 0.06, segments=16), (side * 0.42, 0.24, 1.55), (_LYING, 0.0, 0.0)))
        glow.append((box((0.03, 0.06, 1.5), 0.012), (side * 1.295, 0.09, 0.05), (0.0, 0.0, 0.0)))
        glow.append((box((0.20, 0.05, 0.05), 0.02), (side * 0.3, 0.30, -1.42), (0.0, 0.0, 0.0)))
    return TankMeshes(assembled("tank paint", paint), assembled("tank metal", metal), assembled("tank glow", glow))
