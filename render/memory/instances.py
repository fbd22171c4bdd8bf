"""Packing problems in files: comma-separated values with a header, in one of two formats.

*Cyclic*: a first line ``# T=30`` with the moments of the circle, then the columns ``id,start,end,size`` and optionally
``alignment`` (default 1) and ``pin`` (the required offset; empty for none). An arc [start, end) with ``end <= start``
wraps; ``start == end`` is the whole circle.

*Linear*: the columns ``id,lower,upper,size`` and optionally ``alignment`` and ``pin``: the format of MiniMalloc. Live
ranges are half-open and do not wrap; they are packed on a circle that ends with the last of them.

Columns may be in any order. MiniMalloc's ``capacity``, ``hint`` and ``offset`` are accepted and ignored.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from renderwright.render.errors import AssetError, SourceLocation
from renderwright.render.files.reading import read_start
from renderwright.render.memory.arcs import PackItem
from renderwright.render.suggest import did_you_mean

MAX_FILE_BYTES = 64 * 2**20
MAX_TIME = 2**40
MAX_BYTES = 2**60
"""The largest sum of sizes and alignments of a file, so that all sums of offsets stay far below 2**63."""

CYCLIC_COLUMNS = ("id", "start", "end", "size")
LINEAR_COLUMNS = ("id", "lower", "upper", "size")
OPTIONAL_COLUMNS = ("alignment", "pin")
IGNORED_COLUMNS = ("capacity", "hint", "offset")

_PERIOD = re.compile(r"#\s*T\s*=\s*(\S*)\s*")
_NUMBER = re.compile(r"[+-]?[0-9]{1,19}")


@dataclass(frozen=True)
class Instance:
    """The items of a file, in file order, on a circle of ``period`` moments; ``ids`` are their names in the file."""

    name: str
    cyclic: bool
    period: int
    ids: tuple[str, ...]
    items: tuple[PackItem, ...]


def read_instance(path: str | Path) -> Instance:
    """The packing problem in a file. Raises AssetError with file and line."""
    file = str(path)
    try:
        content = read_start(Path(path), MAX_FILE_BYTES + 1)
    except (OSError, ValueError) as error:
        # A path with a NUL character raises ValueError.
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise AssetError(
            f"the packing problem cannot be read: {reason}",
            hint="give a CSV file that is readable",
            where=SourceLocation(file),
        ) from error
    return parse_instance(content, file)


def parse_instance(content: bytes, file: str = "<text>") -> Instance:
    """The packing problem in the bytes of a file; ``file`` is its name in errors. Raises AssetError."""
    rows = _rows(_text(content, file), file)
    line, first = next(rows, (1, []))
    period: int | None = None
    if first and first[0].lstrip().startswith("#"):
        period = _period(first, SourceLocation(file, line))
        line, first = next(rows, (line + 1, []))
    if not first:
        hint = f"the columns of a cyclic problem are {','.join(CYCLIC_COLUMNS)}"
        raise _error("there is no header line", hint, file, line)
    columns = _columns(first, period is not None, SourceLocation(file, line))
    seen: dict[str, int] = {}
    items: list[PackItem] = []
    total = 0
    for line, cells in rows:
        where = SourceLocation(file, line)
        if len(cells) != len(first):
            raise AssetError(
                f"the line has {_count(len(cells), 'value')} for {_count(len(first), 'column')}",
                hint=f"the columns are {', '.join(first)}",
                where=where,
            )
        row = _Row({name: cells[place].strip() for name, place in columns.items()}, where)
        name = row.name()
        if name in seen:
            raise AssetError(f'"{name}" is also in line {seen[name]}', hint="give each item its own id", where=where)
        seen[name] = line
        items.append(row.linear_item() if period is None else row.cyclic_item(period))
        total += items[-1].size + items[-1].alignment + (items[-1].pin or 0)
        if total > MAX_BYTES:
            raise AssetError("the sum of all sizes is over 2^60 bytes", hint="give sizes in bytes", where=where)
    if period is None:
        period = max((item.end for item in items), default=1)
        return Instance(Path(file).stem, False, period, tuple(seen), tuple(items))
    return Instance(Path(file).stem, True, period, tuple(seen), tuple(items))


@dataclass(frozen=True)
class _Row:
    """The cells of a line by column name."""

    cells: Mapping[str, str]
    where: SourceLocation

    def name(self) -> str:
        if not self.cells["id"]:
            raise AssetError("the item has no id", hint="give each item its own id", where=self.where)
        return self.cells["id"]

    def cyclic_item(self, period: int) -> PackItem:
        return PackItem(
            self._number("start", 0, period - 1, f"the circle has T={period} moments, from 0 to {period - 1}"),
            self._number(
                "end", 0, period, f"the circle has T={period} moments; an arc that wraps ends before it starts"
            ),
            *self._place(),
        )

    def linear_item(self) -> PackItem:
        lower = self._number("lower", 0, MAX_TIME, "time starts at 0")
        upper = self._number("upper", lower + 1, MAX_TIME, f"a live range that starts at {lower} ends later")
        return PackItem(lower, upper, *self._place())

    def _place(self) -> tuple[int, int, int, int | None]:
        size = self._number("size", 1, MAX_BYTES, "a size is in bytes and at least 1")
        alignment = 1
        if "alignment" in self.cells:
            alignment = self._number("alignment", 1, MAX_BYTES, "an alignment is in bytes and at least 1")
        pin = None
        if self.cells.get("pin"):
            pin = self._number("pin", 0, MAX_BYTES, "a pin is an offset in bytes; leave it empty for none")
            if pin % alignment:
                raise AssetError(
                    f"the pin {pin} is not a multiple of the alignment {alignment}",
                    hint="pin the item to another offset",
                    where=self.where,
                )
        # No twin: files do not state which items prefer the same offset.
        return size, alignment, -1, pin

    def _number(self, column: str, least: int, most: int, hint: str) -> int:
        text = self.cells[column]
        if not _NUMBER.fullmatch(text):
            raise AssetError(
                f'the {column} "{_short(text)}" is not a whole number',
                hint="write digits only, such as 65536",
                where=self.where,
            )
        number = int(text)
        if not least <= number <= most:
            raise AssetError(f"the {column} {number} is out of range", hint=hint, where=self.where)
        return number


def _text(content: bytes, file: str) -> str:
    if len(content) > MAX_FILE_BYTES:
        raise _error(f"the file is over {MAX_FILE_BYTES >> 20} MiB", "give a smaller packing problem", file, 1)
    try:
        text = content.decode("utf-8").removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise _error("the file is not UTF-8 text", "save it as comma-separated values in UTF-8", file, line) from None
    if not text.strip():
        raise _error("the file is empty", f"start with {','.join(LINEAR_COLUMNS)}, then an item a line", file, 1)
    return text


def _rows(text: str, file: str) -> Iterator[tuple[int, list[str]]]:
    """Line number and cells of each line that is not blank."""
    # newline="" keeps line ends, so that line numbers match those of an editor.
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    before = 0
    while True:
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            hint = "separate values by commas, an item a line"
            raise _error(f"the line cannot be read: {error}", hint, file, before + 1) from None
        line, before = before + 1, reader.line_num
        if any(cell.strip() for cell in cells):
            yield line, cells


def _period(cells: Sequence[str], where: SourceLocation) -> int:
    text = ",".join(cells).strip(", \t")  # spreadsheets pad the line with empty cells
    hint = "a cyclic problem starts with its number of moments, such as # T=30; a linear one with its columns"
    match = _PERIOD.fullmatch(text)
    if match is None or not _NUMBER.fullmatch(match[1]):
        raise AssetError(f'"{_short(text)}" does not state the period of the circle', hint=hint, where=where)
    period = int(match[1])
    if not 1 <= period <= MAX_TIME:
        raise AssetError(f"T={period} is out of range", hint="T is at least 1 and at most 2^40", where=where)
    return period


def _columns(header: Sequence[str], cyclic: bool, where: SourceLocation) -> dict[str, int]:
    """The index of each known column."""
    needed = CYCLIC_COLUMNS if cyclic else LINEAR_COLUMNS
    names = [name.strip().lower() for name in header]
    known = (*needed, *OPTIONAL_COLUMNS, *IGNORED_COLUMNS)
    if not cyclic and {"start", "end"} <= set(names):
        raise AssetError(
            "arcs with start and end, but no circle",
            hint="put the number of moments before the header, such as # T=30; linear columns are lower and upper",
            where=where,
        )
    if cyclic and {"lower", "upper"} <= set(names):
        hint = "leave the line with T out, or name the columns start and end"
        raise AssetError("live ranges with lower and upper do not wrap, but there is a circle", hint=hint, where=where)
    for place, name in enumerate(names):
        if name not in known:
            raise AssetError(f'unknown column "{_short(name)}"', hint=did_you_mean(name, known), where=where)
        if name in names[:place]:
            raise AssetError(f'duplicate column "{name}"', hint="keep one of them", where=where)
    for name in needed:
        if name not in names:
            raise AssetError(f'the column "{name}" is missing', hint=f"the header is {','.join(needed)}", where=where)
    return {name: place for place, name in enumerate(names) if name not in IGNORED_COLUMNS}


def _error(message: str, hint: str, file: str, line: int) -> AssetError:
    return AssetError(message, hint=hint, where=SourceLocation(file, line))


def _short(text: str) -> str:
    return text if len(text) <= 40 else f"{text[:40]}..."


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
