"""Emitters and descriptions of particles."""

from __future__ import annotations

import numpy as np
import pytest
from pyglm import glm

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
    ],
)
def test_values_that_particles_cannot_have_are_refused_by_name(name: str, value: object) -> None:
    with pytest.raises(UsageError, match=f"the {name} "):
        Particles(**{name: value})


@pytest.mark.parametrize("values", [{"rate": -1.0}, {"most": 0}, {"rate": 0.0}])
def test_so_are_those_of_emitters(values: dict[str, float]) -> None:
    with pytest.raises(UsageError):
        Emitter(**values)


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
