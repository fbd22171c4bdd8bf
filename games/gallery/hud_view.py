"""The HUD: title, where a visitor is, what keys do, photo mode."""

from __future__ import annotations

import math

from renderwright.engine.game import Hud, HudColor
from renderwright.games.gallery.photo import SIZES, PhotoCamera
from renderwright.games.gallery.stations import Board

WHITE: HudColor = (1.0, 1.0, 1.0, 1.0)
SOFT: HudColor = (0.86, 0.85, 0.82, 1.0)
GOLD: HudColor = (0.97, 0.82, 0.52, 1.0)
SHADE: HudColor = (0.02, 0.02, 0.03, 0.55)


def draw_title(hud: Hud, seconds: float) -> None:
    """The title over a slow walk through the rooms."""
    middle, size = 0.5 * hud.width, min(0.17 * hud.height, 0.14 * hud.width)
    top = 0.16 * hud.height
    hud.text(middle, top, "GALLERY", size, GOLD, "center")
    hud.text(middle, top + 1.25 * size, "six rooms of light, glass and leaves", 22, SOFT, "center")
    if seconds % 1.4 < 1.0:
        hud.text(middle, 0.74 * hud.height, "Enter   walk in", 26, WHITE, "center")
    hud.text(middle, 0.74 * hud.height + 42.0, "Esc   leave", 17, SOFT, "center")


def draw_walk(hud: Hud, room: str, since: float, near: Board | None, *, hint: bool) -> None:
    """The name of a room that was entered ``since`` seconds ago, and what a board before the visitor offers."""
    shown = min(1.0, max(0.0, 3.0 - since))
    if room and shown > 0.0:
        hud.text(0.5 * hud.width, 0.12 * hud.height, room, 34, (*GOLD[:3], shown), "center")
    if near is not None:
        choices = [f"{number + 1} {key.replace('_', ' ')}" for number, key in enumerate(near.station.settings)]
        words = "     ".join([f"F   {near.station.title} {'off' if near.on else 'on'}", *choices])
        hud.rect(0.0, hud.height - 74.0, hud.width, 40.0, SHADE)
        hud.text(0.5 * hud.width, hud.height - 66.0, words, 20, WHITE, "center")
    elif hint:
        keys = "W A S D  walk    ← →  or drag the mouse  look    Shift  hurry    C  photo    P  pause"
        hud.text(0.5 * hud.width, hud.height - 62.0, keys, 16, SOFT, "center")


def draw_pause(hud: Hud) -> None:
    """Over everything."""
    hud.rect(0.0, 0.0, hud.width, hud.height, (0.0, 0.0, 0.0, 0.45))
    hud.text(0.5 * hud.width, 0.4 * hud.height, "paused", 54, WHITE, "center")
    hud.text(0.5 * hud.width, 0.4 * hud.height + 74.0, "P   go on       Esc   to the title", 20, SOFT, "center")


def draw_photo(hud: Hud, camera: PhotoCamera) -> None:
    """The frame of the finder, and what the keys do."""
    inset, color = 36.0, (1.0, 1.0, 1.0, 0.75)
    for x, y in ((inset, inset), (hud.width - inset, inset), (inset, hud.height - inset)):
        hud.rect(x if x < 99.0 else x - 48.0, y if y < 99.0 else y - 2.0, 48.0, 2.0, color)
        hud.rect(x if x < 99.0 else x - 2.0, y if y < 99.0 else y - 48.0, 2.0, 48.0, color)
    angle = f"{math.degrees(camera.fov_y):.0f}°"
    words = f"Enter  take {SIZES[camera.size][0]}     Tab  size     + -  {angle}     W A S D Q E  fly     C  back"
    hud.text(0.5 * hud.width, hud.height - 30.0, words, 15, SOFT, "center")
