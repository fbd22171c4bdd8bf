"""Writes the kept tour: ``python -m renderwright.games.gallery.tour FILE`` follows ``tour.yaml`` as a guide would."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator
from pathlib import Path

from renderwright.engine.content import ContentModel, load_content
from renderwright.engine.game import GameContext, GameRunner
from renderwright.games.gallery.game import Gallery, Phase
from renderwright.games.gallery.walker import Gaze

FILE = Path(__file__).parent / "tour.yaml"
_START = 90
"""The step in which the visitor walks in."""
_NOTCHES = 8.0
"""Steps of an axis, so that it does not change all the time."""
_NEAR, _LOOKED = 0.2, 0.025
"""Metres and radians that are near enough."""
_MOST = 60 * 30
"""Steps of a stop."""


class Stop(ContentModel):
    """A stop, as the file says."""

    to: tuple[float, float] | None = None
    look: tuple[float, float] | None = None
    press: str = ""
    hold: str = ""
    wait: float = 0.0


class Guide:
    """Plays the game by the stops, and tells what it pressed."""

    def __init__(self) -> None:
        self._game = Gallery()
        self._runner = GameRunner(self._game, GameContext())
        self._runner.start()
        self._step = 0
        self._axes: dict[str, float] = {}

    def events(self, stops: tuple[Stop, ...]) -> Iterator[str]:
        """The lines of the replay."""
        yield from self._pass(_START)
        yield from self._tap("start")
        for stop in stops:
            if stop.to is not None:
                yield from self._walk(*stop.to)
            if stop.look is not None:
                yield from self._look(*(math.radians(angle) for angle in stop.look))
            if stop.press:
                yield from self._tap(stop.press)
            if stop.hold:
                yield self._line(f"press: [{stop.hold}]")
                self._runner.context.input.press(stop.hold)
            yield from self._pass(round(stop.wait / Gallery.step))
            if stop.hold:
                yield self._line(f"release: [{stop.hold}]")
                self._runner.context.input.release(stop.hold)

    def _walk(self, x: float, z: float) -> Iterator[str]:
        walker = self._game.walker
        for _ in range(_MOST):
            east, south = x - walker.x, z - walker.z
            far = math.hypot(east, south)
            if far < _NEAR:
                break
            turn = _between(math.atan2(-east, -south), walker.gaze.yaw)
            ahead = min(1.0, 1.2 * far) * max(0.0, math.cos(1.4 * turn))
            yield from self._steer(turn=-2.2 * turn, tilt=-2.0 * walker.gaze.pitch, ahead=ahead)
        else:
            raise ValueError(f"the guide cannot reach {x}, {z}")
        yield from self._steer()

    def _look(self, yaw: float, pitch: float) -> Iterator[str]:
        for _ in range(_MOST):
            gaze: Gaze = self._game.photo.gaze if self._game.phase is Phase.PHOTO else self._game.walker.gaze
            turn, tilt = _between(yaw, gaze.yaw), pitch - gaze.pitch
            if max(abs(turn), abs(tilt)) < _LOOKED:
                break
            yield from self._steer(turn=-2.2 * turn, tilt=2.2 * tilt)
        yield from self._steer()

    def _steer(self, **axes: float) -> Iterator[str]:
        wanted = {name: max(-1.0, min(1.0, _notched(axes.get(name, 0.0)))) for name in ("turn", "tilt", "ahead")}
        changed = {name: value for name, value in wanted.items() if self._axes.get(name, 0.0) != value}
        if changed:
            words = ", ".join(f"{name}: {value:g}" for name, value in changed.items())
            yield self._line(f"axis: {{{words}}}")
        self._axes |= wanted
        for name, value in changed.items():
            self._runner.context.input.set_axis(name, value)
        yield from self._pass(1)

    def _tap(self, key: str) -> Iterator[str]:
        yield self._line(f'press: ["{key}"], release: ["{key}"]')
        self._runner.context.input.press(key)
        self._runner.context.input.release(key)
        yield from self._pass(1)

    def _pass(self, steps: int) -> Iterator[str]:
        for _ in range(steps):
            self._runner.frame(Gallery.step)
            self._step += 1
        yield from ()

    def _line(self, words: str) -> str:
        return f"{{step: {self._step}, {words}}}"


def load_tour(file: Path = FILE) -> tuple[Stop, ...]:
    """The stops of the file. Raises ``AssetError`` with file, line and column."""
    return load_content(file, tuple[Stop, ...], "tour").value


def replay_of(stops: tuple[Stop, ...]) -> str:
    """The replay, as YAML."""
    lines = ["version: 1", f"step_seconds: {Gallery.step}", "steps:"]
    return "\n".join([*lines, *(f"  - {event}" for event in Guide().events(stops))]) + "\n"


def _between(goal: float, angle: float) -> float:
    return (goal - angle + math.pi) % math.tau - math.pi


def _notched(value: float) -> float:
    """The nearest notch, and never none of a small turn that is asked for."""
    if 0.0 < abs(value) < 1.0 / _NOTCHES:
        return math.copysign(0.5 / _NOTCHES, value) if abs(value) > 0.02 else 0.0
    return round(value * _NOTCHES) / _NOTCHES


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(replay_of(load_tour()), encoding="utf-8")
