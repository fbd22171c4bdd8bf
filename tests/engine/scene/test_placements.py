"""Things that a game places for plugins to draw."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from renderwright.engine.scene import Scene
from renderwright.engine.scene.placements import Placed, PlacedRows, PlacedTable
from renderwright.render.errors import UsageError


class Beacons:
    """Counts the steps of the beacons that are there."""

    def __init__(self) -> None:
        self.things: list[Beacon] = []

    def __len__(self) -> int:
        return len(self.things)

    def __contains__(self, thing: object) -> bool:
        return any(thing is one for one in self.things)

    def add(self, thing: Any) -> None:
        self.things.append(thing)

    def remove(self, thing: Any) -> None:
        self.things.remove(thing)

    def clear(self) -> None:
        self.things.clear()

    def end_step(self, seconds: float) -> None:
        for thing in self.things:
            thing.seen.append((thing.place, seconds))

    def rows(self, alpha: float) -> PlacedRows:
        return PlacedRows("beacons", np.full(len(self.things), alpha, np.float32), 4)


class Beacon:
    def __init__(self) -> None:
        self.place = 0
        self.seen: list[tuple[int, float]] = []

    @classmethod
    def table(cls) -> Beacons:
        return Beacons()

    @classmethod
    def examples(cls) -> tuple[Beacon, ...]:
        return (cls(),)


def test_a_step_ends_with_what_the_game_has_done_in_it() -> None:
    scene = Scene()
    beacon = scene.placed.add(Beacon())
    for place in (1, 2):
        scene.begin_step(0.5)
        beacon.place = place
    (rows,) = scene.placed.drawn(0.25)
    assert beacon.seen == [(1, 0.5), (2, 0.5)]
    assert rows.data.tolist() == [0.25]
    scene.placed.drawn(0.75)
    assert len(beacon.seen) == 2, "drawing again ends no step"


def test_nothing_is_drawn_of_kinds_without_things() -> None:
    scene = Scene()
    assert scene.placed.drawn(1.0) == ()
    beacon = scene.placed.add(Beacon())
    scene.placed.remove(beacon)
    assert scene.placed.drawn(1.0) == ()
    scene.placed.add(beacon)
    scene.clear()
    assert scene.placed.drawn(1.0) == ()


def test_errors_say_what_to_do() -> None:
    scene = Scene()
    beacon = scene.placed.add(Beacon())
    with pytest.raises(UsageError, match="placed already") as error:
        scene.placed.add(beacon)
    assert error.value.where is not None
    scene.placed.remove(beacon)
    with pytest.raises(UsageError, match="not placed in this scene"):
        scene.placed.remove(beacon)
    with pytest.raises(UsageError, match="'lamp' cannot be placed"):
        scene.placed.add("lamp")  # type: ignore[type-var]


class Bare(Placed):
    """Has the methods of the protocol, which do nothing."""


class WithoutLength(PlacedTable):
    add = remove = clear = end_step = lambda *given: None

    def __contains__(self, thing: object) -> bool:
        return False


class Lengthless(Beacon):
    @classmethod
    def table(cls) -> Any:
        return WithoutLength()


class Tableless(Beacon):
    @classmethod
    def table(cls) -> Any:
        return None


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        (Bare, "Bare has no class method table()"),
        (Tableless, "Tableless.table() returns None"),
        (Lengthless, "WithoutLength, which Lengthless.table() returns, lacks __len__, rows"),
    ],
)
def test_a_kind_that_lacks_a_method_is_named_with_its_line(kind: type, words: str) -> None:
    scene = Scene()
    with pytest.raises(UsageError, match=re.escape(words)) as caught:
        scene.placed.add(kind())
    assert caught.value.where is not None
    line = Path(__file__).read_text().splitlines()[caught.value.where.line - 1]
    assert line.startswith(f"class {kind.__name__}(")
    assert scene.placed.kinds == ()
