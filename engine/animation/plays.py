"""The clips that play, of all characters of a rig, as arrays."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

_PLAY = np.dtype(
    [
        ("alive", bool),
        ("character", np.intp),
        ("clip", np.intp),
        ("duration", np.float64),
        ("time", np.float64),
        ("time_before", np.float64),
        ("speed", np.float64),
        ("loop", bool),
        ("weight", np.float64),
        ("weight_before", np.float64),
        ("fade", np.float64),
        ("drawn_time", np.float64),
        ("drawn_weight", np.float64),
    ]
)
"""A clip that plays. ``time`` is not wrapped at the end of a loop. ``fade`` is the change of the weight in a second.
``..._before`` are the values at the start of the step, ``drawn_...`` those of the last pose."""

Rows = NDArray[np.intp]


class Plays:
    """A table of clips that play. A row keeps its number as long as it plays."""

    def __init__(self) -> None:
        self._table = np.zeros(0, _PLAY)

    def add(self, character: int, clip: int, duration: float) -> int:
        """Start a clip of a character at its beginning, with weight 0; returns its row."""
        free = np.flatnonzero(~self._table["alive"])
        if not len(free):
            size = max(16, 2 * len(self._table))
            free = np.arange(len(self._table), size)
            self._table = np.concatenate([self._table, np.zeros(size - len(self._table), _PLAY)])
        row = int(free[0])
        self._table[row] = np.zeros((), _PLAY)
        play = self._table[row]
        play["alive"], play["character"], play["clip"], play["duration"] = True, character, clip, duration
        play["speed"], play["drawn_weight"] = 1.0, -1.0
        return row

    def remove(self, rows: Rows | int) -> None:
        """End plays."""
        self._table["alive"][rows] = False

    def rows(self) -> Rows:
        """All that play."""
        return np.flatnonzero(self._table["alive"])

    def of(self, character: int) -> Rows:
        """Those of a character."""
        return np.flatnonzero(self._table["alive"] & (self._table["character"] == character))

    def __getitem__(self, field: str) -> NDArray[Any]:
        """A field of all rows, a view."""
        return self._table[field]

    def advance(self, seconds: float) -> Rows:
        """Begin a step and let time pass. Returns the rows that have faded out, which still have to be removed."""
        table = self._table
        table["time_before"], table["weight_before"] = table["time"], table["weight"]
        time = table["time"] + table["speed"] * seconds
        table["time"] = np.where(table["loop"], time, np.clip(time, 0.0, table["duration"]))
        weight = np.clip(table["weight"] + table["fade"] * seconds, 0.0, 1.0)
        table["weight"] = weight
        return np.flatnonzero(table["alive"] & (table["fade"] < 0.0) & (weight <= 0.0))

    def snap(self, rows: Rows | slice = slice(None)) -> None:
        """Forget the values before: nothing is interpolated."""
        self._table["time_before"][rows] = self._table["time"][rows]
        self._table["weight_before"][rows] = self._table["weight"][rows]

    def draw(self, rows: Rows, alpha: float) -> Rows:
        """Those of ``rows`` that are drawn otherwise than the last time, between the last step (alpha = 0) and now."""
        part = self._table[rows]
        time = part["time_before"] + (part["time"] - part["time_before"]) * alpha
        weight = part["weight_before"] + (part["weight"] - part["weight_before"]) * alpha
        changed = (time != part["drawn_time"]) | (weight != part["drawn_weight"])
        self._table["drawn_time"][rows], self._table["drawn_weight"][rows] = time, weight
        drawn: Rows = rows[changed]
        return drawn

    def clip_times(self, rows: Rows) -> NDArray[np.float64]:
        """The drawn times in their clips, from 0 to the duration."""
        part = self._table[rows]
        time, duration = part["drawn_time"], part["duration"]
        wrapped = np.where(duration > 0.0, np.mod(time, np.where(duration > 0.0, duration, 1.0)), 0.0)
        return np.where(part["loop"], wrapped, time)
