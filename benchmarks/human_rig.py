"""A rig as people have it in games, with clips that move all of its joints."""

from __future__ import annotations

import math

import numpy as np
from pyglm import glm

from renderwright.engine.animation.animation_set import AnimationSet
from renderwright.engine.animation.clip import Clip
from renderwright.engine.animation.curve import Curve, Interpolation, Path
from renderwright.engine.animation.pose import Pose
from renderwright.engine.animation.reach import Reach
from renderwright.engine.animation.rig import Rig, depths_of
from renderwright.engine.animation.track import unit
from renderwright.engine.scene import Material
from renderwright.engine.scene.deformation import Deformation, Influences
from renderwright.engine.scene.mesh import Mesh
from renderwright.engine.scene.model import Model, ModelNode, ModelPart
from renderwright.engine.scene.primitives import sphere

KEYS = 30
SECONDS = 1.2

_ARM = (("shoulder", 1), ("arm", 1), ("forearm", 1), ("hand", 1))
_FINGERS, _BONES_OF_A_FINGER = 5, 3
_LEG = ("thigh", "shin", "foot", "toes")


def human_parents() -> tuple[int, ...]:
    """The parent of each of 60 joints: spine and head, arms with fingers, legs, and a chain of 8 for hair or a coat."""
    parents = [-1]

    def chain(start: int, length: int) -> int:
        for _ in range(length):
            parents.append(start)
            start = len(parents) - 1
        return start

    chest = chain(0, 3)
    chain(chest, 2)
    for _ in range(2):
        hand = chain(chest, len(_ARM))
        for _ in range(_FINGERS):
            chain(hand, _BONES_OF_A_FINGER)
        chain(0, len(_LEG))
    chain(chest, 60 - len(parents))
    return tuple(parents)


def human(clips: int = 2, vertices: int = 3000) -> Model:
    """A model of 60 joints whose clips turn each joint and move the hips, with keyframes 30 times in 1.2 seconds."""
    random = np.random.default_rng(1)
    parents = np.array(human_parents(), np.intp)
    order = np.argsort(depths_of(parents), kind="stable")
    place = np.empty(len(order), np.intp)
    place[order] = np.arange(len(order))
    parents = np.where(parents[order] < 0, -1, place[parents[order]])
    count = len(parents)
    offsets = random.uniform(-0.12, 0.12, (count, 3)).astype(np.float32)
    fixed = np.tile(np.eye(4, dtype=np.float32)[:3], (count, 1, 1))
    fixed[:, :, 3] = offsets
    rest = {
        Path.TRANSLATION: offsets[None],
        Path.ROTATION: np.tile(np.array([0, 0, 0, 1], np.float32), (1, count, 1)),
        Path.SCALE: np.ones((1, count, 3), np.float32),
        Path.WEIGHT: np.zeros((1, 0, 1), np.float32),
    }
    joints = np.arange(count)
    rig = Rig(tuple(f"joint {n}" for n in joints), parents, fixed, joints, Pose(rest), joints, fixed)
    made = tuple(_clip(random, f"clip {number}", count) for number in range(clips))
    return _model(rig, made, random, vertices)


def _clip(random: np.random.Generator, name: str, joints: int) -> Clip:
    times = np.linspace(0.0, SECONDS, KEYS)
    curves = []
    for joint in range(joints):
        swing = 0.3 * np.sin(times / SECONDS * 2.0 * math.pi + random.uniform(0.0, 6.0))
        axis = random.normal(size=3)
        turns = np.concatenate([swing[:, None] * axis, np.ones((KEYS, 1))], axis=1).astype(np.float32)
        curves.append(Curve(joint, Path.ROTATION, Interpolation.LINEAR, times, unit(turns)))
    hips = random.uniform(-0.1, 0.1, (KEYS, 3)).astype(np.float32)
    return Clip.of(name, [*curves, Curve(0, Path.TRANSLATION, Interpolation.LINEAR, times, hips)])


def _model(rig: Rig, clips: tuple[Clip, ...], random: np.random.Generator, vertices: int) -> Model:
    segments = max(8, round(math.sqrt(2 * vertices)))
    body: Mesh = sphere(0.9, rings=segments // 2, segments=segments)
    count = len(body.vertices)
    joints = random.integers(0, len(rig.joints), (count, 4)).astype(np.uint16)
    weights = random.uniform(0.1, 1.0, (count, 4)).astype(np.float32)
    influences = Influences(joints, weights / weights.sum(axis=1, keepdims=True))
    deformation = Deformation.of(body, rig, Reach.of(rig, clips), 0, influences)
    part = ModelPart(0, body, Material(), glm.mat4(1.0), deformation)
    nodes = (ModelNode("body", None, glm.mat4(1.0)),)
    return Model("human", nodes, (part,), animations=AnimationSet(rig, clips, ()))
