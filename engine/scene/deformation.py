"""Meshes that follow a rig: joints and weights of vertices, morph targets, and the mesh of one character."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from pyglm import glm

from renderwright.engine.animation.poses import Poses
from renderwright.engine.animation.reach import Reach
from renderwright.engine.animation.rig import Rig
from renderwright.engine.scene.bounds import Bounds, bounds_of_spheres
from renderwright.engine.scene.mesh import Mesh

MORPH_FLOATS = 9
"""Floats of a vertex in a morph target: what it adds to position, normal and tangent xyz."""


@dataclass(frozen=True, eq=False)
class Influences:
    """The joints that move each vertex: ``joints`` uint16 (n, 4), and ``weights`` float32 (n, 4) with the sum 1."""

    joints: NDArray[np.uint16]
    weights: NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Deformation:
    """How a mesh follows a rig.

    ``joint`` is the number of its first matrix in the rig's palette; without ``influences`` all vertices follow this
    one. ``morphs`` is float32 (targets, n, 9), None without any; their weights are those of the rig from ``weight`` on.
    ``bounds`` and ``reach`` hold all that animations can make of it, in model space.
    """

    rig: Rig
    joint: int
    influences: Influences | None
    morphs: NDArray[np.float32] | None
    weight: int
    bounds: Bounds
    reach: glm.vec3

    @classmethod
    def of(
        cls,
        mesh: Mesh,
        rig: Rig,
        reach: Reach,
        joint: int,
        influences: Influences | None = None,
        morphs: NDArray[np.float32] | None = None,
        weight: int = 0,
    ) -> Deformation:
        """The deformation of a mesh, with bounds by the reach of the rig's clips."""
        count = len(mesh.vertices)
        moved = np.zeros(count)
        for number, target in enumerate(morphs if morphs is not None else ()):
            moved += reach.weights[weight + number] * np.linalg.norm(target[:, :3], axis=1)
        if influences is None:
            vertices, joints = np.arange(count), np.full(count, joint, np.intp)
        else:
            vertices, slots = np.nonzero(influences.weights > 0.0)
            joints = influences.joints[vertices, slots].astype(np.intp) + joint
        centers, radii = reach.spheres(joints, mesh.positions[vertices], moved[vertices])
        bounds = bounds_of_spheres(centers, radii)
        middle = np.array(bounds.center, np.float32)
        sides = (np.abs(centers - middle) + radii[:, None]).max(axis=0).tolist()
        return cls(rig, joint, influences, morphs, weight, bounds, glm.vec3(*sides))

    def matrices_of_vertices(self, palette: NDArray[np.float32]) -> NDArray[np.float32]:
        """The matrices (n, 3, 4) of the vertices for the rig's palette (p, 3, 4); (1, 3, 4) if all have the same."""
        if self.influences is None:
            return palette[self.joint : self.joint + 1]
        joints = self.influences.joints.astype(np.intp) + self.joint
        found: NDArray[np.float32] = np.einsum("ns,nsij->nij", self.influences.weights, palette[joints])
        return found


class DeformedMesh(Mesh):
    """The mesh of one character: its vertices are those of ``source``, and the GPU moves them.

    ``row`` is the character's among all of its rig. The arrays are those of the source, at rest.
    """

    source: Mesh
    deformation: Deformation
    row: int

    @classmethod
    def of(cls, source: Mesh, deformation: Deformation, row: int) -> DeformedMesh:
        """A mesh for a character."""
        mesh = cls.__new__(cls)
        own = {"source": source, "deformation": deformation, "row": row, "levels": ()}
        vars(mesh).update(vars(source), **own, bounds=deformation.bounds, reach=deformation.reach)
        return mesh

    def moved_positions(self, poses: Poses) -> NDArray[np.float32]:
        """The positions (n, 3) of the vertices in a pose, in model space. The GPU computes the same."""
        deformation, found = self.deformation, poses.by_rig[self.deformation.rig]
        positions = self.positions
        if deformation.morphs is not None:
            weights = found.weights[self.row][deformation.weight : deformation.weight + len(deformation.morphs)]
            positions = positions + np.einsum("t,tnc->nc", weights, deformation.morphs[:, :, :3])
        matrices = deformation.matrices_of_vertices(found.palettes[self.row])
        moved: NDArray[np.float32] = np.einsum("nij,nj->ni", matrices[:, :, :3], positions) + matrices[:, :, 3]
        return moved
