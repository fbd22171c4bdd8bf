"""What flies around in drift: pools of particles, and dust that finds back."""

from __future__ import annotations

import numpy as np
import pytest

from renderwright.engine.scene import Image, Scene
from renderwright.games.drift.dust import Dust
from renderwright.games.drift.match import STEP
from renderwright.games.drift.particles import Particles
from renderwright.games.drift.rule_files import load_rules

DOT = Image("dot", np.full((4, 4, 4), 255, np.uint8))


def shown(scene: Scene) -> np.ndarray:
    """The rows of sprites with a size and an alpha."""
    rows = scene.sprites.drawn(1.0).rows
    return rows[(rows[:, 15] > 0) & (rows[:, 6] > rows[:, 4])]


def test_particles_fly_fade_and_end() -> None:
    scene = Scene()
    pool = Particles(scene, DOT, 8, 0, growth=1.0)
    pool.emit(2 + 1j, np.array([1j, 2j]), 0.5, (0.4, 0.2), (1.0, 2.0, 3.0, 0.8))
    pool.step(0.1)
    first = shown(scene)
    np.testing.assert_allclose(first[:, :4], [[2, 1.1, 0, np.pi / 2], [2, 1.2, 0, np.pi / 2]], atol=1e-6)
    np.testing.assert_allclose(first[:, 15], 0.8 * 0.8, atol=1e-6)
    for _ in range(3):
        pool.step(0.1)
    later = shown(scene)
    assert (later[:, 15] < first[:, 15]).all()
    assert (later[:, 6] - later[:, 4] > first[:, 6] - first[:, 4]).all(), "they grow"
    pool.step(0.2)
    assert len(shown(scene)) == 0


def test_a_full_pool_takes_the_oldest_again() -> None:
    scene = Scene()
    pool = Particles(scene, DOT, 4, 0)
    for place in (1, 2, 3):
        pool.emit(place, np.zeros(2), 1.0, 1.0, (1, 1, 1, 1))
    pool.step(STEP)
    assert sorted(shown(scene)[:, 0]) == [2, 2, 3, 3]


def test_dust_orbits_and_finds_back_after_a_blast() -> None:
    scene, rules = Scene(), load_rules()
    dust = Dust(scene, DOT, rules, seed=1, count=2_000)
    home, before = np.abs(dust.at), dust.at.copy()
    dust.step(STEP)
    assert (np.angle(dust.at / before) > 0).all(), "all turn the same way"
    np.testing.assert_allclose(np.abs(dust.at), home, rtol=1e-4)
    middle = complex(dust.at[np.argmin(np.abs(home - 11.0))])
    dust.push(middle, 4.0, 8.0)
    near = np.abs(dust.at - middle) < 2.0
    for _ in range(30):
        dust.step(STEP)
    assert np.abs(np.abs(dust.at) - home)[near].max() > 0.5
    assert np.abs(np.abs(dust.at) - home)[~near].mean() < 0.1
    for _ in range(600):
        dust.step(STEP)
    assert np.abs(dust.at) == pytest.approx(home, abs=0.1)
    drawn = scene.sprites.drawn(1.0).rows
    np.testing.assert_allclose(drawn[:, 0], dust.at.real, atol=1e-5)
