"""Materials of the game, by the names of ``looks.yaml``."""

from __future__ import annotations

from pathlib import Path

from renderwright.engine.scene import Material
from renderwright.engine.scene.material_content import Palette, load_palette
from renderwright.games.marbles.level import Finish
from renderwright.games.marbles.wood import wood_image

FILE = Path(__file__).parent / "looks.yaml"
_MARBLES = 4
"""Of each finish."""


def make_looks() -> Palette:
    """The materials with their wood images."""
    images = {"grain": wood_image("wood grain", 2), "planks": wood_image("wood planks", 5, planks=8, contrast=0.4)}
    return load_palette(FILE, images)


def marble_materials(looks: Palette, finish: Finish, number: int) -> tuple[Material, Material]:
    """Ground and figure of a marble, counted from 0; from the fifth on they repeat."""
    name = f"{finish.value} {number % _MARBLES + 1}"
    return looks[f"{name} ground"], looks[f"{name} figure"]
