#!/usr/bin/env python3
"""Makes the picture of docs/drift.md: the autopilot in the wave "Embers".

.venv/bin/python scripts/drift_picture.py
"""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import PIL.Image

from renderwright.engine.clock import FixedStepClock
from renderwright.engine.picture import save_image
from renderwright.engine.session import Session
from renderwright.games.drift import Drift
from renderwright.games.drift.match import STEP
from renderwright.games.drift.recording import Pilot
from renderwright.render.backend.vulkan.backend import VulkanBackend

FILE = Path(__file__).parents[1] / "docs" / "images" / "drift.png"
SIZE = (960, 540)
SEED = 5
WAVE, WAVE_STEP = 2, 62
"""The wave before, counted from 1, and the step in which it is skipped."""
FRAMES = 831


def main() -> None:
    """Play up to the moment, and save it."""
    with closing(VulkanBackend()) as backend:
        session = Session(Drift, backend, SIZE, clock=FixedStepClock(STEP, frame=STEP), seed=SEED)
        with closing(session), closing(backend.create_target(SIZE)) as target:
            game = session.runner.game
            assert isinstance(game, Drift)
            session.runner.source = Pilot(game)
            for frame in range(FRAMES):
                if frame == WAVE_STEP:
                    game.match.wave_number = WAVE - 1
                session.step()
                if frame >= FRAMES - 2:
                    session.render(target)
            picture = PIL.Image.fromarray(session.picture()[:, :, :3])
    save_image(FILE, picture, optimize=True)
    print(f"{FILE} ({FILE.stat().st_size // 1024} KiB)")


if __name__ == "__main__":
    main()
