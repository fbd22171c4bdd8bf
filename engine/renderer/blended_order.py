"""Blended surfaces from back to front, sorted for each player on the CPU.

The order is that of the depths of the bounding spheres' centres along the direction of the player's camera. Eyes,
samples and tiles of a player share it, and moving the camera does not change it. It is computed when the direction or
an entity's place has changed, and written when it differs. Recorded commands stay as they are, except on devices where
images or draws are not read from buffers.

In a scene that is culled, a node then leaves out instances that no view of the player may see (``BlendedOrder.cull``).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pyglm import glm

from renderwright.engine.renderer.command_layout import COMMAND
from renderwright.engine.renderer.depth_order import far_first
from renderwright.engine.renderer.draw_commands import CommandRange
from renderwright.engine.renderer.drawn_surfaces import GpuDraw, Look
from renderwright.engine.renderer.growing_buffer import GrowingBuffer
from renderwright.engine.renderer.seen_spheres import placed, placed_centers, seen
from renderwright.engine.scene.draw_list import DrawList, Stamp
from renderwright.engine.views import View
from renderwright.render.backend.protocol import INDIRECT_BYTES, Backend
from renderwright.render.types.physical import PhysicalBuffer
from renderwright.render.types.usages import Usage

_NO_ORDER = np.zeros(0, np.intp)


@dataclass(frozen=True, eq=False)
class SortedDraws:
    """The draws of a player: ``instances`` from back to front, drawn by ``commands`` in ``ranges``."""

    instances: NDArray[np.uint32]
    commands: NDArray[Any]
    ranges: tuple[CommandRange, ...]


@dataclass(frozen=True, eq=False)
class Places:
    """Where instances are in the draw list with that stamp: the ``centers`` of their spheres, (n, 3), in the world."""

    stamp: Stamp
    centers: NDArray[np.float32]
    around_meshes: NDArray[np.float32]
    models: NDArray[np.float32]

    @cached_property
    def spheres(self) -> NDArray[np.float32]:
        """The spheres in the world, (n, 4), which are computed only for culling."""
        return placed(self.around_meshes, self.models)


@dataclass(frozen=True, eq=False)
class BlendedInstances:
    """The instances with blended materials, in the order of drawing.

    ``spheres`` are those around their meshes, (n, 4): centre and radius. ``meshes`` and ``look`` number rows of
    ``shapes``, which are commands of one instance, and ``looks``.
    """

    numbers: NDArray[np.intp]
    spheres: NDArray[np.float32]
    meshes: NDArray[np.intp]
    look: NDArray[np.intp]
    shapes: NDArray[Any]
    looks: tuple[Look, ...]

    @classmethod
    def of(cls, draws: Sequence[GpuDraw], *, by_images: bool) -> BlendedInstances:
        """The blended ones of all draws."""
        blended = [draw for draw in draws if draw.surface.blended]
        counts = [draw.batch.count for draw in blended]
        meshes = list(dict.fromkeys(draw.surface.place for draw in blended))
        look_of = [draw.surface.look(by_images=by_images) for draw in blended]
        looks = list(dict.fromkeys(look_of)) or [((), None)]
        shapes = np.zeros(len(meshes), COMMAND)
        for number, mesh in enumerate(meshes):
            shapes[number] = (mesh.index_count, 1, mesh.first_index, mesh.vertex_offset, 0)
        bounds = [draw.batch.mesh.bounds for draw in blended]
        spheres = np.array([(*each.center, each.radius) for each in bounds], np.float32).reshape(-1, 4)
        return cls(
            np.concatenate([_NO_ORDER, *(draw.batch.first + np.arange(draw.batch.count) for draw in blended)]),
            np.repeat(spheres, counts, axis=0),
            np.repeat([meshes.index(draw.surface.place) for draw in blended], counts).astype(np.intp),
            np.repeat([looks.index(look) for look in look_of], counts).astype(np.intp),
            shapes,
            tuple(looks),
        )

    def places(self, draws: DrawList) -> Places:
        """Where they are."""
        models = draws.models.take(self.numbers, axis=0)
        return Places(draws.stamp, placed_centers(self.spheres, models), self.spheres, models)

    def sorted(self, order: NDArray[np.intp], part_of: SortedDraws | None = None) -> SortedDraws:
        """The draws in an order. Neighbours with the same mesh and look are one command.

        Draws that are ``part_of`` others fit into the same buffers. Where these have a single range, it is the same.
        """
        meshes, look = self.meshes[order], self.look[order]
        firsts = _starts(meshes, look)
        runs = _starts(look[firsts])
        lengths = np.diff(np.append(runs, len(firsts)))
        # As in a draw table, the first word of the command before a run has the number of its commands. All draws with
        # materials are counted: lavapipe of Mesa 22.3 takes the count of a pass's last counted draw for all after it.
        places = np.arange(len(firsts)) + 1 + np.repeat(np.arange(len(runs)), lengths)
        room = 1 << max(0, len(order) - 1).bit_length()
        if part_of is not None:
            commands = np.zeros(len(part_of.commands), COMMAND)
        else:
            commands = np.zeros(1 + room if len(runs) < 2 else places[-1] + 1, COMMAND)
        commands["indices"][places[runs] - 1] = lengths
        drawn = words(self.shapes).take(meshes[firsts], axis=0).view(COMMAND)[:, 0]
        drawn["instances"] = np.diff(np.append(firsts, len(order)))
        drawn["first_instance"] = firsts
        words(commands)[places] = words(drawn)
        ranges = []
        for run, length in zip(runs, lengths, strict=True):
            images, variant = self.looks[look[firsts[run]]]
            ranges.append(CommandRange(images, int(places[run]) * INDIRECT_BYTES, int(length), variant=variant))
        if part_of is not None and len(part_of.ranges) == 1:
            ranges = list(part_of.ranges)
        elif part_of is None and len(ranges) == 1:
            ranges = [replace(ranges[0], room=room)]  # the same for every order
        return SortedDraws(self.numbers[order].astype(np.uint32), commands, tuple(ranges))


def _starts(*columns: NDArray[np.intp]) -> NDArray[np.intp]:
    """Where rows begin that differ from the row before."""
    if not len(columns[0]):
        return _NO_ORDER
    starts = np.ones(len(columns[0]), bool)
    starts[1:] = False
    for column in columns:
        starts[1:] |= column[1:] != column[:-1]
    return np.flatnonzero(starts)


def words(commands: NDArray[Any]) -> NDArray[np.uint32]:
    """Commands (n,) as rows of words, (n, 5), which numpy copies ten times faster than records."""
    return commands.view(np.uint32).reshape(len(commands), COMMAND.itemsize // 4)


@dataclass
class _Player:
    """What is known of a player's order, and its buffers."""

    commands: GrowingBuffer
    instances: GrowingBuffer
    forward: tuple[float, ...] = ()
    stamp: Stamp | None = None
    order: NDArray[np.intp] | None = None
    draws: SortedDraws | None = None
    culled: SortedDraws | None = None
    culled_by: tuple[Sequence[glm.mat4], Stamp] | None = None


class BlendedOrder:
    """The blended draws of all players. Call ``set`` when the scene's draws have changed, and ``update`` once a frame.

    With ``by_images`` draws with other images are in other ranges.
    """

    def __init__(self, backend: Backend, *, by_images: bool) -> None:
        self._backend = backend
        self._by_images = by_images
        self._players: list[_Player] = []
        self._slot = 0
        self._places: Places | None = None
        self.set(())

    def set(self, draws: Sequence[GpuDraw]) -> None:
        """Replace the draws."""
        self._blended = BlendedInstances.of(draws, by_images=self._by_images)
        self._places = None
        for player in self._players:
            player.stamp = player.order = player.culled = None

    def update(self, draws: DrawList, views: Sequence[View], slot: int) -> None:
        """Begin a frame: sort the draws for each player's view."""
        self._slot = slot
        if not len(self._blended.numbers) and not self._players:
            return
        for number, view in enumerate(views):
            if number == len(self._players):
                self._players.append(self._new_player(number))
            forward = view.camera.forward()
            self._sort(self._players[number], draws, (forward.x, forward.y, forward.z))

    @property
    def draws(self) -> tuple[SortedDraws, ...]:
        """The draws of each player."""
        return tuple([player.draws for player in self._players if player.draws is not None])

    @property
    def places(self) -> object:
        """Another object whenever an instance may have moved."""
        return self._places

    def cull(self, number: int, matrices: Sequence[glm.mat4]) -> SortedDraws:
        """A player's draws without instances that none of the world-to-clip matrices shows; without matrices, all.

        They replace the contents of the buffers in this frame and the next ones.
        """
        player, every = self._of(number), self._drawn(number)
        if not matrices or player.order is None or self._places is None:
            player.culled = None
        elif player.culled is None or player.culled_by != (matrices, self._places.stamp):
            player.culled_by = matrices, self._places.stamp
            order = player.order[seen(matrices, self._places.spheres)[player.order]]
            numbers = self._blended.numbers[order]
            if player.culled is None or not np.array_equal(numbers, player.culled.instances):
                player.culled = self._blended.sorted(order, every) if len(order) < len(player.order) else every
        self.commands(number)
        self.instances(number)
        return player.culled or every

    def commands(self, player: int) -> PhysicalBuffer:
        """A player's commands on the GPU."""
        return self._of(player).commands.write_once(self._slot, self._shown(player).commands)

    def instances(self, player: int) -> PhysicalBuffer:
        """The numbers of a player's instances from back to front, on the GPU."""
        return self._of(player).instances.write_once(self._slot, self._shown(player).instances)

    def close(self) -> None:
        """Release the buffers."""
        for player in self._players:
            player.commands.close()
            player.instances.close()

    def _new_player(self, number: int) -> _Player:
        return _Player(
            GrowingBuffer(self._backend, f"sorted draws {number}", Usage.INDIRECT),
            GrowingBuffer(self._backend, f"sorted instances {number}", Usage.STORAGE_READ),
        )

    def _of(self, number: int) -> _Player:
        """A player; one without a view has no draws."""
        while number >= len(self._players):
            self._players.append(self._new_player(len(self._players)))
        return self._players[number]

    def _drawn(self, number: int) -> SortedDraws:
        player = self._of(number)
        if player.draws is None:
            player.draws = self._blended.sorted(_NO_ORDER)
        return player.draws

    def _shown(self, number: int) -> SortedDraws:
        every = self._drawn(number)
        return self._of(number).culled or every

    def _sort(self, player: _Player, draws: DrawList, forward: tuple[float, float, float]) -> None:
        if player.stamp == draws.stamp and player.forward == forward:
            return
        if self._places is None or self._places.stamp != draws.stamp:
            self._places = self._blended.places(draws)
        player.stamp, player.forward = draws.stamp, forward
        depths = self._places.centers @ np.array(forward, np.float32)
        order = far_first(depths)
        if player.order is None or not np.array_equal(order, player.order):
            player.order, player.culled = order, None
            player.draws = self._blended.sorted(order)
