"""Writes the kept tour: ``python -m renderwright.games.gallery.tour FILE`` follows ``tour.yaml`` as a guide would."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator
from pathlib import Path

from renderwright.engine.content import ContentModel, load_content
from renderwright.engine.input import InputState
from renderwright.engine.recording import recorded
from renderwright.games.gallery.game import Gallery, Phase
from renderwright.games.gallery.museum_file import FOLDER

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
    """Plays a game by the stops."""

    def __init__(self, game: Gallery, stops: tuple[Stop, ...]) -> None:
        self._game = game
        self._stops = stops

    def play(self, state: InputState) -> Iterator[None]:
        """Walk in, and go from stop to stop."""
        yield from [None] * _START
        yield from _tap(state, "start")
        for stop in self._stops:
            if stop.to is not None:
                yield from self._walk(state, *stop.to)
            if stop.look is not None:
                yield from self._look(state, *(math.radians(angle) for angle in stop.look))
            if stop.press:
                yield from _tap(state, stop.press)
            if stop.hold:
                state.press(stop.hold)
            yield from [None] * round(stop.wait / Gallery.step)
            if stop.hold:
                state.release(stop.hold)

    def _walk(self, state: InputState, x: float, z: float) -> Iterator[None]:
        walker = self._game.walker
        for _ in range(_MOST):
            east, south = x - walker.x, z - walker.z
            far = math.hypot(east, south)
            if far < _NEAR:
                break
            turn = _between(math.atan2(-east, -south), walker.gaze.yaw)
            ahead = min(1.0, 1.2 * far) * max(0.0, math.cos(1.4 * turn))
            yield from _steer(state, turn=-2.2 * turn, tilt=-2.0 * walker.gaze.pitch, ahead=ahead)
        else:
            raise ValueError(f"the guide cannot reach {x}, {z}")
        yield from _steer(state)

    def _look(self, state: InputState, yaw: float, pitch: float) -> Iterator[None]:
        for _ in range(_MOST):
            gaze = self._game.photo.gaze if self._game.phase is Phase.PHOTO else self._game.walker.gaze
            turn, tilt = _between(yaw, gaze.yaw), pitch - gaze.pitch
            if max(abs(turn), abs(tilt)) < _LOOKED:
                break
            yield from _steer(state, turn=-2.2 * turn, tilt=2.2 * tilt)
        yield from _steer(state)


def _steer(state: InputState, turn: float = 0.0, tilt: float = 0.0, ahead: float = 0.0) -> Iterator[None]:
    for name, value in (("turn", turn), ("tilt", tilt), ("ahead", ahead)):
        state.set_axis(name, max(-1.0, min(1.0, _notched(value))))
    yield


def _tap(state: InputState, key: str) -> Iterator[None]:
    state.press(key)
    state.release(key)
    yield


def load_tour(file: Path = FOLDER / "tour.yaml") -> tuple[Stop, ...]:
    """The stops of the file. Raises ``AssetError`` with file, line and column."""
    return load_content(file, tuple[Stop, ...], "tour").value


def replay_of(stops: tuple[Stop, ...]) -> str:
    """The replay, as YAML."""
    game = Gallery()
    return recorded(game, Guide(game, stops).play)


def _between(goal: float, angle: float) -> float:
    return (goal - angle + math.pi) % math.tau - math.pi


def _notched(value: float) -> float:
    """The nearest notch, and never none of a small turn that is asked for."""
    if 0.0 < abs(value) < 1.0 / _NOTCHES:
        return math.copysign(0.5 / _NOTCHES, value) if abs(value) > 0.02 else 0.0
    return round(value * _NOTCHES) / _NOTCHES


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(replay_of(load_tour()), encoding="utf-8")
