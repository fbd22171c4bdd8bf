"""Emitters and descriptions of particles."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest
from pyglm import glm

from renderwright.engine.scene import Scene
from renderwright.plugins.particles import Emitter, Particles
from renderwright.plugins.particles.gradient import stops
from renderwright.plugins.particles.table import EmitterTable
from renderwright.render import UsageError


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("lifetime", (2.0, 1.0)),
        ("lifetime", (0.0, 0.0)),
        ("speed", (-1.0, 1.0)),
        ("speed", (0.0, float("nan"))),
        ("spread", -0.1),
        ("drag", float("inf")),
        ("direction", (0.0, 0.0, 0.0)),
        ("sizes", ()),
        ("colors", ((1.0, 1.0, 1.0),)),
        ("colors", (1.0, 1.0, 1.0)),
        ("lifetime", 1.0),
        ("spread", 20),
        ("sizes", 0.1),
        ("sizes", ("large",)),
        ("plays", "twice"),
        ("gravity", -9.81),
        ("collision", 0.5),
    ],
)
def test_values_that_particles_cannot_have_are_refused_by_name(name: str, value: object) -> None:
    with pytest.raises(UsageError, match=rf"Particles\.{name} cannot be ") as refused:
        Particles(**{name: value})
    assert place_of(refused) == __file__


@pytest.mark.parametrize(
    "values",
    [
        {"rate": -1.0},
        {"rate": 1e12},
        {"most": 0},
        {"most": 2.5},
        {"rate": 0.0},
        {"seed": 0.5},
        {"position": 3.0},
        {"particles": None},
        {"particles": Particles(lifetime=(1e6, 1e6))},
    ],
)
def test_so_are_those_of_emitters(values: dict[str, Any]) -> None:
    with pytest.raises(UsageError) as refused:
        Emitter(**values)
    assert place_of(refused) == __file__


def test_so_are_values_that_are_set_later() -> None:
    emitter = Emitter()
    with pytest.raises(UsageError, match=r"Emitter\.rate cannot be -5\n  it is a finite number from 0 to") as refused:
        emitter.rate = -5
    assert place_of(refused) == __file__
    for count in (-5, 2.5, True, 10**12):
        with pytest.raises(UsageError, match=rf"Emitter\.burst cannot have {count} particles born") as refused:
            emitter.burst(count)
        assert place_of(refused) == __file__
    emitter.burst(np.int64(5))
    assert emitter.waiting == 5


def test_what_is_in_the_row_of_a_placed_emitter_stays_the_same() -> None:
    emitter, scene = Emitter(), Scene()
    emitter.most = 50
    scene.placed.add(emitter)
    for name, value in (("particles", Particles()), ("most", 3), ("seed", 1)):
        with pytest.raises(UsageError, match=rf"Emitter\.{name} cannot change while the emitter is placed") as refused:
            setattr(emitter, name, value)
        assert place_of(refused) == __file__
    scene.placed.remove(emitter)
    emitter.particles = Particles(lit=True)
    assert scene.placed.add(dataclasses.replace(emitter, seed=4)).seed == 4


def place_of(refused: pytest.ExceptionInfo[UsageError]) -> str:
    """The file that a message blames."""
    assert refused.value.where is not None
    return refused.value.where.file


def test_gradients_have_four_stops() -> None:
    assert stops([(3.0,)]).ravel().tolist() == [3.0] * 4
    assert np.allclose(stops([(0.0,), (3.0,)]).ravel(), [0.0, 1.0, 2.0, 3.0])
    assert np.allclose(stops([(1.0, 5.0), (2.0, 6.0), (3.0, 7.0), (4.0, 8.0)])[:, 1], [5.0, 6.0, 7.0, 8.0])


def test_emitters_keep_their_places_and_new_ones_take_those_of_removed_ones() -> None:
    table = EmitterTable()
    first, second, third = (Emitter(most=most) for most in (100, 200, 100))
    for emitter in (first, second, third):
        table.add(emitter)
    places = [(member.first, member.room) for member in table._members]
    assert places == [(0, 100), (100, 200), (300, 100)]
    table.remove(second)
    table.add(Emitter(most=150))
    table.add(Emitter(most=60))
    places = [(member.first, member.room) for member in table._members]
    assert places == [(0, 100), (100, 150), (300, 100), (400, 60)]


def test_births_follow_the_rate_and_rows_stay_the_same_without_a_step() -> None:
    table = EmitterTable()
    emitter = Emitter(rate=30.0, position=glm.vec3(1.0, 2.0, 3.0))
    table.add(emitter)
    for _ in range(100):
        table.end_step(0.01)
    assert abs(int(table._rows["places"]["births"][0, -1]) - 30) <= 1
    rows = table.rows(1.0)
    assert table.rows(1.0) is rows
    assert table.rows(0.5) is not rows
    emitter.burst(5)
    table.end_step(0.0)
    assert abs(int(table._rows["places"]["births"][0, -1]) - 35) <= 1
