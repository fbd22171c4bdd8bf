"""What skinning moves, in the layout of ``skin.comp``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from renderwright.engine.animation.poses import Poses
from renderwright.engine.animation.rig import Rig
from renderwright.engine.renderer.gpu_geometry import MeshRange
from renderwright.engine.scene.deformation import Deformation, DeformedMesh
from renderwright.engine.scene.mesh import Mesh

GROUP = 64
"""Vertices of a workgroup."""

_NONE = 0xFFFFFFFF
_ROWS = 3
"""Rows of a joint's matrix."""

JOB = np.dtype(
    [
        (name, np.uint32)
        for name in ("source", "moved", "count", "palette", "influences", "morphs", "targets", "weights")
    ]
)


class SkinningData:
    """The joints, weights and morph targets of meshes as words, and where those of each begin."""

    def __init__(self, deformations: Sequence[Deformation]) -> None:
        self.influences: dict[Deformation, int] = {}
        self.morphs: dict[Deformation, int] = {}
        parts: list[NDArray[np.uint32]] = []
        end = 0
        for deformation in deformations:
            self.influences[deformation], self.morphs[deformation] = _NONE, 0
            if deformation.influences is not None:
                joints = np.ascontiguousarray(deformation.influences.joints, np.uint16).view(np.uint32)
                weights = np.ascontiguousarray(deformation.influences.weights, np.float32).view(np.uint32)
                self.influences[deformation] = end
                parts.append(np.concatenate([joints, weights], axis=1).reshape(-1))
                end += len(parts[-1])
            if deformation.morphs is not None:
                self.morphs[deformation] = end
                parts.append(np.ascontiguousarray(deformation.morphs, np.float32).view(np.uint32).reshape(-1))
                end += len(parts[-1])
        self.words = np.concatenate([*parts, np.zeros(1, np.uint32)])


@dataclass(frozen=True, eq=False)
class PoseLayout:
    """The place of each rig's poses in the buffer of all: the palettes of all rigs, then the weights."""

    rows: tuple[tuple[Rig, int], ...]
    palettes: Mapping[Rig, int]
    weights: Mapping[Rig, int]
    first_weight: int
    floats: int

    @classmethod
    def of(cls, poses: Poses) -> PoseLayout:
        """The layout of poses; those of the same rigs and as many rows have the same one."""
        palettes: dict[Rig, int] = {}
        weights: dict[Rig, int] = {}
        end = 0
        for rig, found in poses.by_rig.items():
            palettes[rig] = end
            end += found.palettes.size
        first_weight = end
        for rig, found in poses.by_rig.items():
            weights[rig] = end
            end += found.weights.size
        rows = tuple((rig, len(found.revisions)) for rig, found in poses.by_rig.items())
        return cls(rows, palettes, weights, first_weight, -(-end // 4) * 4)

    def fits(self, poses: Poses) -> bool:
        """Whether it is the layout of poses."""
        return self.rows == tuple((rig, len(found.revisions)) for rig, found in poses.by_rig.items())

    def write(self, poses: Poses, floats: NDArray[np.float32]) -> None:
        """Write poses."""
        for rig, found in poses.by_rig.items():
            for place, values in ((self.palettes[rig], found.palettes), (self.weights[rig], found.weights)):
                floats[place : place + values.size] = values.reshape(-1)


def job_of(
    mesh: DeformedMesh, ranges: Mapping[Mesh, MeshRange], data: SkinningData, layout: PoseLayout
) -> tuple[int, ...]:
    """The job that moves a mesh."""
    deformation = mesh.deformation
    rig = deformation.rig
    palette = layout.palettes[rig] // 4 + (mesh.row * len(rig.joints) + deformation.joint) * _ROWS
    targets = len(deformation.morphs) if deformation.morphs is not None else 0
    return (
        ranges[mesh.source].vertex_offset,
        ranges[mesh].vertex_offset,
        len(mesh.vertices),
        palette,
        data.influences[deformation],
        data.morphs[deformation],
        targets,
        layout.weights[rig] + mesh.row * rig.morph_count + deformation.weight,
    )


def groups_of(jobs: NDArray[np.void]) -> NDArray[np.uint32]:
    """The workgroups of all jobs (n, 2): the number of the job, and the first vertex in it."""
    counts = -(-jobs["count"].astype(np.int64) // GROUP)
    number = np.repeat(np.arange(len(jobs)), counts)
    first = (np.arange(len(number)) - np.repeat(np.cumsum(counts) - counts, counts)) * GROUP
    return np.stack([number, first], axis=1).astype(np.uint32)
