"""Skinning of a scene: its jobs and buffers, and what is to be done in a frame."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from renderwright.engine.animation.poses import NO_POSES, Poses, RigPoses
from renderwright.engine.animation.rig import Rig
from renderwright.engine.renderer.gpu_geometry import MeshRange
from renderwright.engine.renderer.growing_buffer import GrowingBuffer
from renderwright.engine.renderer.skinning.jobs import JOB, PoseLayout, SkinningData, groups_of, job_of
from renderwright.engine.renderer.skinning.skinned_output import Revisions, SkinnedOutput
from renderwright.engine.scene.deformation import Deformation, DeformedMesh
from renderwright.engine.scene.draw_list import DrawBatch, DrawList
from renderwright.engine.scene.mesh import Mesh
from renderwright.engine.scene.rows import NO_ROWS, Rows
from renderwright.render.backend.protocol import Backend
from renderwright.render.types.physical import BufferInfo, PhysicalBuffer
from renderwright.render.types.usages import Usage


@dataclass(frozen=True)
class SkinningWork:
    """The blob ``skinning_work``: workgroups that move vertices in a frame, and those for positions of the last one."""

    groups: int = 0
    previous_groups: int = 0


class GpuSkinning:
    """Moves the vertices of a scene's characters. Call ``update`` once a frame.

    A mesh is moved when the pose of its character is another one than its vertices have. Previous positions are made
    on demand, for motion vectors.
    """

    def __init__(self, backend: Backend) -> None:
        self._backend = backend
        self._jobs_buffer = GrowingBuffer(backend, "skinning jobs", Usage.STORAGE_READ)
        self._vertices = SkinnedOutput(backend, "")
        self._positions = SkinnedOutput(backend, " of the last frame")
        self._data_buffer: PhysicalBuffer | None = None
        self._positions_buffer: PhysicalBuffer | None = None
        self._deformations: tuple[Deformation, ...] = ()
        self._data = SkinningData(())
        self._layout = PoseLayout.of(NO_POSES)
        self._batches: tuple[DrawBatch, ...] = ()
        self._ranges: Mapping[Mesh, MeshRange] = {}
        self._meshes: tuple[DeformedMesh, ...] = ()
        self._jobs_of: Mapping[Rig, tuple[Rows, Rows]] = {}
        #: The places in the draw list of instances of moved meshes, ascending, and the job of each.
        self._places = self._job_at = NO_ROWS
        self._is_new: NDArray[np.bool_] = np.zeros(0, np.bool_)
        self._jobs: NDArray[np.void] = np.zeros(0, JOB)
        self._groups = groups_of(self._jobs)
        self._poses = self._last_poses = NO_POSES
        self._poses_before: Poses | None = None
        self._slot = 0
        #: Places in the draw list of instances whose mesh has moved since the last frame, in ascending order.
        self.moved: Rows = NO_ROWS
        self.work = SkinningWork()

    def update(self, draws: DrawList, ranges: Mapping[Mesh, MeshRange], slot: int) -> None:
        """Begin a frame. ``ranges`` is the same object as long as the vertices on the GPU are."""
        if slot == self._slot:  # the last frame was dropped: slots alternate
            self._vertices.repeat()
            self._positions.repeat()
        self._slot = slot
        self._last_poses, self._poses, self._poses_before = self._poses, draws.poses, None
        self._is_new = np.zeros(len(self._meshes), np.bool_)
        if draws.batches is not self._batches or ranges is not self._ranges or not self._layout.fits(draws.poses):
            self._arrange(draws.batches, ranges)
        self.moved = NO_ROWS
        if not self._meshes:
            return
        now = self._revisions(self._poses)
        before = np.where(self._is_new, now, self._revisions(self._last_poses))
        moved = now != before
        self.moved = self._places[moved[self._job_at]]
        self._vertices.choose(now, self._groups)
        self._positions.choose(before, self._groups)
        work = SkinningWork(len(self._vertices.groups), len(self._positions.groups))
        self.work = self.work if work == self.work else work

    # -- buffers of a frame that skins

    @property
    def data(self) -> PhysicalBuffer:
        """Joints, weights and morph targets of vertices."""
        if self._data_buffer is None:
            words = self._data.words
            info = BufferInfo(words.nbytes, frozenset({Usage.STORAGE_READ}))
            self._data_buffer = self._backend.create_buffer(info, "skinning data", words.tobytes())
        return self._data_buffer

    @property
    def jobs(self) -> PhysicalBuffer:
        """The jobs."""
        return self._jobs_buffer.write_once(self._slot, self._jobs)

    @property
    def groups(self) -> PhysicalBuffer:
        """The workgroups that move vertices. The GPU does what they say."""
        return self._vertices.groups_buffer(self._slot)

    @property
    def pose(self) -> PhysicalBuffer:
        """The poses of all characters."""
        return self._vertices.pose_buffer(self._slot, self._poses, self._layout)

    @property
    def previous_groups(self) -> PhysicalBuffer:
        """The workgroups that write positions of the last frame. The GPU does what they say."""
        return self._positions.groups_buffer(self._slot)

    @property
    def previous_pose(self) -> PhysicalBuffer:
        """The poses of all characters in the last frame."""
        if self._poses_before is None:
            self._poses_before = self._with_new_characters(self._last_poses)
        return self._positions.pose_buffer(self._slot, self._poses_before, self._layout)

    @property
    def previous_positions(self) -> PhysicalBuffer:
        """The number of the first vertex that is moved, then the positions of the last frame from there on."""
        if self._positions_buffer is None:
            content = self._positions_at_rest()
            info = BufferInfo(content.nbytes, frozenset({Usage.STORAGE, Usage.STORAGE_READ}))
            self._positions_buffer = self._backend.create_buffer(info, "previous positions", content.tobytes())
        return self._positions_buffer

    def close(self) -> None:
        """Release all buffers."""
        self._drop_data()
        self._drop_positions()
        for part in (self._jobs_buffer, self._vertices, self._positions):
            part.close()

    # -- inside

    def _arrange(self, batches: tuple[DrawBatch, ...], ranges: Mapping[Mesh, MeshRange]) -> None:
        last = {mesh: number for number, mesh in enumerate(self._meshes)}
        moved_vertices = self._moved_vertices()
        drawn = [(batch, batch.mesh) for batch in batches if batch.mesh in ranges]
        found = [(batch, mesh) for batch, mesh in drawn if isinstance(mesh, DeformedMesh)]
        self._meshes = tuple(dict.fromkeys(mesh for _, mesh in found))
        self._jobs_of = _by_rig(self._meshes)
        self._places, self._job_at = _places(found, self._meshes)
        self._is_new = np.array([mesh not in last for mesh in self._meshes], np.bool_)
        deformations = tuple(dict.fromkeys(mesh.deformation for mesh in self._meshes))
        if not set(deformations) <= set(self._deformations):
            self._deformations, self._data = deformations, SkinningData(deformations)
            self._drop_data()
        if not self._layout.fits(self._poses):
            self._layout = PoseLayout.of(self._poses)
        jobs = [job_of(mesh, ranges, self._data, self._layout) for mesh in self._meshes]
        self._jobs = np.array(jobs, JOB)
        self._groups = groups_of(self._jobs)
        self._vertices.arrange(last if ranges is self._ranges else {}, self._meshes)
        same_place = ranges is self._ranges and self._moved_vertices() == moved_vertices
        self._positions.arrange(last if same_place else {}, self._meshes)
        if not same_place:
            self._drop_positions()
        self._batches, self._ranges = batches, ranges

    def _moved_vertices(self) -> tuple[int, int]:
        """The first vertex that is moved, and the one behind the last."""
        if not len(self._jobs):
            return 0, 0
        return int(self._jobs["moved"].min()), int((self._jobs["moved"] + self._jobs["count"]).max())

    def _positions_at_rest(self) -> NDArray[np.uint32]:
        """What previous positions begin with. Meshes that stay as they are may lie between those that are moved."""
        first, end = self._moved_vertices()
        positions = np.zeros((max(1, end - first), 3), np.float32)
        for mesh, place in self._ranges.items():
            start = place.vertex_offset - first
            if 0 <= start < end - first:
                positions[start : start + len(mesh.vertices)] = mesh.positions
        return np.append(np.uint32(first), positions.reshape(-1).view(np.uint32))

    def _revisions(self, poses: Poses) -> Revisions:
        """The revision of each job's pose; 0 of characters that the poses lack."""
        found = np.zeros(len(self._meshes), np.int64)
        for rig, (jobs, rows) in self._jobs_of.items():
            of_rig = poses.by_rig.get(rig)
            if of_rig is not None:
                known = rows < len(of_rig.revisions)
                found[jobs[known]] = of_rig.revisions[rows[known]]
        return found

    def _with_new_characters(self, poses: Poses) -> Poses:
        """Earlier poses in today's rows, the same object where they are. A new character has its present pose."""
        found = {}
        for rig, now in self._poses.by_rig.items():
            before = poses.by_rig.get(rig, RigPoses(now.palettes[:0], now.weights[:0], now.revisions[:0]))
            jobs, rows = self._jobs_of.get(rig, (NO_ROWS, NO_ROWS))
            new = rows[self._is_new[jobs]]
            count = len(before.revisions)
            if not len(new) and count == len(now.revisions):
                found[rig] = before
                continue
            palettes, weights = now.palettes.copy(), now.weights.copy()
            palettes[:count], weights[:count] = before.palettes, before.weights
            palettes[new], weights[new] = now.palettes[new], now.weights[new]
            found[rig] = RigPoses(palettes, weights, now.revisions)
        return poses if found == poses.by_rig else Poses(found)  # RigPoses compare by identity

    def _drop_data(self) -> None:
        if self._data_buffer is not None:
            self._backend.destroy(self._data_buffer)
        self._data_buffer = None

    def _drop_positions(self) -> None:
        if self._positions_buffer is not None:
            self._backend.destroy(self._positions_buffer)
        self._positions_buffer = None


def _by_rig(meshes: Sequence[DeformedMesh]) -> Mapping[Rig, tuple[Rows, Rows]]:
    """For each rig the numbers of its meshes and the rows of their characters."""
    pairs: dict[Rig, list[tuple[int, int]]] = {}
    for number, mesh in enumerate(meshes):
        pairs.setdefault(mesh.deformation.rig, []).append((number, mesh.row))
    columns = {rig: np.array(found, np.intp).T for rig, found in pairs.items()}
    return {rig: (numbers, rows) for rig, (numbers, rows) in columns.items()}


def _places(
    drawn: Sequence[tuple[DrawBatch, DeformedMesh]], meshes: Sequence[DeformedMesh]
) -> tuple[Rows, NDArray[np.intp]]:
    """The places of the instances of batches, and the number of the mesh of each."""
    number = {mesh: place for place, mesh in enumerate(meshes)}
    counts = [batch.count for batch, _ in drawn]
    parts = [np.arange(batch.first, batch.first + batch.count, dtype=np.intp) for batch, _ in drawn]
    return np.concatenate([NO_ROWS, *parts]), np.repeat(np.array([number[mesh] for _, mesh in drawn], np.intp), counts)
