"""The vertices of characters, moved by NumPy as the GPU does it."""

from __future__ import annotations

import numpy as np

from renderwright.engine.scene.deformation import DeformedMesh
from renderwright.engine.scene.draw_list import DrawList


def moved_positions(mesh: DeformedMesh, draws: DrawList) -> np.ndarray:
    """The positions (n, 3) of a character's mesh in a picture, in model space."""
    deformation = mesh.deformation
    poses = draws.poses.by_rig[deformation.rig]
    palette = poses.palettes[mesh.row][deformation.joint :]
    positions = mesh.positions.astype(np.float32)
    if deformation.morphs is not None:
        weights = poses.weights[mesh.row][deformation.weight : deformation.weight + len(deformation.morphs)]
        positions = positions + np.einsum("t,tnc->nc", weights, deformation.morphs[:, :, :3])
    if deformation.influences is None:
        return positions @ palette[0, :, :3].T + palette[0, :, 3]
    matrices = np.einsum(
        "ns,nsij->nij", deformation.influences.weights, palette[deformation.influences.joints.astype(np.intp)]
    )
    return np.einsum("nij,nj->ni", matrices[:, :, :3], positions) + matrices[:, :, 3]
