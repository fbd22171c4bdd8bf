"""Packing problems for benchmarks: those of a folder, and frames drawn from a shipped game's distribution."""

from __future__ import annotations

import csv
import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from renderwright.render.errors import UsageError
from renderwright.render.memory.arcs import PackItem
from renderwright.render.memory.instances import read_instance

FOLDER = Path(__file__).parent / "instances"
CYCLIC, LETTERED, TRACES, ENLISTED = "cyclic", "linear, A to I", "linear, traces", "Enlisted"


@dataclass(frozen=True)
class Case:
    """A problem, its family in reports, and the least known makespan in bytes (0 for none)."""

    name: str
    family: str
    period: int
    items: tuple[PackItem, ...]
    best_known: int = 0


def read_cases(folder: Path, most_items: int) -> list[Case]:
    """The problems of all CSV files under a folder with at most ``most_items`` items, sorted by number of items.

    Raises UsageError for a folder without such files and AssetError for an invalid file.
    """
    cases = []
    for file in sorted(folder.rglob("*.csv")):
        if file.name == "index.csv":
            continue
        instance = read_instance(file)
        if len(instance.items) <= most_items:
            family = CYCLIC if instance.cyclic else LETTERED if file.name.endswith(".1048576.csv") else TRACES
            best = _index(file.parent).get(file.name, 0)
            cases.append(Case(instance.name, family, instance.period, instance.items, best))
    if not cases:
        raise UsageError(
            f'there are no packing problems in "{folder}"',
            hint="give a folder with CSV files that renderwright pack reads",
        )
    return sorted(cases, key=lambda case: (case.family, len(case.items), case.name))


def _index(folder: Path) -> dict[str, int]:
    file = folder / "index.csv"
    if not file.is_file():
        return {}
    try:
        with file.open(encoding="utf-8", newline="") as stream:
            return {row["file"]: int(row["best_known"]) for row in csv.DictReader(stream)}
    except (KeyError, ValueError) as error:
        raise UsageError(
            f'"{file}" is no index of packing problems: {error!r}', hint="its columns are file and best_known, in bytes"
        ) from error


ENLISTED_PERIODS = ((130, 4), (140, 8), (144, 4), (146, 4))
# fmt: off
ENLISTED_LIVES = (
    (0, 108), (1, 120), (2, 36), (6, 6), (7, 6), (9, 4), (13, 4), (28, 4), (33, 12), (35, 8), (37, 4), (38, 4), (39, 8),
    (41, 4), (42, 12), (43, 4), (44, 4), (45, 4), (55, 4), (56, 8), (60, 8), (62, 16), (63, 4), (64, 4), (66, 4),
    (67, 16), (69, 8), (70, 8), (71, 16), (73, 8), (74, 8), (79, 6), (80, 8), (82, 4), (84, 4), (85, 16), (89, 16),
    (91, 12), (92, 4),
)
ENLISTED_SIZES = (
    (1, 28), (4, 60), (880, 20), (12288, 20), (131072, 12), (524288, 20), (589824, 4), (917504, 20), (1245184, 40),
    (2228224, 36), (2490368, 82), (3538944, 96), (4915200, 16), (8847360, 76),
)
# fmt: on
"""(value, weight) pairs of the frames of the game Enlisted in 2023, from the tests of Dagor Engine's frame graph."""


def enlisted_cases(draws: int, resources: int, seed: int = 0) -> Iterator[Case]:
    """Frames drawn from a shipped game's distribution of live ranges and sizes; a length of 0 is the whole circle."""
    rng = random.Random(seed)

    def draw(table: tuple[tuple[int, int], ...]) -> int:
        return rng.choices([value for value, _ in table], [weight for _, weight in table])[0]

    for number in range(draws):
        period = draw(ENLISTED_PERIODS)
        items = []
        for _ in range(resources):
            start = rng.randrange(period)
            items.append(PackItem(start, (start + draw(ENLISTED_LIVES)) % period, draw(ENLISTED_SIZES), 8))
        yield Case(f"enlisted {number}", ENLISTED, period, tuple(items))
