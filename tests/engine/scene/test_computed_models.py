"""Models that are computed: where their joints are, how clips swing them, and what they become in a scene."""

from __future__ import annotations

import math

import numpy as np

from renderwright.engine.animation.curve import Path
from renderwright.engine.scene import Material, Scene
from renderwright.engine.scene.computed_models import (
    Swing,
    joint_places,
    jointed_rig,
    morphed_model,
    skinned_model,
    swinging_clip,
)
from renderwright.engine.scene.deformation import Influences
from renderwright.engine.scene.primitives import sphere
from renderwright.engine.scene.transform import Transform

NAMES = ("hip", "knee", "foot")
OFFSETS = np.array([(0.0, 1.0, 0.0), (0.1, -0.5, 0.0), (0.0, -0.4, 0.2)], np.float32)
RIG = jointed_rig(NAMES, np.array([-1, 0, 1]), OFFSETS)


def test_joints_are_where_their_parents_and_offsets_say() -> None:
    assert np.allclose(joint_places(RIG), np.cumsum(OFFSETS, axis=0))


def test_a_swing_goes_as_far_and_as_often_as_it_says_and_repeats() -> None:
    swing = Swing(rest=(0.2, 0.0, 0.0), far=(0.5, 0.0, 0.0), often=2.0, late=0.25)
    clip = swinging_clip("step", 3.0, NAMES, {"knee": swing})
    (track,) = clip.tracks
    assert (clip.duration, track.path) == (3.0, Path.ROTATION)
    turns = 2.0 * np.arcsin(np.asarray(track.values).reshape(-1, 4)[:, 0])
    assert math.isclose(turns[0], 0.7, abs_tol=1e-6)
    assert math.isclose(turns[0], turns[-1], abs_tol=1e-6)
    assert math.isclose(turns.min(), -0.3, abs_tol=1e-6)
    assert np.sum((turns[:-1] > 0.2) & (turns[1:] <= 0.2)) == 2


def test_they_are_spawned_and_play_as_loaded_ones() -> None:
    body = sphere(0.5, segments=8, rings=6)
    joints, weights = np.zeros((len(body.vertices), 4), np.uint16), np.zeros((len(body.vertices), 4), np.float32)
    weights[:, 0] = 1.0
    clip = swinging_clip("step", 1.0, NAMES, {"hip": Swing((0.0, 0.0, 0.0), (0.4, 0.0, 0.0))})
    skinned = skinned_model("leg", body, RIG, [clip], Influences(joints, weights), Material())
    still = jointed_rig(["middle"], np.array([-1]), np.zeros((1, 3), np.float32), morphs=1)
    target = np.zeros((len(body.vertices), 9), np.float32)
    morphed = morphed_model("ball", body, still, [], {"wide": target}, Material())
    scene = Scene()
    for model in (skinned, morphed):
        character = model.spawn(scene, Transform())
        assert character.animations == tuple(clip.name for clip in model.animations.clips)
    assert morphed.animations.morphs == ("wide",)
    assert len(scene) >= 2
