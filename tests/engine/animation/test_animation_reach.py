"""Bounds hold for all that the clips can make of a rig."""

from __future__ import annotations

import numpy as np
import pytest
from rigs_of_chance import random_clip, random_rig

from renderwright.engine.animation.curve import Interpolation, Path
from renderwright.engine.animation.mixer import Mixer
from renderwright.engine.animation.player import Player
from renderwright.engine.animation.reach import Reach


@pytest.mark.parametrize("seed", range(8))
def test_points_stay_in_their_spheres(seed: int) -> None:
    random = np.random.default_rng(seed)
    rig = random_rig(random, 8, still=3)
    clips = [random_clip(random, rig, name, alike=False, ways=tuple(Interpolation))[0] for name in "ab"]
    points = random.normal(size=(40, 3)).astype(np.float32)
    joints = random.integers(0, 8, 40).astype(np.intp)
    reach = Reach.of(rig, clips)
    centers, radii = reach.spheres(joints, points, np.zeros(40))
    sphere_of = np.searchsorted(np.unique(joints), joints)
    mixer = Mixer(rig, clips)
    player = Player(mixer, "any")
    for _ in range(60):
        player.play(str(random.choice(["a", "b"])), fade=float(random.uniform(0.0, 0.5)))
        mixer.advance(float(random.uniform(0.0, 0.3)))
        matrices = mixer.poses(1.0).palettes[0][joints]
        there = np.einsum("nij,nj->ni", matrices[:, :, :3], points) + matrices[:, :, 3]
        away = np.linalg.norm(there - centers[sphere_of], axis=1)
        assert (away <= radii[sphere_of]).all()


def test_a_rig_that_stands_still_has_tight_bounds() -> None:
    random = np.random.default_rng(1)
    rig = random_rig(random, 5, still=5)
    points = random.normal(size=(1, 3)).astype(np.float32)
    centers, radii = Reach.of(rig, []).spheres(np.array([4]), points, np.zeros(1))
    matrix = rig.palettes(rig.matrices(rig.rest, 1))[0, 4]
    np.testing.assert_allclose(centers[0], matrix[:, :3] @ points[0] + matrix[:, 3], rtol=1e-4, atol=1e-4)
    assert radii[0] < 1e-4


def test_weights_reach_as_far_as_clips_move_them() -> None:
    random = np.random.default_rng(1)
    rig = random_rig(random, 1, morphs=2)
    clip, curves = random_clip(random, rig, "a", alike=True, ways=(Interpolation.LINEAR,))
    largest = [max(float(c.values.max()) for c in curves if (c.path, c.target) == (Path.WEIGHT, n)) for n in (0, 1)]
    assert Reach.of(rig, [clip]).weights.tolist() == pytest.approx([max(1.0, weight) for weight in largest])
