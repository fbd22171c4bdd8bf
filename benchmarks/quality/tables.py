"""Tables for several settings and surfaces.

Soft shadows against the mean of many hard ones, and a ball in a panorama against an integral over all directions.
"""

from __future__ import annotations

import numpy as np
from rich.table import Table

from benchmarks.quality.ball_in_environment import Surface, integrated, rendered, room, seen_points
from benchmarks.quality.flip import flip
from benchmarks.quality.play import Settings
from benchmarks.quality.soft_shadows import CASES, reference, shaded
from renderwright.render.backend.protocol import Backend
from renderwright.render.types.resources import Extent

EXTENT: Extent = (320, 180)
LIGHTS = 128
BALL_SIDE = 40

WAYS: dict[str, Settings | None] = {
    "without shadows": None,
    "pcf, 2 texels (default)": {"edges": "pcf"},
    "pcf, 4 texels": {"edges": "pcf", "softness": "4"},
    "pcss": {"edges": "pcss"},
    "pcss, 64 taps": {"edges": "pcss", "taps": "64"},
}
SURFACES = {
    "red paint": ((0.6, 0.1, 0.1), 0.0),
    "black paint": ((0.04, 0.04, 0.04), 0.0),
    "gold": ((0.9, 0.75, 0.5), 1.0),
}
ROUGHNESSES = (0.2, 0.4, 0.6, 0.8, 1.0)


def shadow_table(backend: Backend, extent: Extent = EXTENT, lights: int = LIGHTS) -> Table:
    """FLIP and mean error of soft shadows against the mean over ``lights`` lights."""
    table = Table(title=f"soft shadows and {lights} lights, {extent[0]} x {extent[1]}: FLIP (mean error)")
    table.add_column("")
    columns = []
    for name, case in CASES.items():
        table.add_column(name, justify="right")
        right = reference(case, backend, extent, lights)
        seen = [shaded(case, backend, extent, settings) for settings in WAYS.values()]
        columns.append([f"{flip(right, one):.4f} ({np.abs(one - right).mean():.4f})" for one in seen])
    for way, cells in zip(WAYS, zip(*columns, strict=True), strict=True):
        table.add_row(way, *cells)
    return table


def environment_table(backend: Backend, side: int = BALL_SIDE) -> Table:
    """Mean error and difference of the means, as shares of the mean light, of a ball in a room with windows."""
    table = Table(title="a ball in a panorama and the integral: mean error (difference of the mean light), in %")
    table.add_column("roughness")
    for name in SURFACES:
        table.add_column(name, justify="right")
    panorama = room()
    shown, normals, eyes = seen_points(side)
    for roughness in ROUGHNESSES:
        cells = []
        for base_color, metallic in SURFACES.values():
            surface = Surface(base_color, metallic, roughness)
            right = integrated(surface, panorama, normals, eyes)
            seen = rendered(surface, panorama, backend, side)[shown]
            error, bias = np.abs(seen - right).mean() / right.mean(), seen.mean() / right.mean() - 1.0
            cells.append(f"{100 * error:.1f} ({100 * bias:+.1f})")
        table.add_row(str(roughness), *cells)
    return table
