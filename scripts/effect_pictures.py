#!/usr/bin/env python3
"""Makes the pictures of docs/effects: the sample game without an effect, and with it.

.venv/bin/python scripts/effect_pictures.py [EFFECT ...]
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import PIL.Image
from cookie_scenes import Stained
from effect_scenes import Balls, Courtyard, Dusk, Fire, LitFromAround, Marked, Shafts, Showroom, Table, Yard
from mask_scenes import Bushes, CrossingPanes, HashedBushes
from mirror_scenes import Mirrored
from particle_scenes import Bouncing, Disks, Falling, Leaves

from renderwright.engine.clock import FixedStepClock
from renderwright.engine.game import Game
from renderwright.engine.input.replay import ReplaySource, load_replay
from renderwright.engine.options import PluginChoice, SettingChange
from renderwright.engine.picture import save_image
from renderwright.engine.session import Session
from renderwright.games.marbles import Marbles
from renderwright.render.backend.vulkan.backend import VulkanBackend

REPOSITORY = Path(__file__).parents[1]
FOLDER = REPOSITORY / "docs" / "images" / "effects"
REPLAY = REPOSITORY / "games" / "marbles" / "replays" / "demo.yaml"
FILM_FRAME = 1 / 24
WIDTH, HEIGHT = 400, 225
"""Of each of the pictures that stand side by side."""
LARGEST_FILE = 140_000
"""Bytes; what would be larger gets along with 256 colours."""

Change = tuple[str, str, str]


@dataclass(frozen=True)
class Panel:
    """One of the pictures: plugins that are switched on or off, and (plugin, setting, value)."""

    enable: tuple[str, ...] = ()
    disable: tuple[str, ...] = ()
    settings: tuple[Change, ...] = ()
    game: type[Game] | None = None  # instead of the shot's


@dataclass(frozen=True)
class Shot:
    """What an effect's page shows: the part ``crop`` (left, top, width, height) of a frame, panel by panel."""

    panels: tuple[Panel, ...]
    crop: tuple[int, int, int, int]
    size: tuple[int, int] = (1280, 720)
    frames: int = 30
    columns: int = 2
    game: type[Game] = Marbles
    rendered: int = 2  # the last frames of all; motion is against the frame before
    frame_time: float = FILM_FRAME


def switched(name: str, *settings: Change) -> tuple[Panel, Panel]:
    """Without and with a plugin."""
    return Panel(disable=(name,)), Panel(enable=(name,), settings=settings)


BOARD = (80, 60, 1120, 630)
CORNER = (80, 400, 400, 225)
BRIGHT = (("tonemap", "exposure", "1.5"),)

SHOTS = {
    "bloom": Shot(switched("bloom", ("bloom", "intensity", "0.25")), CORNER),
    "cookies": Shot(
        (Panel(enable=("shadows",), disable=("cookies",)), Panel(enable=("shadows", "cookies"))),
        (60, 30, 680, 382),
        (800, 450),
        frames=3,
        game=Stained,
    ),
    "decals": Shot(switched("decals"), (130, 70, 600, 338), (800, 450), frames=3, game=Marked),
    "depth_of_field": Shot(switched("depth_of_field", ("depth_of_field", "aperture", "1.5")), BOARD),
    "fog": Shot(
        switched("fog", ("fog", "density", "0.12"), ("fog", "falloff", "0.6"), ("fog", "height", "-3.6")), BOARD
    ),
    "grading": Shot(
        (
            Panel(),
            *(
                Panel(enable=("grading",), settings=(("grading", "look", look), ("grading", "strength", strength)))
                for look, strength in (("warm", "1"), ("cold", "1"), ("cold", "0.5"))
            ),
        ),
        BOARD,
    ),
    "fxaa": Shot(switched("fxaa"), (210, 110, 160, 90)),
    "mirrors": Shot(switched("mirrors"), (50, 28, 700, 394), (800, 450), frames=3, game=Mirrored),
    "hashed_alpha": Shot(
        (
            Panel(enable=("shadows",)),
            Panel(enable=("shadows",), game=HashedBushes),
            Panel(enable=("shadows", "taa"), game=HashedBushes),
            Panel(enable=("shadows", "ssaa"), settings=(("ssaa", "samples", "16"),), game=HashedBushes),
        ),
        (120, 40, 200, 112),
        (400, 225),
        frames=40,
        rendered=40,
        game=Bushes,
    ),
    "motion_blur": Shot(switched("motion_blur", ("motion_blur", "shutter", "1")), (420, 380, 400, 225), frames=48),
    "oit": Shot(switched("oit"), (50, 28, 700, 394), (800, 450), frames=3, game=CrossingPanes),
    "outline": Shot(switched("outline", ("outline", "thickness", "2")), (180, 80, 560, 315)),
    "particles": Shot(switched("particles"), (60, 40, 600, 338), (800, 450), frames=72, rendered=72, game=Fire),
    "particles_collisions": Shot(
        (Panel(game=Falling, enable=("particles",)), Panel(enable=("particles",))),
        (40, 10, 680, 382),
        (800, 450),
        frames=64,
        rendered=64,
        game=Bouncing,
    ),
    "particles_images": Shot(
        (Panel(game=Disks, enable=("particles",)), Panel(enable=("particles",))),
        (150, 50, 480, 270),
        (800, 450),
        frames=90,
        rendered=90,
        game=Leaves,
    ),
    "ssaa": Shot(switched("ssaa", ("ssaa", "samples", "16")), (210, 110, 160, 90)),
    "tonemap": Shot(
        (
            Panel(disable=("tonemap",)),
            *(Panel(settings=(("tonemap", "operator", name), *BRIGHT)) for name in ("agx", "aces", "neutral")),
        ),
        CORNER,
    ),
    "shadows": Shot(
        (
            Panel(disable=("shadows",)),
            Panel(settings=(("shadows", "edges", "pcss"), ("shadows", "sun_angle", "0.05"))),
        ),
        (50, 28, 700, 394),
        (800, 450),
        frames=3,
        game=Yard,
    ),
    "contact_shadows": Shot(
        switched("contact_shadows", ("contact_shadows", "thickness", "0.03")),
        (50, 28, 700, 394),
        (800, 450),
        frames=3,
        game=Table,
    ),
    "environment": Shot((Panel(), Panel(game=LitFromAround)), (50, 28, 700, 394), (800, 450), frames=2, game=Balls),
    "ssao": Shot(switched("ssao"), (80, 90, 1120, 630), game=Courtyard),
    "ssr": Shot(switched("ssr"), (50, 28, 700, 394), (800, 450), frames=40, rendered=40, game=Showroom),
    "taa": Shot(switched("taa"), (650, 460, 200, 112), frames=150, rendered=20, frame_time=1 / 60),
    "upscaling": Shot(
        (
            Panel(),
            Panel(enable=("taa",)),
            *(Panel(enable=("upscaling",), settings=(("upscaling", "scale", scale),)) for scale in ("0.67", "0.5")),
        ),
        (650, 460, 200, 112),
        frames=150,
        rendered=20,
        frame_time=1 / 60,
    ),
    "volumetric_fog": Shot(
        switched("volumetric_fog", ("volumetric_fog", "density", "0.06"), ("volumetric_fog", "range", "20")),
        (50, 28, 700, 394),
        (800, 450),
        frames=3,
        game=Shafts,
    ),
    "auto_exposure": Shot((Panel(), Panel(settings=(("tonemap", "auto_exposure", "true"),))), BOARD, game=Dusk),
}


def take(backend: VulkanBackend, shot: Shot, panel: Panel) -> PIL.Image.Image:
    """One panel."""
    settings = tuple(SettingChange(*change) for change in panel.settings)
    choice = PluginChoice(enable=panel.enable, disable=panel.disable, settings=settings)
    session = Session(
        panel.game or shot.game,
        backend,
        shot.size,
        choice=choice,
        clock=FixedStepClock(Marbles.step, frame=shot.frame_time),
        source=ReplaySource(load_replay(REPLAY), Marbles.step),
        strict=True,
    )
    target = backend.create_target(shot.size)
    try:
        for frame in range(shot.frames):
            session.step()
            if frame >= shot.frames - shot.rendered:
                session.render(target)
        picture = session.picture()
    finally:
        backend.wait_idle()
        target.close()
        session.close()
    left, top, width, height = shot.crop
    part = PIL.Image.fromarray(np.ascontiguousarray(picture[top : top + height, left : left + width, :3]))
    enlarged = width < WIDTH
    return part.resize((WIDTH, HEIGHT), PIL.Image.Resampling.NEAREST if enlarged else PIL.Image.Resampling.LANCZOS)


def main(names: list[str]) -> None:
    """Make the pictures of these effects, or of all."""
    backend = VulkanBackend(wait_seconds=120.0)
    try:
        for name in names or SHOTS:
            shot = SHOTS[name]
            rows = -(-len(shot.panels) // shot.columns)
            sheet = PIL.Image.new("RGB", (shot.columns * (WIDTH + 4) - 4, rows * (HEIGHT + 4) - 4), "white")
            for number, panel in enumerate(shot.panels):
                at = (number % shot.columns * (WIDTH + 4), number // shot.columns * (HEIGHT + 4))
                sheet.paste(take(backend, shot, panel), at)
            path = FOLDER / f"{name}.png"
            save_image(path, sheet, optimize=True)
            if path.stat().st_size > LARGEST_FILE:
                colors = sheet.quantize(
                    256, PIL.Image.Quantize.MAXCOVERAGE, kmeans=8, dither=PIL.Image.Dither.FLOYDSTEINBERG
                )
                save_image(path, colors, optimize=True)
            print(f"{path.relative_to(REPOSITORY)}: {path.stat().st_size / 1024:.0f} KiB")
    finally:
        backend.close()


if __name__ == "__main__":
    main(sys.argv[1:])
