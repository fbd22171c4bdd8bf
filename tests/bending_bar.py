"""A bar of two bones that bends, as a model whose vertices the GPU moves, and the same mesh bent here."""

from __future__ import annotations

import math

import numpy as np
from pyglm import glm

from renderwright.engine.animation.animation_set import AnimationSet
from renderwright.engine.animation.clip import Clip
from renderwright.engine.animation.curve import Curve, Interpolation, Path
from renderwright.engine.animation.pose import Pose
from renderwright.engine.animation.reach import Reach
from renderwright.engine.animation.rig import Rig
from renderwright.engine.scene import Material, Mesh
from renderwright.engine.scene.deformation import Deformation, Influences
from renderwright.engine.scene.model import Model, ModelNode, ModelPart
from renderwright.engine.scene.primitives import box

HEIGHT = 2.0
PAINT = Material((0.9, 0.5, 0.2, 1.0), roughness=0.6)
BEND = 1.2
"""Radians of the upper bone at the end of the clip."""
BULGE = 0.4


def bar(*, colors: bool = False) -> Mesh:
    """A bar from y = 0 to ``HEIGHT`` of many slices, perhaps with colours of its vertices."""
    slices = []
    template = box(1.0)
    for number in range(8):
        vertices = template.vertices.copy()
        vertices[:, 0:3] *= np.float32([0.5, HEIGHT / 8, 0.3])
        vertices[:, 1] += np.float32((number + 0.5) * HEIGHT / 8)
        slices.append(vertices)
    indices = [template.indices + np.uint32(number * len(template.vertices)) for number in range(8)]
    vertices = np.concatenate(slices)
    paint = np.ones((len(vertices), 4), np.float32) if colors else None
    return Mesh("bar", vertices, np.concatenate(indices), colors=paint)


def influences(mesh: Mesh) -> Influences:
    """The lower half follows joint 0, the upper half joint 1, with a smooth seam."""
    upper = np.clip((mesh.positions[:, 1] - 0.7) / 0.6, 0.0, 1.0).astype(np.float32)
    joints = np.tile(np.uint16([0, 1, 0, 0]), (len(upper), 1))
    return Influences(joints, np.stack([1.0 - upper, upper, 0 * upper, 0 * upper], axis=1).astype(np.float32))


def bulge(mesh: Mesh) -> np.ndarray:
    """A morph target that makes the bar wider and tilts its normals."""
    deltas = np.zeros((1, len(mesh.vertices), 9), np.float32)
    deltas[0, :, 0] = mesh.positions[:, 0] * BULGE
    deltas[0, :, 4] = 0.3
    return deltas


def bones() -> tuple[Rig, Clip]:
    """Two bones, the upper one at half the height; the clip "Bend" turns it about z and shows the bulge."""
    rest = {
        Path.TRANSLATION: np.float32([[[0, 0, 0], [0, HEIGHT / 2, 0]]]),
        Path.ROTATION: np.float32([[[0, 0, 0, 1], [0, 0, 0, 1]]]),
        Path.SCALE: np.ones((1, 2, 3), np.float32),
        Path.WEIGHT: np.zeros((1, 1, 1), np.float32),
    }
    fixed = np.tile(np.eye(4, dtype=np.float32)[:3], (2, 1, 1))
    fixed[1, 1, 3] = HEIGHT / 2
    inverse = np.tile(np.eye(4, dtype=np.float32)[:3], (2, 1, 1))
    inverse[1, 1, 3] = -HEIGHT / 2
    rig = Rig(("root", "upper"), np.array([-1, 0]), fixed, np.arange(2), Pose(rest), np.arange(2), inverse)
    times = np.array([0.0, 1.0])
    turned = np.float32([[0, 0, 0, 1], [0, 0, math.sin(BEND / 2), math.cos(BEND / 2)]])
    clip = Clip.of(
        "Bend",
        [
            Curve(1, Path.ROTATION, Interpolation.LINEAR, times, turned),
            Curve(0, Path.WEIGHT, Interpolation.LINEAR, times, np.float32([[0], [1]])),
        ],
    )
    return rig, clip


def bending_model(*, morphs: bool = False, colors: bool = False, material: Material = PAINT) -> Model:
    """The bar as a model with the animation "Bend"."""
    mesh, (rig, clip) = bar(colors=colors), bones()
    reach = Reach.of(rig, [clip])
    deformation = Deformation.of(mesh, rig, reach, 0, influences(mesh), bulge(mesh) if morphs else None)
    part = ModelPart(0, mesh, material, glm.mat4(1.0), deformation)
    nodes = (ModelNode("bar", None, glm.mat4(1.0)),)
    return Model("bar", nodes, (part,), animations=AnimationSet(rig, (clip,), ("bulge",)))


def bent(part: float, *, morphs: bool = False) -> Mesh:
    """The bar as it is at a part of the clip, computed vertex by vertex."""
    mesh = bar()
    vertices = mesh.vertices.astype(np.float64)
    found = influences(mesh)
    angle = BEND * part
    turn = np.eye(4)
    turn[:2, :2] = [[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]]
    lift = np.eye(4)
    lift[1, 3] = HEIGHT / 2
    upper = lift @ turn @ np.linalg.inv(lift)
    for number, vertex in enumerate(vertices):
        position, normal, tangent = vertex[0:3], vertex[3:6], vertex[8:11]
        if morphs:
            delta = bulge(mesh)[0, number].astype(np.float64) * part
            position, normal, tangent = position + delta[:3], normal + delta[3:6], tangent + delta[6:9]
        weight = float(found.weights[number, 1])
        matrix = (1.0 - weight) * np.eye(4) + weight * upper
        normal = np.linalg.inv(matrix[:3, :3]).T @ normal
        tangent = matrix[:3, :3] @ tangent
        vertex[0:3] = (matrix @ [*position, 1.0])[:3]
        vertex[3:6] = normal / np.linalg.norm(normal)
        vertex[8:11] = tangent / np.linalg.norm(tangent)
    return Mesh("bent bar", vertices.astype(np.float32), mesh.indices)
