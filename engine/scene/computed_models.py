"""Models with a rig that are computed instead of loaded: a tree of joints, clips that swing them, and a skin."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from pyglm import glm

from renderwright.engine.animation.animation_set import AnimationSet
from renderwright.engine.animation.clip import Clip
from renderwright.engine.animation.curve import Curve, Interpolation, Path
from renderwright.engine.animation.pose import Pose
from renderwright.engine.animation.reach import Reach
from renderwright.engine.animation.rig import Rig
from renderwright.engine.scene.deformation import Deformation, Influences
from renderwright.engine.scene.material import Material
from renderwright.engine.scene.mesh import Mesh
from renderwright.engine.scene.model import Model, ModelNode, ModelPart

Vec3 = tuple[float, float, float]
Floats = NDArray[np.float32]

_KEYS = 32


@dataclass(frozen=True)
class Swing:
    """How a joint swings in a clip: its turns about x, y and z at ``rest`` and how ``far`` they go from there, in
    radians; how ``often`` in a clip, and how ``late``, as a share of one swing."""

    rest: Vec3
    far: Vec3
    often: float = 1.0
    late: float = 0.0


def jointed_rig(names: Sequence[str], parents: NDArray[np.intp], offsets: Floats, morphs: int = 0) -> Rig:
    """A rig of joints without rotations at rest, ordered by depth.

    ``parents`` are their numbers, -1 for none, ``offsets`` (n, 3) the places from the parent in metres. ``morphs`` is
    the number of morph targets.
    """
    count = len(names)
    fixed = np.tile(np.eye(4, dtype=np.float32)[:3], (count, 1, 1))
    fixed[:, :, 3] = offsets
    binds = fixed.copy()
    for number in range(count):
        binds[number, :, 3] = -offsets[number]
        if parents[number] >= 0:
            binds[number, :, 3] += binds[parents[number], :, 3]
    rest = {
        Path.TRANSLATION: offsets[None],
        Path.ROTATION: np.tile(np.array([0, 0, 0, 1], np.float32), (1, count, 1)),
        Path.SCALE: np.ones((1, count, 3), np.float32),
        Path.WEIGHT: np.zeros((1, morphs, 1), np.float32),
    }
    joints = np.arange(count)
    return Rig(tuple(names), parents, fixed, joints, Pose(rest), joints, binds)


def joint_places(rig: Rig) -> Floats:
    """The places of the joints of a ``jointed_rig`` at rest, in the space of the model, (n, 3)."""
    return -rig.inverse_binds[:, :, 3]


def swinging_clip(name: str, seconds: float, joints: Sequence[str], swings: Mapping[str, Swing]) -> Clip:
    """A clip that can be repeated, of how some of the ``joints`` swing."""
    times = np.linspace(0.0, seconds, _KEYS + 1)
    curves = []
    for joint, swing in swings.items():
        wave = np.sin(math.tau * (swing.often * times / seconds + swing.late))
        turns = np.array(swing.rest) + wave[:, None] * np.array(swing.far)
        quats = [glm.quat(glm.vec3(*turn)) for turn in turns.tolist()]
        values = np.array([(quat.x, quat.y, quat.z, quat.w) for quat in quats], np.float32)
        curves.append(Curve(joints.index(joint), Path.ROTATION, Interpolation.LINEAR, times, values))
    return Clip.of(name, curves)


def limb_influences(body: Mesh, rig: Rig, owners: NDArray[np.intp], soft: float = 0.06) -> Influences:
    """Influences on a body of rigid limbs: each vertex follows the joint of its limb, ``owners`` (vertices,). Within
    ``soft`` metres of that joint it follows the parent, too: as much as its own at the joint itself."""
    above = np.where(rig.parents[owners] < 0, owners, rig.parents[owners])
    far = np.linalg.norm(body.positions - joint_places(rig)[owners], axis=1)
    share = np.clip(0.5 - 0.5 * far / soft, 0.0, 0.5).astype(np.float32)
    joints = np.zeros((len(owners), 4), np.uint16)
    weights = np.zeros((len(owners), 4), np.float32)
    joints[:, 0], joints[:, 1] = owners, above
    weights[:, 0], weights[:, 1] = 1.0 - share, share
    return Influences(joints, weights)


def row_rig(count: int, step: float) -> Rig:
    """A rig of joints in a row up the y axis, ``step`` metres apart: a tail, a tentacle. The first is the origin."""
    names = [f"joint {number}" for number in range(count)]
    offsets = [(0.0, step if number else 0.0, 0.0) for number in range(count)]
    return jointed_rig(names, np.arange(-1, count - 1), np.array(offsets, np.float32))


def row_influences(body: Mesh, count: int, step: float) -> Influences:
    """Influences of a ``row_rig`` on a body around it: each vertex follows the two joints beside the middle of whose
    stretch it is, the nearer one more."""
    along = np.clip(body.positions[:, 1] / step - 0.5, 0.0, count - 1.001)
    low = along.astype(int)
    weights = np.zeros((len(along), 4), np.float32)
    weights[:, 1] = along - low
    weights[:, 0] = 1.0 - weights[:, 1]
    joints = np.zeros((len(along), 4), np.uint16)
    joints[:, 0], joints[:, 1] = low, np.minimum(low + 1, count - 1)
    return Influences(joints, weights)


def skinned_model(
    name: str, body: Mesh, rig: Rig, clips: Sequence[Clip], influences: Influences, material: Material
) -> Model:
    """A model of one mesh whose vertices follow the joints of a rig."""
    deformation = Deformation.of(body, rig, Reach.of(rig, tuple(clips)), 0, influences)
    return _model(name, body, material, deformation, AnimationSet(rig, tuple(clips), ()))


def morphed_model(
    name: str, body: Mesh, rig: Rig, clips: Sequence[Clip], targets: Mapping[str, Floats], material: Material
) -> Model:
    """A model of one mesh with morph targets by name: what each adds to position, normal and tangent, (vertices, 9)."""
    stacked = np.stack(list(targets.values()))
    deformation = Deformation.of(body, rig, Reach.of(rig, tuple(clips)), 0, None, stacked, 0)
    return _model(name, body, material, deformation, AnimationSet(rig, tuple(clips), tuple(targets)))


def _model(name: str, body: Mesh, material: Material, deformation: Deformation, animations: AnimationSet) -> Model:
    part = ModelPart(0, body, material, glm.mat4(1.0), deformation)
    return Model(name, (ModelNode(name, None, glm.mat4(1.0)),), (part,), animations=animations)
