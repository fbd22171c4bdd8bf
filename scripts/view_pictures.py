#!/usr/bin/env python3
"""Makes the pictures of the pages on split screen and VR: the sample game, played by two and seen by two eyes.

.venv/bin/python scripts/view_pictures.py [split_screen] [vr]
"""

from __future__ import annotations

import sys
from contextlib import closing
from pathlib import Path

import numpy as np
import PIL.Image
from numpy.typing import NDArray

from renderwright.engine.clock import FixedStepClock
from renderwright.engine.options import PluginChoice, SettingChange
from renderwright.engine.picture import save_image
from renderwright.engine.session import Session
from renderwright.games.marbles import Marbles
from renderwright.render.backend.vulkan.backend import VulkanBackend

FOLDER = Path(__file__).parents[1] / "docs" / "images" / "effects"
SIZE = (800, 450)
SETTINGS = {"split_screen": (), "vr": (SettingChange("vr", "scale", "6"), SettingChange("vr", "poses", "still"))}
PLAYERS = {"split_screen": 2, "vr": 1}
KEYS = {0: ("right", "s"), 70: ("d",), 110: ("down",)}
"""What is pressed from a frame on."""
FRAMES = 130


def main(names: list[str]) -> None:
    """Make the pictures of these plugins, or of all."""
    with closing(VulkanBackend()) as backend:
        for name in names or SETTINGS:
            picture = PIL.Image.fromarray(shot(backend, name)[:, :, :3])
            file = FOLDER / f"{name}.png"
            picture = picture.quantize(256, PIL.Image.Quantize.MAXCOVERAGE, kmeans=8, dither=PIL.Image.Dither.NONE)
            save_image(file, picture, optimize=True)
            print(f"{file} ({file.stat().st_size // 1024} KiB)")


def shot(backend: VulkanBackend, name: str) -> NDArray[np.uint8]:
    """The last of some frames with a plugin."""
    choice = PluginChoice(enable=(name, "fxaa"), settings=SETTINGS[name])
    clock = FixedStepClock(Marbles.step, frame=1 / 60)
    session = Session(Marbles, backend, SIZE, choice=choice, clock=clock, players=PLAYERS[name])
    target = backend.create_target(SIZE)
    try:
        for frame in range(FRAMES):
            for key in KEYS.get(frame, ()):
                session.context.input.press(key)
            session.step()
            if frame >= FRAMES - 2:
                session.render(target)
        return session.picture()
    finally:
        session.close()
        target.close()


if __name__ == "__main__":
    main(sys.argv[1:])
