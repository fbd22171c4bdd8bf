"""Which of the meshes that skinning moves have another pose than is wanted."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from renderwright.engine.animation.poses import Poses
from renderwright.engine.renderer.growing_buffer import GrowingBuffer
from renderwright.engine.renderer.skinning.jobs import PoseLayout
from renderwright.engine.scene.deformation import DeformedMesh
from renderwright.render.backend.protocol import FRAMES_IN_FLIGHT, Backend
from renderwright.render.types.physical import PhysicalBuffer
from renderwright.render.types.usages import Usage

Revisions = NDArray[np.int64]

NOTHING = -1
"""The revision of vertices that nothing has written."""


class SkinnedOutput:
    """One result of skinning, such as the vertices of this frame: the poses that its meshes have and those they need.

    The mesh of a job has the pose of a revision. Groups whose mesh needs another one are dispatched.
    """

    def __init__(self, backend: Backend, name: str) -> None:
        self._groups_buffer = GrowingBuffer(backend, f"skinning groups{name}", Usage.STORAGE_READ)
        self._pose_buffer = GrowingBuffer(backend, f"skinning pose{name}", Usage.STORAGE_READ)
        self._written: Revisions = np.zeros(0, np.int64)
        self._written_before = self._written
        self._wanted = self._written
        self._outdated = b""
        self._poses: list[Poses | None] = [None] * FRAMES_IN_FLIGHT
        #: The groups of this frame (n, 2).
        self.groups = np.zeros((0, 2), np.uint32)

    def arrange(self, kept: Mapping[DeformedMesh, int], meshes: tuple[DeformedMesh, ...]) -> None:
        """Begin with other jobs. ``kept`` are the last jobs of meshes whose vertices are still there."""
        before = np.append(self._written, NOTHING)
        self._written = before[[kept.get(mesh, NOTHING) for mesh in meshes]]
        self._written_before, self._outdated = self._written, b""
        self._poses = [None] * FRAMES_IN_FLIGHT

    def forget(self) -> None:
        """The vertices of all jobs are gone."""
        self._written = self._written_before = np.full_like(self._written, NOTHING)

    def repeat(self) -> None:
        """The last frame was not rendered."""
        self._written = self._written_before

    def choose(self, wanted: Revisions, every: NDArray[np.uint32]) -> None:
        """Begin a frame whose jobs want poses of these revisions; ``every`` are all groups."""
        self._wanted = wanted
        outdated = self._written != wanted
        told = outdated.tobytes()
        if told != self._outdated:
            self._outdated = told
            self.groups = every if outdated.all() else every[outdated[every[:, 0]]]

    def groups_buffer(self, slot: int) -> PhysicalBuffer:
        """The groups on the GPU, which writes what they say."""
        self._written_before, self._written = self._written, self._wanted
        return self._groups_buffer.write_once(slot, self.groups)

    def pose_buffer(self, slot: int, poses: Poses, layout: PoseLayout) -> PhysicalBuffer:
        """The poses on the GPU."""
        if self._poses[slot] is not poses:
            layout.write(poses, self._pose_buffer.mapped(slot, np.dtype(np.float32), layout.floats)[0])
            self._poses[slot] = poses
        return self._pose_buffer.buffer(slot)

    def close(self) -> None:
        """Release the buffers."""
        self._groups_buffer.close()
        self._pose_buffer.close()
