"""Figures that move: a jointed mannequin and a serpent with skins, and a shape that breathes by morph targets."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping

import numpy as np
from numpy.typing import NDArray

from renderwright.engine.animation.clip import Clip
from renderwright.engine.animation.curve import Curve, Interpolation, Path
from renderwright.engine.scene import Material, Mesh
from renderwright.engine.scene.assembly import assembled
from renderwright.engine.scene.computed_models import (
    Floats,
    Swing,
    Vec3,
    joint_places,
    jointed_rig,
    morphed_model,
    skinned_model,
    swinging_clip,
)
from renderwright.engine.scene.deformation import Influences
from renderwright.engine.scene.model import Model
from renderwright.engine.scene.primitives import capsule, sphere, turned

_JOINTS: tuple[tuple[str, str, Vec3], ...] = (
    ("hips", "", (0.0, 0.96, 0.0)),
    ("waist", "hips", (0.0, 0.13, 0.0)),
    ("thigh_l", "hips", (-0.10, -0.05, 0.0)),
    ("thigh_r", "hips", (0.10, -0.05, 0.0)),
    ("chest", "waist", (0.0, 0.20, 0.0)),
    ("shin_l", "thigh_l", (0.0, -0.43, 0.0)),
    ("shin_r", "thigh_r", (0.0, -0.43, 0.0)),
    ("head", "chest", (0.0, 0.29, 0.0)),
    ("arm_l", "chest", (-0.20, 0.17, 0.0)),
    ("arm_r", "chest", (0.20, 0.17, 0.0)),
    ("foot_l", "shin_l", (0.0, -0.42, 0.0)),
    ("foot_r", "shin_r", (0.0, -0.42, 0.0)),
    ("forearm_l", "arm_l", (0.0, -0.29, 0.0)),
    ("forearm_r", "arm_r", (0.0, -0.29, 0.0)),
)
"""Of the mannequin, from parents to children: where each is, from its parent."""

_CLIPS: Mapping[str, tuple[float, Mapping[str, Swing]]] = {
    "dance": (
        5.0,
        {
            "hips": Swing((0.0, 0.0, 0.0), (0.06, 0.7, 0.10), 1, 0.0),
            "waist": Swing((0.05, 0.0, 0.0), (0.0, 0.35, 0.16), 1, 0.15),
            "chest": Swing((-0.12, 0.0, 0.0), (0.10, 0.25, 0.14), 1, 0.3),
            "head": Swing((-0.1, 0.0, 0.0), (0.12, 0.3, 0.1), 1, 0.45),
            "arm_l": Swing((0.1, 0.0, -1.7), (0.3, 0.2, 0.75), 1, 0.2),
            "arm_r": Swing((0.1, 0.0, 1.7), (0.3, 0.2, 0.75), 1, 0.55),
            "forearm_l": Swing((-0.5, 0.0, -0.4), (0.35, 0.0, 0.3), 2, 0.1),
            "forearm_r": Swing((-0.5, 0.0, 0.4), (0.35, 0.0, 0.3), 2, 0.4),
            "thigh_l": Swing((-0.9, 0.35, -0.15), (0.25, 0.15, 0.0), 1, 0.1),
            "shin_l": Swing((1.5, 0.0, 0.0), (0.3, 0.0, 0.0), 1, 0.1),
            "foot_l": Swing((0.6, 0.0, 0.0), (0.0, 0.0, 0.0), 1, 0.0),
        },
    ),
    "wave": (
        3.0,
        {
            "waist": Swing((0.0, 0.0, 0.0), (0.02, 0.06, 0.03), 1, 0.0),
            "head": Swing((0.0, 0.25, 0.0), (0.06, 0.2, 0.05), 1, 0.2),
            "arm_r": Swing((0.2, 0.0, 2.5), (0.05, 0.0, 0.12), 1, 0.0),
            "forearm_r": Swing((0.0, 0.0, 0.35), (0.0, 0.0, 0.45), 3, 0.0),
            "arm_l": Swing((0.0, 0.0, -0.18), (0.05, 0.0, 0.03), 1, 0.3),
            "forearm_l": Swing((-0.35, 0.0, 0.0), (0.04, 0.0, 0.0), 1, 0.3),
        },
    ),
    "think": (
        6.0,
        {
            "hips": Swing((0.0, 0.0, 0.0), (0.0, 0.0, 0.0), 1, 0.0),
            "waist": Swing((0.45, 0.0, 0.0), (0.03, 0.02, 0.0), 1, 0.0),
            "chest": Swing((0.35, 0.15, 0.0), (0.03, 0.0, 0.0), 1, 0.1),
            "head": Swing((0.30, 0.2, 0.0), (0.05, 0.06, 0.03), 1, 0.3),
            "arm_r": Swing((-1.15, 0.35, 0.1), (0.03, 0.0, 0.0), 1, 0.1),
            "forearm_r": Swing((-1.95, 0.0, -0.25), (0.03, 0.0, 0.0), 1, 0.1),
            "arm_l": Swing((-0.75, -0.2, 0.0), (0.02, 0.0, 0.0), 1, 0.1),
            "forearm_l": Swing((-0.6, 0.0, 0.5), (0.02, 0.0, 0.0), 1, 0.1),
            "thigh_l": Swing((-1.5, 0.12, 0.0), (0.0, 0.0, 0.0), 1, 0.0),
            "thigh_r": Swing((-1.5, -0.12, 0.0), (0.0, 0.0, 0.0), 1, 0.0),
            "shin_l": Swing((1.5, 0.0, 0.0), (0.0, 0.0, 0.0), 1, 0.0),
            "shin_r": Swing((1.5, 0.0, 0.0), (0.0, 0.0, 0.0), 1, 0.0),
        },
    ),
}
"""Of the mannequin: seconds, and how joints swing."""


def mannequin(material: Material) -> Model:
    """A jointed figure of wood, 1.8 m high, that faces +Z. It can dance, wave and think."""
    names = [name for name, _, _ in _JOINTS]
    parents = np.array([names.index(parent) if parent else -1 for _, parent, _ in _JOINTS], np.intp)
    rig = jointed_rig(names, parents, np.array([offset for _, _, offset in _JOINTS], np.float32))
    places = joint_places(rig)
    clips = [swinging_clip(name, seconds, names, swings) for name, (seconds, swings) in _CLIPS.items()]
    parts: list[Mesh] = []
    joints: list[Floats] = []
    for name, shape, place in _LIMBS:
        number = names.index(name)
        x, y, z = np.add(places[number], place).tolist()
        parts.append(assembled(name, [(shape, (x, y, z), (0.0, 0.0, 0.0))]))
        joints.append(np.full(len(shape.vertices), number, np.float32))
    body = assembled("mannequin", [(part, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)) for part in parts])
    return skinned_model("mannequin", body, rig, clips, _near(body, places, np.concatenate(joints), parents), material)


def _ellipsoid(x: float, y: float, z: float) -> Mesh:
    mesh, scale = sphere(1.0, segments=24, rings=16), np.array((x, y, z), np.float32)
    vertices = mesh.vertices.copy()
    vertices[:, :3] *= scale
    vertices[:, 3:6] /= scale
    vertices[:, 3:6] /= np.linalg.norm(vertices[:, 3:6], axis=1, keepdims=True)
    tangents = vertices[:, 8:11] * scale
    vertices[:, 8:11] = tangents / np.maximum(np.linalg.norm(tangents, axis=1, keepdims=True), 1e-6)
    return Mesh("ellipsoid", vertices, mesh.indices)


def _limbs() -> Iterable[tuple[str, Mesh, Vec3]]:
    """Joint, shape, and its middle from the joint."""
    yield "hips", _ellipsoid(0.155, 0.115, 0.115), (0.0, 0.0, 0.0)
    yield "waist", _ellipsoid(0.105, 0.135, 0.09), (0.0, 0.04, 0.0)
    yield "chest", _ellipsoid(0.175, 0.185, 0.125), (0.0, 0.09, 0.0)
    yield "chest", capsule(0.045, 0.16, segments=20, rings=6), (0.0, 0.27, 0.0)
    yield "head", _ellipsoid(0.092, 0.135, 0.105), (0.0, 0.125, 0.012)
    for end in "lr":
        yield f"arm_{end}", sphere(0.062, segments=20, rings=12), (0.0, 0.0, 0.0)
        yield f"arm_{end}", _ellipsoid(0.053, 0.145, 0.053), (0.0, -0.145, 0.0)
        yield f"forearm_{end}", sphere(0.043, segments=20, rings=12), (0.0, 0.0, 0.0)
        yield f"forearm_{end}", _ellipsoid(0.042, 0.135, 0.042), (0.0, -0.135, 0.0)
        yield f"forearm_{end}", _ellipsoid(0.034, 0.085, 0.022), (0.0, -0.325, 0.0)
        yield f"thigh_{end}", sphere(0.085, segments=20, rings=12), (0.0, 0.0, 0.0)
        yield f"thigh_{end}", _ellipsoid(0.078, 0.215, 0.078), (0.0, -0.215, 0.0)
        yield f"shin_{end}", sphere(0.058, segments=20, rings=12), (0.0, 0.0, 0.0)
        yield f"shin_{end}", _ellipsoid(0.058, 0.205, 0.058), (0.0, -0.205, 0.0)
        yield f"foot_{end}", sphere(0.042, segments=20, rings=12), (0.0, 0.0, 0.0)
        yield f"foot_{end}", _ellipsoid(0.045, 0.038, 0.115), (0.0, -0.04, 0.055)


_LIMBS = tuple(_limbs())


def serpent(material: Material) -> Model:
    """A tube of 12 joints that winds upwards, 2.4 m long."""
    count, length = 12, 2.4
    step = length / count
    rig = jointed_rig(
        [f"joint {number}" for number in range(count)],
        np.arange(-1, count - 1),
        np.array([(0.0, step if number else 0.0, 0.0) for number in range(count)], np.float32),
    )
    height = np.linspace(0.0, length, 72)
    share = height / length
    radius = 0.15 * np.sqrt(np.clip(4.0 * share * (1.0 - share), 0.0, 1.0)) * (1.15 - 0.6 * share) + 1e-4
    body = turned(radius, height, segments=24)
    along = np.clip(body.positions[:, 1] / step - 0.5, 0.0, count - 1.001)
    low = along.astype(int)
    weights = np.zeros((len(along), 4), np.float32)
    weights[:, 1] = along - low
    weights[:, 0] = 1.0 - weights[:, 1]
    joints = np.zeros((len(along), 4), np.uint16)
    joints[:, 0], joints[:, 1] = low, np.minimum(low + 1, count - 1)
    swings: dict[str, Swing] = {
        name: Swing(
            (0.30 * math.sin(1.7 * number), 0.5, 0.36 * math.cos(1.1 * number)),
            (0.12, 0.10, 0.14),
            1,
            number / count,
        )
        for number, name in enumerate(rig.names)
        if number
    }
    clip = swinging_clip("sway", 7.0, list(rig.names), swings)
    return skinned_model("serpent", body, rig, [clip], Influences(joints, weights), material)


def breath(material: Material) -> Model:
    """A sphere of half a metre that folds and unfolds, by four morph targets."""
    mesh = sphere(0.42, segments=96, rings=64)
    random = np.random.default_rng(12)
    normals = mesh.normals.astype(np.float64)
    targets = np.zeros((4, len(normals), 9), np.float32)
    for number, often in enumerate((2.5, 4.0, 6.0, 9.0)):
        axis = random.normal(size=3)
        wave = often * axis / np.linalg.norm(axis)
        phase, high = normals @ wave, 0.42 / often
        slope = high * np.cos(phase)[:, None] * wave / 0.42
        targets[number, :, :3] = high * np.sin(phase)[:, None] * normals
        targets[number, :, 3:6] = -(slope - normals * (slope * normals).sum(axis=1, keepdims=True))
    rig = jointed_rig(["middle"], np.array([-1], np.intp), np.zeros((1, 3), np.float32), morphs=4)
    times = np.linspace(0.0, 12.0, 97)
    curves = [
        Curve(number, Path.WEIGHT, Interpolation.LINEAR, times, _beat(times / 12.0, number)[:, None])
        for number in range(4)
    ]
    clip = Clip.of("breathe", curves)
    folds = {f"fold {number}": target for number, target in enumerate(targets)}
    return morphed_model("breath", mesh, rig, [clip], folds, material)


def _beat(share: NDArray[np.float64], number: int) -> Floats:
    return np.asarray(0.5 - 0.5 * np.cos(math.tau * (share * (number + 1) + 0.2 * number)), np.float32)


def _near(body: Mesh, places: Floats, joints: Floats, parents: NDArray[np.intp]) -> Influences:
    """Each vertex follows the joint of its part, and where it is close to that joint the parent a little."""
    own = joints.astype(np.intp)
    above = np.where(parents[own] < 0, own, parents[own])
    far = np.linalg.norm(body.positions - places[own], axis=1)
    share = np.clip(0.5 - 0.5 * far / 0.06, 0.0, 0.5).astype(np.float32)
    found = np.zeros((len(own), 4), np.uint16)
    weights = np.zeros((len(own), 4), np.float32)
    found[:, 0], found[:, 1] = own, above
    weights[:, 0], weights[:, 1] = 1.0 - share, share
    return Influences(found, weights)
