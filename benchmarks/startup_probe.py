"""The process that ``renderwright bench startup`` measures: shows one frame of a game as ``renderwright play`` does.

``python -m benchmarks.startup_probe GAME`` prints, for each stage as JSON, when it ended: CPU seconds of the process
and the tools that it ran, of its main thread, and seconds on the system's monotonic clock.
"""

from __future__ import annotations

import importlib
import json
import os
import sys
import time
from contextlib import closing
from typing import Any

from renderwright.engine.garbage import calm_collector

COMMAND = "renderwright.engine.cli.play"


class Stopwatch:
    """The moments at which stages ended."""

    def __init__(self) -> None:
        self.ends: dict[str, tuple[float, float, float]] = {}

    def ended(self, stage: str) -> None:
        """Note the end of a stage."""
        tools = os.times()
        cpu = time.process_time() + tools.children_user + tools.children_system
        self.ends[stage] = (cpu, time.thread_time(), time.monotonic())


def probe(name: str, watch: Stopwatch) -> None:
    """Show one frame of the game."""
    importlib.import_module(COMMAND)
    from renderwright.engine import app, backends
    from renderwright.engine.clock import HEADLESS_FRAME, FixedStepClock
    from renderwright.engine.games import find_game
    from renderwright.engine.options import PlayOptions
    from renderwright.engine.session import Session
    from renderwright.engine.show import Opening, Show

    game: Any = find_game(name)
    watch.ended("imports")

    class Watched(game):  # type: ignore[misc]
        """The game, which notes when it is set up."""

        def setup(self, context: Any) -> None:
            super().setup(context)
            watch.ended("game.setup")

    clock = FixedStepClock(game.step, frame=HEADLESS_FRAME)
    opening = Opening(
        lambda: backends.make_backend(PlayOptions(name)),
        lambda backend: backend.create_target(app.DEFAULT_EXTENT),
        lambda backend, target: Session(Watched, backend, target.extent, clock=clock),
    )
    with closing(Show(opening)) as show:
        show.session.step()
        show.render()
        watch.ended("first frame submitted")
        show.backend.wait_idle()
        watch.ended("first frame drawn")


if __name__ == "__main__":
    stopwatch = Stopwatch()
    with calm_collector():
        probe(sys.argv[1], stopwatch)
    print(json.dumps(stopwatch.ends))
