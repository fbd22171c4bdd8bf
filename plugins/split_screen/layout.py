"""Layout of several players' views on the output."""

from __future__ import annotations

from renderwright.engine.views import Rectangle
from renderwright.plugins.split_screen.settings import Layout
from renderwright.render import Extent

MOST_PLAYERS = 4


def rectangles(layout: Layout, players: int, output: Extent, gap: int) -> tuple[Rectangle, ...]:
    """A rectangle for each player, all of the same size, ``gap`` texels apart, in reading order.

    Remaining texels stay at the edges. On an output that is too small, rectangles overlap.
    """
    columns, rows = _columns_rows(layout, players, output)
    width, left = _share(output[0], columns, gap)
    height, top = _share(output[1], rows, gap)
    places = []
    for player in range(players):
        row, column = divmod(player, columns)
        in_row = min(columns, players - row * columns)
        start = left if in_row == columns else _margin(output[0], in_row, width, gap)
        x, y = start + column * (width + gap), top + row * (height + gap)
        places.append(Rectangle(_within(x, width, output[0]), _within(y, height, output[1]), width, height))
    return tuple(places)


def _columns_rows(layout: Layout, players: int, output: Extent) -> tuple[int, int]:
    if layout is Layout.AUTO:
        wide = output[0] >= output[1]
        layout = Layout.GRID if players > 2 else Layout.SIDE_BY_SIDE if wide else Layout.STACKED
    match layout:
        case Layout.SIDE_BY_SIDE:
            return players, 1
        case Layout.STACKED:
            return 1, players
        case _:
            return min(players, 2), -(-players // 2)


def _share(length: int, parts: int, gap: int) -> tuple[int, int]:
    """The length of each part and the start of the first."""
    part = max(1, (length - gap * (parts - 1)) // parts)
    return part, _margin(length, parts, part, gap)


def _margin(length: int, parts: int, part: int, gap: int) -> int:
    return (length - parts * part - gap * (parts - 1)) // 2


def _within(start: int, part: int, length: int) -> int:
    return max(0, min(start, length - part))
