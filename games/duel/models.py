"""Meshes of tanks, from the shapes of ``tank.yaml``."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from renderwright.engine.content import ContentModel, load_content
from renderwright.engine.scene import Mesh
from renderwright.engine.scene.shape_content import Shape, shaped

FILE = Path(__file__).parent / "tank.yaml"


class _Shapes(ContentModel):
    paint: tuple[Shape, ...]
    metal: tuple[Shape, ...]
    glow: tuple[Shape, ...]


@dataclass(frozen=True)
class TankMeshes:
    """The painted, the metal and the glowing parts of a tank that faces -Z."""

    paint: Mesh
    metal: Mesh
    glow: Mesh


def tank_meshes() -> TankMeshes:
    """The meshes of a tank. Raises ``AssetError`` with file, line and column."""
    shapes = load_content(FILE, _Shapes, "tank").value
    return TankMeshes(
        shaped("tank paint", shapes.paint), shaped("tank metal", shapes.metal), shaped("tank glow", shapes.glow)
    )
