"""The draw commands of a scene, as the GPU reads them from a buffer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from renderwright.engine.renderer.command_layout import COMMAND, SLOT
from renderwright.engine.renderer.gpu_geometry import MeshRange
from renderwright.engine.renderer.level_commands import MeshLevels, place_lists
from renderwright.engine.renderer.material_textures import ImageSet
from renderwright.engine.renderer.surface_kinds import SURFACE_KINDS, SurfaceKind, surface_kind
from renderwright.engine.renderer.surface_variants import SurfaceVariant
from renderwright.engine.scene.draw_list import DrawBatch
from renderwright.engine.scene.material import ALPHA_MODES, AlphaMode
from renderwright.engine.scene.rows import Rows
from renderwright.render.backend.protocol import INDIRECT_BYTES

_DRAW = np.dtype(
    [
        ("instances", np.uint32),
        ("first_instance", np.uint32),
        ("mesh", np.intp),
        ("look", np.intp),
        ("double_sided", bool),
        ("casts_shadow", bool),
        ("alpha", np.intp),
        ("surface", np.intp),
    ]
)
"""A draw by numbers: ``mesh`` is that of ``MeshLevels``, ``look`` that of a ``Look``, ``alpha`` that of a mode.

``surface`` is that of ``SURFACE_KINDS``.
"""

Look = tuple[ImageSet, SurfaceVariant | None]
"""The images and the variant of shaders that draws of one range have in common."""

MOST_INSTANCES = 128
"""The most instances of a command where commands are culled: an invocation looks at one after the other."""


@dataclass(frozen=True)
class GpuDraw:
    """One indexed draw: a batch with the ranges of its mesh and of the mesh's levels, its material's images, and the
    variant of shaders for its surface function."""

    batch: DrawBatch
    mesh: MeshRange
    images: ImageSet
    levels: tuple[MeshRange, ...] = ()
    variant: SurfaceVariant | None = None


class DrawKind(NamedTuple):
    """The draws of a pass with one pipeline: those of double-sided materials, or the others; perhaps casters only.

    All have materials of one alpha mode. Blended surfaces cast no shadows.
    """

    double_sided: bool
    casters_only: bool
    alpha: AlphaMode = "opaque"
    surface: SurfaceKind = "plain"


KINDS = tuple(
    DrawKind(sided, casters, alpha, surface)
    for casters in (False, True)
    for alpha in ALPHA_MODES
    for sided in (False, True)
    for surface in SURFACE_KINDS
)
"""All kinds in the order of their commands: those of all draws, then those of casters."""


@dataclass(frozen=True)
class CommandRange:
    """Consecutive commands that are drawn with the same images and the same variant of shaders.

    There is room for ``room`` commands from byte ``offset`` of the buffer on; those that are not used have no
    instances. If ``counted``, the first word of the command before them has the number of those that are used.
    """

    images: ImageSet
    offset: int
    room: int
    counted: bool = True
    variant: SurfaceVariant | None = None

    @property
    def count_at(self) -> int:
        """The byte at which the number of commands is."""
        return self.offset - INDIRECT_BYTES


CommandRanges = Mapping[DrawKind, tuple[CommandRange, ...]]


@dataclass(frozen=True, eq=False)
class DrawTable:
    """All draw commands of a scene, which are the contents of a buffer, and the ranges of each kind of draws in it.

    ``bounds`` is what culling knows of the commands. Those of coarser levels have no instances before culling.
    """

    ranges: CommandRanges
    commands: NDArray[Any]
    bounds: NDArray[Any]

    def of_moved(self, moved: Rows) -> DrawTable:
        """The table in which commands have no instances if none of theirs is among ``moved``, in ascending order."""
        if not len(moved):
            return self.still
        first = self.commands["first_instance"]
        end = first + self.commands["instances"]
        commands = self.commands.copy()
        commands["instances"][np.searchsorted(moved, first) == np.searchsorted(moved, end)] = 0
        return replace(self, commands=commands)

    @cached_property
    def still(self) -> DrawTable:
        """The table without instances."""
        commands = self.commands.copy()
        commands["instances"] = 0
        return replace(self, commands=commands)

    def used(self, part: CommandRange) -> Iterator[tuple[int, ...]]:
        """The commands of a range that have instances, as arguments of an indexed draw."""
        start = part.offset // INDIRECT_BYTES
        for command in self.commands[start : start + part.room].tolist():
            if command[1]:
                yield command


def with_any_images(ranges: Sequence[CommandRange]) -> Sequence[CommandRange]:
    """Consecutive ranges as one, for a pass without materials."""
    if len(ranges) < 2:
        return ranges
    first, last = ranges[0], ranges[-1]
    end = last.offset + last.room * INDIRECT_BYTES
    return (CommandRange((), first.offset, (end - first.offset) // INDIRECT_BYTES, counted=False),)


def span(ranges: CommandRanges, *, casters_only: bool) -> tuple[int, int]:
    """The numbers of the first command and of all commands of passes that draw all, or casters only.

    The ranges of all alpha modes are consecutive.
    """
    drawn = [each for kind in KINDS if kind.casters_only == casters_only for each in ranges[kind]]
    if not drawn:
        return 0, 0
    first = drawn[0].count_at // INDIRECT_BYTES
    return first, drawn[-1].offset // INDIRECT_BYTES + drawn[-1].room - first


def draw_table(draws: Sequence[GpuDraw], *, by_images: bool, most: int | None = None) -> DrawTable:
    """The commands of all draws in their order, for each kind. Neighbours with one mesh become one command.

    Draws with other variants of shaders are in other ranges and commands, and with ``by_images`` those with other
    images. ``most`` are the most instances of a command.
    """
    numbers: dict[Look, int] = {}
    levels = MeshLevels()
    rows = np.array([_row(draw, levels, numbers, by_images=by_images) for draw in draws], _DRAW)
    looks = tuple(numbers)
    if any(variant is not None for _, variant in looks):
        rows = rows[np.argsort(rows["look"], kind="stable")]
    ranges: dict[DrawKind, tuple[CommandRange, ...]] = {}
    parts: list[tuple[int, NDArray[Any]]] = []
    end = 0
    for kind in KINDS:
        if kind.casters_only and rows["casts_shadow"].all():
            ranges[kind] = ranges[kind._replace(casters_only=False)]
            continue
        found = []
        same = (rows["double_sided"] == kind.double_sided) & (rows["alpha"] == ALPHA_MODES.index(kind.alpha))
        same &= rows["surface"] == SURFACE_KINDS.index(kind.surface)
        drawn = same & (rows["casts_shadow"] | (not kind.casters_only))
        for look, slots in _runs(rows[drawn], levels, most):
            slots["bounds"]["finest"] += end + 1
            room = 1 << (len(slots) - 1).bit_length()
            images, variant = looks[look]
            found.append(CommandRange(images, (end + 1) * INDIRECT_BYTES, room, variant=variant))
            parts.append((end, slots))
            end += 1 + room
        ranges[kind] = tuple(found)
    slots = np.zeros(end, SLOT)
    for start, part in parts:
        slots["indices"][start] = len(part)  # in front of a range, a command that draws nothing has their number
        slots[start + 1 : start + 1 + len(part)] = part
    place_lists(slots)
    commands = np.zeros(len(slots), COMMAND)
    for name in COMMAND.names or ():
        commands[name] = slots[name]
    return DrawTable(ranges, commands, slots["bounds"].copy())


def look_of(draw: GpuDraw, *, by_images: bool) -> Look:
    """What a draw has to have in common with others to be in one range with them."""
    return draw.images if by_images else (), draw.variant


def _row(draw: GpuDraw, levels: MeshLevels, numbers: dict[Look, int], *, by_images: bool) -> tuple[Any, ...]:
    batch = draw.batch
    mesh = levels.number(batch.mesh, draw.mesh, draw.levels)
    look = numbers.setdefault(look_of(draw, by_images=by_images), len(numbers))
    material = batch.material
    casts = batch.casts_shadow and material.drawn_as != "blend"
    alpha = ALPHA_MODES.index(material.drawn_as)
    surface = SURFACE_KINDS.index(surface_kind(batch.mesh, material))
    return (batch.count, batch.first, mesh, look, material.double_sided, casts, alpha, surface)


def _runs(rows: NDArray[Any], levels: MeshLevels, most: int | None) -> Iterator[tuple[int, NDArray[Any]]]:
    """The commands of runs of rows with the same look, and the numbers of these.

    Neighbours in a run with one mesh become one command where their instances follow each other. Commands of coarser
    levels follow that of the finest.
    """
    if not len(rows):
        return
    before, after = rows[:-1], rows[1:]
    others = before["look"] != after["look"]
    apart = before["first_instance"] + before["instances"] != after["first_instance"]
    starts = np.flatnonzero(np.append(True, others | apart | (before["mesh"] != after["mesh"])))
    merged = rows[starts]
    merged["instances"] = np.add.reduceat(rows["instances"], starts)
    if most is not None:
        merged = _split(merged, most)
    slots, draw_of = levels.commands(merged)
    looks = merged["look"][draw_of]
    runs = np.flatnonzero(np.append(True, looks[1:] != looks[:-1])).tolist()
    for first, end in pairwise((*runs, len(slots))):
        slots["bounds"]["finest"][first:end] -= np.uint32(first)
        yield int(looks[first]), slots[first:end]


def _split(rows: NDArray[Any], most: int) -> NDArray[Any]:
    """The rows in pieces of at most ``most`` instances."""
    pieces = -(-rows["instances"].astype(np.int64) // most)
    split = np.repeat(rows, pieces)
    before = (np.arange(len(split)) - np.repeat(np.cumsum(pieces) - pieces, pieces)) * most
    split["first_instance"] += before.astype(np.uint32)
    split["instances"] = np.minimum(split["instances"] - before, most)
    return split
