"""Materials of the game."""

from __future__ import annotations

from dataclasses import dataclass

from renderwright.engine.scene import Material
from renderwright.games.marbles.wood import wood_image

Rgb = tuple[float, float, float]


@dataclass(frozen=True)
class Looks:
    """All materials, created once."""

    floor: Material
    wall: Material
    frame: Material
    table: Material
    well: Material
    cup: Material
    hole_rim: Material
    goal: Material
    goal_home: Material
    coin: Material
    bumper: Material
    bumper_cap: Material
    bumper_hit: Material
    mover: Material
    mover_trim: Material
    marbles: tuple[tuple[Material, Material], ...]
    """Ground and figure of each marble."""
    steel_marbles: tuple[tuple[Material, Material], ...]
    """The same for polished steel with a band of colour."""
    ghost: Material


def make_looks() -> Looks:
    """The materials with their wood images."""
    grain = wood_image("wood grain", 2)
    planks = wood_image("wood planks", 5, planks=8, contrast=0.4)
    return Looks(
        floor=Material(_opaque(0.80, 0.53, 0.28), roughness=0.42, base_color_image=planks),
        wall=Material(_opaque(0.24, 0.10, 0.045), roughness=0.3, base_color_image=grain),
        frame=Material(_opaque(0.30, 0.125, 0.055), roughness=0.26, base_color_image=grain),
        table=Material(_opaque(0.012, 0.045, 0.04), roughness=0.9),
        well=Material(_opaque(0.012, 0.010, 0.010), roughness=0.9),
        cup=Material(_opaque(0.85, 0.60, 0.24), metallic=1.0, roughness=0.3, emissive=(0.12, 0.05, 0.01)),
        hole_rim=Material(_opaque(0.10, 0.10, 0.11), metallic=1.0, roughness=0.35),
        goal=Material(_opaque(0.95, 0.66, 0.26), metallic=1.0, roughness=0.22, emissive=(22.0, 9.5, 1.6)),
        goal_home=Material(_opaque(0.25, 0.9, 0.4), metallic=1.0, roughness=0.22, emissive=(1.6, 20.0, 5.0)),
        coin=Material(_opaque(1.0, 0.77, 0.30), metallic=1.0, roughness=0.18, emissive=(0.7, 0.42, 0.07)),
        bumper=Material(_opaque(0.60, 0.02, 0.03), roughness=0.14),
        bumper_cap=Material(_opaque(0.9, 0.9, 0.92), metallic=1.0, roughness=0.12),
        bumper_hit=Material(_opaque(0.9, 0.2, 0.1), roughness=0.2, emissive=(26.0, 3.5, 1.2)),
        mover=Material(_opaque(0.02, 0.22, 0.30), metallic=0.35, roughness=0.22),
        mover_trim=Material(_opaque(0.1, 0.6, 0.7), roughness=0.3, emissive=(0.05, 0.9, 1.2)),
        marbles=(
            (_gloss(0.70, 0.02, 0.03), _gloss(0.92, 0.90, 0.84)),
            (_gloss(0.02, 0.10, 0.62), _gloss(0.95, 0.66, 0.05)),
            (_gloss(0.01, 0.36, 0.13), _steel(0.93)),
            (_steel(0.80), _gloss(0.035, 0.035, 0.045)),
        ),
        steel_marbles=tuple((_mirror(0.92), paint) for paint in _BANDS),
        ghost=Material((0.25, 0.75, 1.0, 0.4), roughness=0.2, emissive=(0.03, 0.35, 0.6), alpha_mode="blend"),
    )


def _opaque(red: float, green: float, blue: float) -> tuple[float, float, float, float]:
    return red, green, blue, 1.0


def _gloss(red: float, green: float, blue: float) -> Material:
    """Polished glass paste."""
    return Material(_opaque(red, green, blue), roughness=0.07)


def _mirror(tone: float) -> Material:
    return Material(_opaque(tone, tone, tone), metallic=1.0, roughness=0.04)


def _steel(tone: float) -> Material:
    return Material(_opaque(tone, tone, tone), metallic=1.0, roughness=0.1)


_BANDS = (
    _gloss(0.70, 0.02, 0.03),
    _gloss(0.02, 0.10, 0.62),
    _gloss(0.01, 0.36, 0.13),
    _gloss(0.035, 0.035, 0.045),
)
"""Colours of the players' bands."""
