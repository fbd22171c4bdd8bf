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
    limb_influences,
    morphed_model,
    row_influences,
    row_rig,
    skinned_model,
    swinging_clip,
)
from renderwright.engine.scene.deformation import Influences
from renderwright.engine.scene.mesh import Mesh
from renderwright.engine.scene.primitives import sphere, turned
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


def test_limbs_follow_their_joint_and_near_it_the_parent() -> None:
    ball = sphere(0.3, segments=8, rings=6)
    vertices = ball.vertices.copy()
    vertices[:, :3] += joint_places(RIG)[1]
    vertices[0, :3] = joint_places(RIG)[1]
    influences = limb_influences(Mesh("knee", vertices, ball.indices), RIG, np.full(len(vertices), 1), soft=0.1)
    assert (influences.joints[:, 0] == 1).all()
    assert (influences.joints[:, 1] == 0).all()
    assert np.allclose(influences.weights[0], (0.5, 0.5, 0.0, 0.0))
    assert np.allclose(influences.weights[1:], (1.0, 0.0, 0.0, 0.0))


def test_a_row_of_joints_bends_a_body_from_one_to_the_next() -> None:
    rig = row_rig(4, 0.5)
    assert np.allclose(joint_places(rig)[:, 1], (0.0, 0.5, 1.0, 1.5))
    assert rig.parents.tolist() == [-1, 0, 1, 2]
    body = turned([0.1] * 9, np.linspace(0.0, 2.0, 9))
    influences = row_influences(body, 4, 0.5)
    assert np.allclose(influences.weights.sum(axis=1), 1.0)
    for height, joints, weights in (
        (0.0, {0}, {1.0}),
        (0.25, {0}, {1.0}),
        (0.5, {0, 1}, {0.5}),
        (0.75, {1}, {1.0}),
        (2.0, {3}, {1.0}),
    ):
        here = np.isclose(body.positions[:, 1], height)
        assert here.any()
        used = influences.weights[here] > 0.01
        assert set(influences.joints[here][used].tolist()) == joints
        assert set(np.round(influences.weights[here][used], 2).tolist()) == weights
