"""A picture of a plan's memory: each heap as offset (upwards) over two frames of time (to the right)."""

from __future__ import annotations

import colorsys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from PIL import Image, ImageDraw

from renderwright.render.inspect.drawing import (
    FAINT,
    INK,
    LINE,
    Box,
    Color,
    Hatch,
    font,
    inside,
    line_height,
    shortened,
    torn_box,
    upright,
    width_of,
    wrapped,
)
from renderwright.render.inspect.memory_report import HeapReport, MemoryReport, ResourceMemory
from renderwright.render.memory.arcs import PackItem, arc_length
from renderwright.render.memory.baselines import BASELINES
from renderwright.render.memory.bound import load_profile

WIDTH = 1600
_LEFT, _RIGHT, _MARGIN = 104, 44, 30
_HEAP_HEIGHT, _LEAST_HEAP, _STRIP = 600, 70, 56
_LABELS = 150
_LEAST_COLUMN = 14
_PAPER: Color = (255, 255, 255)
_HALVES: tuple[Color, Color] = ((247, 248, 250), (239, 241, 245))
_BOUND: Color = (190, 40, 40)
_IN_USE: Color = (150, 162, 178)
_HUES: tuple[Color, ...] = (
    (150, 190, 226),
    (243, 184, 116),
    (152, 205, 152),
    (232, 160, 158),
    (198, 172, 220),
    (222, 202, 118),
    (134, 206, 200),
    (228, 170, 204),
    (192, 184, 150),
)


def memory_picture(report: MemoryReport, title: str, subtitle: str) -> Image.Image:
    """Draws the heaps above each other, ``WIDTH`` pixels wide, with a title and a legend. The plan must have nodes."""
    picture = _Picture(report)
    return picture.draw(title, subtitle)


def in_words(size: float) -> str:
    """Bytes in the largest fitting unit with one decimal: ``63.3 MiB``."""
    for unit, name in ((2**30, "GiB"), (2**20, "MiB"), (2**10, "KiB")):
        if size >= unit:
            return f"{round(size / unit, 1):g} {name}"
    return f"{size:g} B"


def ticks(size: int, most: int) -> list[int]:
    """At most ``most`` round numbers of bytes in equal steps from 0 to ``size``."""
    unit = next((unit for unit in (2**30, 2**20, 2**10) if size >= 2 * unit), 1)
    steps = (step * 10**power * unit for power in range(12) for step in (1, 2, 5))
    step = next(step for step in steps if size // step < most)
    return list(range(0, size + 1, step))


@dataclass(frozen=True)
class _Area:
    """Where a heap is drawn: ``box`` in pixels, for ``period`` moments and ``size`` bytes."""

    box: Box
    period: int
    size: int

    def x(self, moment: float) -> float:
        return self.box.left + (self.box.right - self.box.left) * moment / self.period

    def y(self, offset: float) -> float:
        return self.box.bottom - (self.box.bottom - self.box.top) * offset / self.size


@dataclass(frozen=True)
class _Piece:
    """A part of a live range that is one box, and whether it goes on beyond its left or right side."""

    box: Box
    open_left: bool = False
    open_right: bool = False


class _Picture:
    """One picture while it is drawn, from top to bottom."""

    def __init__(self, report: MemoryReport) -> None:
        self._report = report
        self._owners = sorted({item.owner for item in report.resources})
        self._unnamed: list[ResourceMemory] = []
        self._image = Image.new("RGB", (WIDTH, self._height_guess()), _PAPER)
        self._pen = ImageDraw.Draw(self._image)
        self._top = 20

    def draw(self, title: str, subtitle: str) -> Image.Image:
        self._line(title, 26, INK)
        self._line(subtitle, 15, FAINT)
        largest = max((heap.size for heap in self._report.heaps), default=1)
        for heap in self._report.heaps:
            self._heap(heap, max(_LEAST_HEAP, round(_HEAP_HEIGHT * heap.size / largest)))
        self._legend()
        self._notes()
        if self._report.baselines:
            self._comparison()
        return self._image.crop((0, 0, WIDTH, min(self._image.height, self._top + 16)))

    def _height_guess(self) -> int:
        """An upper bound of the height; the picture is cropped later."""
        names = sum(width_of(item.id, 13) + 120 for item in self._report.resources)
        return 700 + len(self._report.heaps) * (_HEAP_HEIGHT + _STRIP + _LABELS + 120) + names // WIDTH * 20

    def _line(self, text: str, size: int, color: Color) -> None:
        self._pen.text((_MARGIN, self._top), shortened(text, size, WIDTH - 2 * _MARGIN), font=font(size), fill=color)
        self._top += line_height(size) + 4

    # -- one heap

    def _heap(self, heap: HeapReport, height: int) -> None:
        self._top += 10
        parts = [
            f"heap {heap.number}",
            heap.memory_class,
            in_words(heap.size),
            "the least possible" if heap.optimal else f"{heap.gap:.2%} above the bound of {in_words(heap.clique)}",
            f"{heap.occupancy:.0%} of bytes x time in use",
            f"used {heap.aliasing:.2f} times over",
        ]
        self._line("   ·   ".join(parts), 16, INK)
        self._frames(heap.period)
        area = _Area(Box(_LEFT, self._top, WIDTH - _RIGHT, self._top + height), heap.period, heap.size)
        self._grid(area, most=max(3, height // 60))
        if not heap.optimal:
            self._bound(area, heap.clique)
        pieces = [
            (item, piece)
            for item, _, copy in heap.copies()
            for piece in _pieces(area, item.size, copy.offset, copy.live_range)
        ]
        for item, piece in pieces:
            fill, outline = self._colors(item)
            torn_box(
                self._image,
                piece.box,
                fill,
                outline,
                _hatch(item),
                open_left=piece.open_left,
                open_right=piece.open_right,
            )
        self._middle(area)
        named = {item.id for item, piece in pieces if inside(self._image, _beside(area, piece.box), _texts(item))}
        self._unnamed += [item for item in heap.resources if item.id not in named]
        self._top = int(area.box.bottom) + 10
        self._strip(heap)
        self._nodes(area)

    def _frames(self, period: int) -> None:
        """The labels of the even and the odd frame."""
        for half, name in enumerate(("even frame", "odd frame")):
            x = _LEFT + (WIDTH - _LEFT - _RIGHT) * (half + 0.5) / 2
            self._pen.text((x - width_of(name, 14) / 2, self._top), name, font=font(14), fill=FAINT)
        self._top += line_height(14) + 4

    def _grid(self, area: _Area, most: int) -> None:
        box, middle = area.box, area.x(area.period / 2)
        left, right = box.left, box.right
        self._pen.rectangle((left, box.top, middle, box.bottom), fill=_HALVES[0])
        self._pen.rectangle((middle, box.top, right, box.bottom), fill=_HALVES[1])
        for moment in range(1, area.period):
            x = area.x(moment)
            if (right - left) / area.period >= 4:
                self._pen.line((x, box.top, x, box.bottom), fill=_mixed(LINE, _PAPER, 0.55))
        for tick in ticks(area.size, most):
            y = area.y(tick)
            self._pen.line((left - 6, y, right, y), fill=LINE)
            label = in_words(tick) if tick else "0"
            self._pen.text((left - 10 - width_of(label, 13), y - 8), label, font=font(13), fill=FAINT)
        self._pen.rectangle(area.box, outline=FAINT)

    def _middle(self, area: _Area) -> None:
        """The moment at which the odd frame begins."""
        middle = round(area.x(area.period / 2))
        for y in range(int(area.box.top), int(area.box.bottom), 10):
            self._pen.line((middle, y, middle, min(y + 5, area.box.bottom)), fill=INK, width=2)

    def _bound(self, area: _Area, clique: int) -> None:
        y = area.y(clique)
        for x in range(int(area.box.left), int(area.box.right), 12):
            self._pen.line((x, y, x + 6, y), fill=_BOUND, width=2)
        self._pen.text((area.box.right + 4, y - 7), "bound", font=font(12), fill=_BOUND)

    def _strip(self, heap: HeapReport) -> None:
        """The bytes in use at each moment."""
        area = _Area(Box(_LEFT, self._top, WIDTH - _RIGHT, self._top + _STRIP), heap.period, heap.size)
        items = [PackItem(*copy.live_range, item.size) for item, _, copy in heap.copies()]
        profile = [*load_profile(items, heap.period), (heap.period, 0)]
        self._pen.rectangle(area.box, fill=_HALVES[0])
        for (moment, total), (until, _) in pairwise(profile):
            self._pen.rectangle((area.x(moment), area.y(total), area.x(until), area.box.bottom), fill=_IN_USE)
        self._pen.rectangle(area.box, outline=FAINT)
        text = "in use"
        self._pen.text((_LEFT - 10 - width_of(text, 13), self._top + _STRIP / 2 - 8), text, font=font(13), fill=FAINT)
        self._top += _STRIP + 6

    def _nodes(self, area: _Area) -> None:
        """The node names of the columns, or of every n-th one where the columns are narrow."""
        column = (area.box.right - area.box.left) / area.period
        every = max(1, -(-_LEAST_COLUMN // max(1, int(column))))
        names = self._report.nodes
        shown = [
            (moment, shortened(names[moment % len(names)], 12, _LABELS)) for moment in range(0, area.period, every)
        ]
        longest = max(width_of(name, 12) for _, name in shown)
        for moment, name in shown:
            x = area.x(moment + 0.5) - line_height(12) / 2
            upright(self._image, (x, self._top + width_of(name, 12) + 2), name, 12, FAINT)
        self._top += longest + 12

    def _colors(self, item: ResourceMemory) -> tuple[Color, Color]:
        """Fill and outline: a hue for each owner, in shades so that neighbours differ."""
        hue = _HUES[self._owners.index(item.owner) % len(_HUES)]
        mates = [other.id for other in self._report.resources if other.owner == item.owner]
        shade = (0.0, 0.28, 0.14)[mates.index(item.id) % 3]
        return _mixed(_PAPER, hue, 1.0 - shade), _darker(hue)

    # -- below the heaps

    def _legend(self) -> None:
        self._top += 6
        entries: list[tuple[str, Color, Hatch, bool]] = [
            (owner or "skeleton and engine", _HUES[number % len(_HUES)], Hatch.NONE, False)
            for number, owner in enumerate(self._owners)
        ]
        plain = _HALVES[1]
        if any(item.has_history for item in self._report.resources):
            entries.append(("has a history, which the next frame reads", plain, Hatch.RISING, False))
        if any(item.kept for item in self._report.resources):
            entries.append(("kept while its makers rest", plain, Hatch.FALLING, False))
        if any(heap.period < copy.live_range[1] for heap in self._report.heaps for item, _, copy in heap.copies()):
            entries.append(("torn edge: goes on at the other side, time is a circle", _HUES[0], Hatch.NONE, True))
        x = _LEFT
        for text, fill, hatch, torn in entries:
            wide = 34 + width_of(text, 14) + 28
            if x > _LEFT and x + wide > WIDTH - _MARGIN:
                x, self._top = _LEFT, self._top + 26
            box = Box(x, self._top, x + 26, self._top + 18)
            torn_box(self._image, box, fill, _darker(fill), hatch, open_left=False, open_right=torn)
            self._pen.text((x + 34, self._top), text, font=font(14), fill=INK)
            x += wide
        self._top += 32

    def _notes(self) -> None:
        notes = [f"{item.id} {in_words(item.size)}" for item in dict.fromkeys(self._unnamed)]
        if notes:
            notes[0] = f"Too small for their names: {notes[0]}"
        for line in (
            "Upwards: offset in the heap. To the right: time, one column a node. Empty: free at that time.",
            *wrapped(notes, 13, WIDTH - _LEFT - _MARGIN),
        ):
            self._pen.text((_LEFT, self._top), line, font=font(13), fill=FAINT)
            self._top += line_height(13) + 2

    def _comparison(self) -> None:
        """Draws a bar for the plan and for each baseline."""
        self._top += 14
        self._line("the same resources, laid out by others", 16, INK)
        rows = [("this plan", self._report.size)]
        rows += [
            (f"{name.replace('_', ' ')} ({BASELINES[name].origin})", size)
            for name, size in self._report.baselines.items()
        ]
        names = max(width_of(name, 14) for name, _ in rows)
        left, room = _LEFT + names + 14, WIDTH - _LEFT - names - 14 - 190
        for number, (name, size) in enumerate(rows):
            self._pen.text((left - 14 - width_of(name, 14), self._top), name, font=font(14), fill=INK)
            right = left + room * size / max(size for _, size in rows)
            fill = _HUES[0] if number == 0 else LINE
            self._pen.rectangle((left, self._top, right, self._top + 17), fill=fill, outline=_darker(fill))
            text = f"{in_words(size)}   {size / self._report.size:.2f}"
            self._pen.text((right + 8, self._top), text, font=font(14), fill=INK)
            self._top += 25


def _pieces(area: _Area, size: int, offset: int, live_range: tuple[int, int]) -> Iterator[_Piece]:
    """The boxes of a live range, two if it wraps."""
    start = live_range[0] % area.period
    end = start + arc_length(*live_range, area.period)
    top, bottom = area.y(offset + size), area.y(offset)
    full = end - start == area.period
    if full:
        yield _Piece(Box(area.x(0), top, area.x(area.period), bottom), open_left=True, open_right=True)
    elif end <= area.period:
        yield _Piece(Box(area.x(start), top, area.x(end), bottom))
    else:
        yield _Piece(Box(area.x(start), top, area.x(area.period), bottom), open_right=True)
        yield _Piece(Box(area.x(0), top, area.x(end - area.period), bottom), open_left=True)


def _hatch(item: ResourceMemory) -> Hatch:
    if item.has_history:
        return Hatch.RISING
    return Hatch.FALLING if item.kept else Hatch.NONE


def _beside(area: _Area, box: Box) -> Box:
    """The wider part of a box on one side of the middle, so that the line there crosses no name."""
    middle = area.x(area.period / 2)
    if box.right <= middle or box.left >= middle:
        return box
    return box._replace(right=middle) if middle - box.left > box.right - middle else box._replace(left=middle)


def _texts(item: ResourceMemory) -> Sequence[Sequence[str]]:
    """The texts for a resource's box, the longest first."""
    size = in_words(item.size)
    last = item.id.rsplit("/", 1)[-1]
    return (item.id, size), (f"{item.id} {size}",), (item.id,), (last, size), (last,)


def _mixed(one: Color, other: Color, share: float) -> Color:
    """Interpolates linearly between two colours; ``share`` is the weight of the second."""
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(one, other, strict=True))
    return red, green, blue


def _darker(color: Color) -> Color:
    """The outline colour: the same hue, darker."""
    hue, light, saturation = colorsys.rgb_to_hls(*(part / 255 for part in color))
    red, green, blue = colorsys.hls_to_rgb(hue, light * 0.52, saturation * 0.8)
    return round(red * 255), round(green * 255), round(blue * 255)
