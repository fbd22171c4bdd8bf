"""The draw commands of a scene, as the GPU reads them from a buffer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from renderwright.engine.renderer.command_layout import BOUNDS, COMMAND
from renderwright.engine.renderer.drawn_surfaces import KINDS, DrawKind, GpuDraw, Look
from renderwright.engine.renderer.level_commands import LEVEL, place_lists
from renderwright.engine.renderer.material_textures import ImageSet
from renderwright.engine.renderer.surface_variants import SurfaceVariant
from renderwright.engine.scene.rows import NO_ROWS, Rows
from renderwright.render.backend.protocol import INDIRECT_BYTES

_FIELDS = ("kind", "casts_shadow", "look", "mesh", "level_count", "first_level", "instances", "first_instance")

_ROW = np.dtype([(name, np.intp) for name in _FIELDS])
"""A draw by numbers: ``kind`` is that of ``KINDS``, ``look`` that of a ``Look``, ``mesh`` the first vertex of a mesh.

``first_level`` is the row of its finest level among the levels of all draws.
"""

_CASTERS = len(KINDS) // 2
"""From this number on, kinds are those of passes that draw casters only."""

MOST_INSTANCES = 128
"""The most instances of a command where commands are culled: an invocation looks at one after the other."""


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
    rows, looks = _numbered(draws, by_images=by_images)
    all_cast = bool(rows["casts_shadow"].all())
    if not all_cast:
        rows = _with_casters(rows)
    rows = rows.take(np.argsort(rows["kind"], kind="stable"))
    levels = np.frombuffer(b"".join([draw.surface.level_rows for draw in draws]), LEVEL)
    return _laid_out(_merged(rows, most), levels, looks, all_cast=all_cast)


def _numbered(draws: Sequence[GpuDraw], *, by_images: bool) -> tuple[NDArray[Any], tuple[Look, ...]]:
    """A row for each draw, and the looks. Draws with one variant follow each other."""
    numbers: dict[Look, int] = {}
    values = []
    first_level = 0
    for batch, surface in draws:
        look = numbers.setdefault(surface.look(by_images=by_images), len(numbers))
        casts, level_count = batch.casts_shadow and not surface.blended, 1 + len(surface.levels)
        of_surface = (surface.kind, casts, look, surface.place.vertex_offset, level_count, first_level)
        values.append((*of_surface, batch.count, batch.first))
        first_level += level_count
    rows = np.array(values, np.intp).reshape(-1, len(_FIELDS)).view(_ROW)[:, 0]
    looks = tuple(numbers)
    if any(variant is not None for _, variant in looks):
        rows = rows.take(np.argsort(rows["look"], kind="stable"))
    return rows, looks


def _with_casters(rows: NDArray[Any]) -> NDArray[Any]:
    """The rows, and behind these the casters among them once more, as draws of passes that draw casters only."""
    casters = rows.compress(rows["casts_shadow"])
    casters["kind"] += _CASTERS
    return np.append(rows, casters)


def _merged(rows: NDArray[Any], most: int | None) -> NDArray[Any]:
    """Rows of one kind, look and mesh whose instances follow each other as one, of at most ``most`` instances."""
    if not len(rows):
        return rows
    apart = rows["first_instance"][:-1] + rows["instances"][:-1] != rows["first_instance"][1:]
    starts = np.flatnonzero(np.append(True, apart | _changes(rows, "kind", "look", "mesh")))
    merged = rows.take(starts)
    merged["instances"] = np.add.reduceat(rows["instances"], starts)
    return merged if most is None else _split(merged, most)


def _split(rows: NDArray[Any], most: int) -> NDArray[Any]:
    """The rows in pieces of at most ``most`` instances."""
    pieces = -(-rows["instances"] // most)
    split = np.repeat(rows, pieces)
    before = (np.arange(len(split)) - np.repeat(np.cumsum(pieces) - pieces, pieces)) * most
    split["first_instance"] += before
    split["instances"] = np.minimum(split["instances"] - before, most)
    return split


def _laid_out(rows: NDArray[Any], levels: NDArray[Any], looks: Sequence[Look], *, all_cast: bool) -> DrawTable:
    """The table with a command for each level of each row, the finest first. Coarser levels have no instances."""
    row_of = np.repeat(np.arange(len(rows)), rows["level_count"])
    finest = (np.cumsum(rows["level_count"]) - rows["level_count"]).take(row_of)
    number = np.arange(len(row_of)) - finest
    drawn = rows.take(row_of)
    starts = np.flatnonzero(np.append(True, _changes(drawn, "kind", "look"))) if len(drawn) else NO_ROWS
    lengths = np.diff(np.append(starts, len(drawn)))
    rooms = np.array([1 << (length - 1).bit_length() for length in lengths.tolist()], np.intp)
    heads = np.cumsum(1 + rooms) - (1 + rooms)  # in front of a range, a command that draws nothing has their number
    places = np.arange(len(drawn)) + np.repeat(heads + 1 - starts, lengths)

    commands = np.zeros(int((1 + rooms).sum()), COMMAND)
    bounds = np.zeros(len(commands), BOUNDS)
    commands["indices"][heads] = lengths
    level = levels.take(drawn["first_level"] + number)
    for name in ("indices", "first_index", "vertex_offset"):
        commands[name][places] = level[name]
    for name in ("sphere", "reach", "least", "below"):
        bounds[name][places] = level[name]
    commands["first_instance"][places] = drawn["first_instance"]
    commands["instances"][places] = np.where(number == 0, drawn["instances"], 0)
    bounds["finest"][places] = places.take(finest)
    place_lists(commands, bounds)
    return DrawTable(_ranges(drawn.take(starts), heads, rooms, looks, all_cast=all_cast), commands, bounds)


def _ranges(
    firsts: NDArray[Any], heads: NDArray[np.intp], rooms: NDArray[np.intp], looks: Sequence[Look], *, all_cast: bool
) -> CommandRanges:
    """The ranges of each kind, by the first draw of each range. Where all draws cast shadows, casters have the same."""
    found: list[list[CommandRange]] = [[] for _ in KINDS]
    columns = (firsts["kind"].tolist(), firsts["look"].tolist(), heads.tolist(), rooms.tolist())
    for kind, look, head, room in zip(*columns, strict=True):
        images, variant = looks[look]
        found[kind].append(CommandRange(images, (head + 1) * INDIRECT_BYTES, room, variant=variant))
    if all_cast:
        found[_CASTERS:] = found[:_CASTERS]
    return {kind: tuple(of_kind) for kind, of_kind in zip(KINDS, found, strict=True)}


def _changes(rows: NDArray[Any], *names: str) -> NDArray[np.bool_]:
    """Whether each row but the first differs in one of these fields from the row before it."""
    changes = np.zeros(len(rows) - 1, np.bool_)
    for name in names:
        changes |= rows[name][1:] != rows[name][:-1]
    return changes
