#!/usr/bin/env python3
"""Makes the pictures of docs/gallery-game.md: moments of the kept tour, and four of them side by side.

.venv/bin/python scripts/gallery_picture.py
"""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import PIL.Image

from renderwright import games
from renderwright.engine.clock import FixedStepClock
from renderwright.engine.input import InputMap
from renderwright.engine.input.replay import ReplaySource, load_replay
from renderwright.engine.picture import save_image
from renderwright.engine.session import Session
from renderwright.games.gallery import Gallery
from renderwright.render.backend.vulkan.backend import VulkanBackend

IMAGES = Path(__file__).parents[1] / "docs" / "images"
TOUR = Path(games.__path__[0]) / "gallery" / "replays" / "tour.yaml"
SIZE, SMALL = (960, 540), (64, 36)
FIRST = 205
"""The step of the picture by itself: the hall."""
ROOMS = (1035, 1705, 2700, 3520)
"""Those of the pictures side by side: winter garden, glass, atelier, mirrors."""
SETTLING = 48
"""Frames in which probes are measured."""
FRAMES = 10
"""Before a picture, for effects that average."""


class Silent(Gallery):
    """The game without its HUD."""

    def draw(self, alpha: float) -> None:
        """Draw nothing."""


def main() -> None:
    """Follow the tour, and save its moments."""
    script = load_replay(TOUR, InputMap.from_dict(Gallery.controls))
    pictures: dict[int, PIL.Image.Image] = {}
    with closing(VulkanBackend()) as backend:
        clock, source = FixedStepClock(Gallery.step, frame=Gallery.step), ReplaySource(script, Gallery.step)
        session = Session(Silent, backend, SIZE, clock=clock, source=source)
        with closing(session), closing(backend.create_target(SIZE)) as target:
            with closing(backend.create_target(SMALL)) as small:
                for _ in range(SETTLING):
                    session.step()
                    session.render(small)
                backend.wait_idle()
            for step in range(SETTLING, max(ROOMS) + 1):
                session.step()
                ahead = min((at - step for at in (FIRST, *ROOMS) if at >= step), default=FRAMES)
                if ahead < FRAMES:
                    session.render(target)
                if ahead == 0:
                    pictures[step] = PIL.Image.fromarray(session.picture()[:, :, :3])
            backend.wait_idle()
    rooms = PIL.Image.new("RGB", SIZE)
    half = SIZE[0] // 2, SIZE[1] // 2
    for number, step in enumerate(ROOMS):
        place = number % 2 * half[0], number // 2 * half[1]
        rooms.paste(pictures[step].resize(half, PIL.Image.Resampling.LANCZOS), place)
    for file, picture in ((IMAGES / "gallery.png", pictures[FIRST]), (IMAGES / "gallery_rooms.png", rooms)):
        save_image(file, picture, optimize=True)
        print(f"{file} ({file.stat().st_size // 1024} KiB)")


if __name__ == "__main__":
    main()
