"""The best run of each level, kept between runs of the game where the host allows it.

``best_times.yaml`` has the times, and ``run_LEVEL.yaml`` is the best run of a level as an input script::

    version: 1
    levels:
      first_roll: {steps: 1471, map: 3f2a9c1b}

A step is 1/120 s. ``map`` tells when the level is no longer the one that was played.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from renderwright.engine.user_files import UserFiles
from renderwright.games.marbles.level import Level
from renderwright.games.marbles.physics import STEP
from renderwright.games.marbles.runs import Run, parse_run, run_text

FILE = "best_times.yaml"
_HEADER = "# The best times of marbles, in steps of 1/120 s. The runs are in the files run_LEVEL.yaml.\n"


class Record(NamedTuple):
    """The best time of a level, and the checksum of its map."""

    steps: int
    map: str


class Records:
    """The best times and runs of one player."""

    def __init__(self, levels: Sequence[Level], files: UserFiles | None = None) -> None:
        self._levels = tuple(levels)
        self._files = files or UserFiles()
        self._runs: dict[int, Run | None] = {}
        self._steps: dict[int, int] = {}
        self.times: dict[int, float] = {}
        """The best time of each level that was cleared, in seconds, by index."""
        self._strange: dict[str, Record] = {}
        """Records of levels that this version of the game does not have. They are kept."""
        self._take(self._kept())

    def run(self, index: int) -> Run | None:
        """The best run of a level, None if there is none. A kept one is read when it is first asked for."""
        if index not in self._runs:
            run = None
            if index in self._steps:
                run = self._files.load(_run_file(self._levels[index]), parse_run)
            if run is not None and run.steps != self._steps[index]:
                self.disown(index)
                return None
            self._runs[index] = run
        return self._runs[index]

    def add(self, index: int, run: Run) -> bool:
        """A level was cleared; whether that is its best run. If it is, it is kept."""
        if run.steps >= self._steps.get(index, run.steps + 1):
            return False
        self._take(self._kept())  # another window may have kept better runs since
        if run.steps >= self._steps.get(index, run.steps + 1):
            return False
        self._set(index, run.steps)
        self._runs[index] = run
        if self._files.folder is not None and self._files.save(FILE, self._text()):
            self._files.save(_run_file(self._levels[index]), run_text(run, index))
        return True

    def disown(self, index: int) -> None:
        """The kept run of a level does not do what its record says: tell it, and do without."""
        self._runs[index] = None
        name = self._levels[index].settings.name
        self._files.tell(
            _run_file(self._levels[index]),
            f'the best run of "{name}" does not reach its goals in the best time; it has no ghost',
            "another version of the game or another machine may have made it; the next best run replaces it",
        )

    def _kept(self) -> Mapping[str, Record]:
        return self._files.load(FILE, _parse) or {}

    def _take(self, kept: Mapping[str, Record]) -> None:
        """Take over the records of the levels as they are now."""
        known = {_key(level) for level in self._levels}
        self._strange = {key: record for key, record in kept.items() if key not in known}
        for index, level in enumerate(self._levels):
            record = kept.get(_key(level))
            if record is None or record.steps >= self._steps.get(index, record.steps + 1):
                continue
            if record.map == _map(level):
                self._set(index, record.steps)
                self._runs.pop(index, None)
            else:
                self._files.tell(
                    FILE,
                    f'the best time of "{level.settings.name}" is left out: its map has changed since',
                    "clear the level once more, or remove its line",
                )

    def _set(self, index: int, steps: int) -> None:
        self._steps[index], self.times[index] = steps, steps * STEP

    def _text(self) -> str:
        levels = {index: self._levels[index] for index in sorted(self._steps)}
        records = {_key(level): Record(self._steps[index], _map(level)) for index, level in levels.items()}
        lines = [f"{_HEADER}version: 1", "levels:"]
        for key, record in {**records, **self._strange}.items():
            lines.append(f"  {json.dumps(key)}: {{steps: {record.steps}, map: {json.dumps(record.map)}}}")
        return "\n".join([*lines, ""])


def _key(level: Level) -> str:
    return re.sub(r"[^a-z0-9]+", "_", level.settings.name.lower()).strip("_")


def _run_file(level: Level) -> str:
    return f"run_{_key(level)}.yaml"


def _map(level: Level) -> str:
    """Changes with everything that marbles can touch."""
    movers = [mover.model_dump_json() for mover in level.settings.movers]
    return hashlib.sha256("\n".join([level.settings.map, *movers]).encode()).hexdigest()[:8]


def _parse(text: str, file: str) -> Mapping[str, Record]:
    # The model of the file takes longer to make than all other classes of the game together.
    from renderwright.games.marbles.record_file import parse_records

    return parse_records(text, file)
