"""Marks in clips, and the events of a step: marks that were passed, and clips that came to their end."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from renderwright.engine.animation.plays import Plays, Rows

END = "end"
"""The name of the event that a clip which does not loop has come to its end."""


class AnimationEvent(NamedTuple):
    """``name`` is that of the mark, or ``END``."""

    animation: str
    name: str


class Marks:
    """The marks of all characters of a rig: names at times of a clip."""

    def __init__(self) -> None:
        self._marks: dict[int, dict[int, list[tuple[float, str]]]] = {}

    def add(self, character: int, clip: int, time: float, name: str) -> None:
        """Mark a time in a clip of a character."""
        marks = self._marks.setdefault(character, {}).setdefault(clip, [])
        marks.append((time, name))
        marks.sort()

    def forget(self, character: int) -> None:
        """Remove the marks of a character."""
        self._marks.pop(character, None)

    def passed(self, plays: Plays, rows: Rows) -> Mapping[int, list[tuple[int, str]]]:
        """What the last step of ``rows`` has passed: clips and names by character."""
        found: dict[int, list[tuple[int, str]]] = {}
        characters, clips = plays["character"], plays["clip"]
        ended = rows[_ended(plays, rows)]
        marked = rows[np.isin(characters[rows], list(self._marks))] if self._marks else rows[:0]
        for row in marked.tolist():
            character, clip = int(characters[row]), int(clips[row])
            for time, name in self._marks[character].get(clip, ()):
                found.setdefault(character, []).extend([(clip, name)] * _times_passed(plays, row, time))
        for row in ended.tolist():
            found.setdefault(int(characters[row]), []).append((int(clips[row]), END))
        return found


def _ended(plays: Plays, rows: Rows) -> NDArray[np.bool_]:
    before, now, duration = plays["time_before"][rows], plays["time"][rows], plays["duration"][rows]
    at_end = np.where(plays["speed"][rows] >= 0.0, now >= duration, now <= 0.0)
    ended: NDArray[np.bool_] = ~plays["loop"][rows] & at_end & (before != now)
    return ended


def _times_passed(plays: Plays, row: int, time: float) -> int:
    """How often the last step has passed a time of the clip: from where it began, up to but without where it ended.

    Where a clip that does not loop ends, this end belongs to the step.
    """
    before, now = float(plays["time_before"][row]), float(plays["time"][row])
    duration = float(plays["duration"][row])
    if before == now:
        return 0
    if now < before:  # backwards: the same with the signs changed
        before, now, time = -before, -now, -time
    if plays["loop"][row] and duration > 0.0:
        return math.ceil((now - time) / duration) - math.ceil((before - time) / duration)
    ends = now in (duration, 0.0)
    return int(before <= time < now or (ends and time == now))
