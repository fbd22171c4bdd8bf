"""What a generator of sound streams remembers of each part of a resource, and the dependency that an access needs."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from renderwright.render.sync.oracle.names import ACCESSES, STAGES, WRITE_ACCESSES
from renderwright.render.sync.oracle.stream import Dependency, Range

ALL = STAGES["ALL_COMMANDS"]
ANY = ACCESSES["MEMORY_READ"] | ACCESSES["MEMORY_WRITE"]
CELL = 256
"""Bytes of a buffer that are always accessed together."""


@dataclass
class Cell:
    """One mip of one layer, or 256 bytes of a buffer: its last write, who sees that, and who has read it since."""

    resource: str
    key: tuple[int, int]
    interval: tuple[int, int, int]
    write: tuple[int, int] | None = None
    seen: list[tuple[int, int]] = field(default_factory=list)
    reads: int = 0
    layout: str = "UNDEFINED"
    content: bool = False
    time: int = -1
    step: int = -1


@dataclass(frozen=True)
class Want:
    """One access of a work that is to be made sound. ``overwrites`` needs no contents, ``drops`` leaves none."""

    resource: str
    keys: tuple[tuple[int, int], ...]
    part: Range
    stages: int
    access: int
    layout: str = ""
    overwrites: bool = False
    drops: bool = False

    @property
    def writes(self) -> bool:
        return bool(self.access & WRITE_ACCESSES)

    @property
    def reads(self) -> bool:
        return bool(self.access & ~WRITE_ACCESSES)


class Cells:
    """The cells of all resources, and which of them share memory."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng
        self.of: dict[str, dict[tuple[int, int], Cell]] = {}
        self._shared: dict[int, list[Cell]] = {}
        self._time = 0

    def add(self, resource: str, cells: Sequence[Cell]) -> None:
        """A new resource."""
        for cell in cells:
            others = [
                other
                for made in self.of.values()
                for other in made.values()
                if other.interval[0] == cell.interval[0]
                and other.interval[1] < cell.interval[2]
                and cell.interval[1] < other.interval[2]
            ]
            self._shared[id(cell)] = others
            for other in others:
                self._shared[id(other)].append(cell)
        self.of[resource] = {cell.key: cell for cell in cells}

    def cells(self, want: Want) -> list[Cell]:
        return [self.of[want.resource][key] for key in want.keys]

    def readable(self, want: Want) -> bool:
        """Whether what it reads holds something."""
        return all(cell.content for cell in self.cells(want))

    def needs(self, want: Want) -> tuple[list[Dependency], int]:
        """The dependencies that make the access sound, and the last step that they wait for."""
        found: dict[tuple[int, int, str, int, int], list[Cell]] = {}
        since = -1
        broad = self._rng.random() < 0.12
        for cell in self.cells(want):
            need = self._need(cell, want)
            if need is not None:
                stages, access = need
                dst = (ALL, ANY) if broad else (want.stages, want.access)
                found.setdefault((stages, access, self._old(cell, want), *dst), []).append(cell)
                since = max([since, cell.step, *(other.step for other in self._strangers(cell))])
        return [one for key, cells in found.items() for one in self._dependencies(want, key, cells)], since

    def apply(self, want: Want, dependencies: Sequence[Dependency], step: int) -> None:
        """The access has taken place after these dependencies."""
        self._time += 1
        for cell in self.cells(want):
            covering = [one for one in dependencies if _covers(one, cell)]
            if any(one.new for one in covering) and cell.layout != want.layout:
                cell.write, cell.reads, cell.seen = (covering[-1].dst_stages, 0), 0, []
            for one in covering:
                cell.seen.append((one.dst_stages, one.dst_access))
            if want.layout and (cell.layout != want.layout or any(one.old == "UNDEFINED" for one in covering)):
                cell.layout = want.layout
                self._take(cell)
            if want.writes:
                cell.write, cell.reads, cell.seen = (want.stages, want.access & WRITE_ACCESSES), 0, []
                cell.content = not want.drops
                self._take(cell)
            else:
                cell.reads |= want.stages
            cell.time, cell.step = self._time, step

    def everything_waited_for(self) -> None:
        """A semaphore has made all earlier work available and visible to everything later."""
        for made in self.of.values():
            for cell in made.values():
                if cell.time >= 0:
                    cell.write, cell.reads, cell.seen = (ALL, 0), 0, [(ALL, ANY)]

    def _take(self, cell: Cell) -> None:
        for other in self._shared[id(cell)]:
            other.content, other.layout = False, "UNDEFINED"

    def _strangers(self, cell: Cell) -> Iterator[Cell]:
        """The cells of other resources in its memory that were used after it."""
        return (other for other in self._shared[id(cell)] if other.time > cell.time)

    def _need(self, cell: Cell, want: Want) -> tuple[int, int] | None:
        """Stages and accesses that must come before; None when nothing must."""
        changes = bool(want.layout) and cell.layout != want.layout
        stages = access = 0
        strangers = list(self._strangers(cell))
        for other in strangers:
            stages |= other.reads | (other.write[0] if other.write else 0)
            access |= other.write[1] if other.write else 0
        if cell.write is not None:
            full = not cell.reads or self._rng.random() < 0.5
            sees = any(not want.stages & ~at and (not want.access & ~how or how == ANY) for at, how in cell.seen)
            if changes or want.writes or not sees:
                stages |= cell.reads | (cell.write[0] if full else 0)
                access |= cell.write[1] if full else 0
                if cell.write == (ALL, 0) and not cell.reads and not changes and sees and not strangers:
                    return None
                return stages, access
        elif cell.reads and (changes or want.writes):
            return stages | cell.reads, access
        return (stages, access) if changes or strangers else None

    def _old(self, cell: Cell, want: Want) -> str:
        if not want.layout:
            return ""
        return "UNDEFINED" if want.overwrites and self._rng.random() < 0.3 else cell.layout

    def _dependencies(
        self, want: Want, key: tuple[int, int, str, int, int], cells: Sequence[Cell]
    ) -> Iterator[Dependency]:
        source, access, old, target, seen = key
        rng = self._rng
        if rng.random() < 0.1 and source:
            source, access = ALL, ANY
        whole = len(cells) == len(want.keys)
        changes = bool(want.layout) and (old == "UNDEFINED" or old != want.layout)
        if not changes and rng.random() < 0.3:
            yield Dependency(source, access, target, seen)
            return
        parts = [want.part] if whole else [self._part(cell) for cell in cells]
        for part in parts:
            layouts = (old, want.layout) if want.layout else ("", "")
            yield Dependency(source, access, target, seen, want.resource, part, *layouts)

    def _part(self, cell: Cell) -> Range:
        if cell.layout and cell.key[1] >= 0:
            return Range(mips=(cell.key[0], 1), layers=(cell.key[1], 1))
        return Range(offset=cell.key[0] * CELL, size=CELL)


def _covers(one: Dependency, cell: Cell) -> bool:
    if not one.resource:
        return True
    if one.resource != cell.resource:
        return False
    part, (first, layer) = one.range, cell.key
    if layer < 0:
        start, size = part.offset, part.size
        return start <= first * CELL and (size is None or first * CELL < start + size)
    mips, layers = part.mips, part.layers
    return (mips is None or mips[0] <= first < mips[0] + mips[1]) and (
        layers is None or layers[0] <= layer < layers[0] + layers[1]
    )
