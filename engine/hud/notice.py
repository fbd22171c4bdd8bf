"""A text over a player's picture that is not the game's: on a dark panel, with lines that fit the width."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from renderwright.engine.hud.layout import Color, Hud

SIZE = 15
"""Em height, in HUD units."""
MARGIN = 12
"""Distance of the panel from the edge of the picture, and of the text from the edge of the panel, in HUD units."""
LEAST_ROOM = 10 * SIZE
"""Width of the text below which nothing is drawn, in HUD units."""
INDENT = "    "
"""Begin of a line that continues another."""
PANEL: Color = (0.08, 0.02, 0.02, 0.96)
TEXT: Color = (1.0, 0.82, 0.72, 1.0)


class Notice:
    """The text of ``show``, drawn with ``hud``, whose calls are the notice's alone."""

    def __init__(self, hud: Hud) -> None:
        self._hud = hud
        self._text = ""
        self._generation = hud.page.generation
        self._below: NDArray[np.float32] | None = None
        self._both = hud.vertices()

    @property
    def text(self) -> str:
        """The text, '' for none."""
        return self._text

    def show(self, text: str) -> None:
        """Show another text; '' shows none."""
        if text != self._text:
            self._text = text
            self._draw()

    def resize(self, width: int, height: int) -> None:
        """Fit the text to a picture of that extent in pixels."""
        self._hud.resize(width, height)
        self._draw()

    def over(self, below: NDArray[np.float32]) -> NDArray[np.float32]:
        """The triangles of the player's HUD with those of the notice over them: without a text the same array, with
        one another array as soon as either changes."""
        if not self._text:
            return below
        if self._generation != self._hud.page.generation:  # glyphs beyond the atlas have lost their places
            self._draw()
        if self._below is not below:
            self._below, self._both = below, np.concatenate([below, self._hud.vertices()])
        return self._both

    def _draw(self) -> None:
        self._generation, self._below = self._hud.page.generation, None
        self._hud.clear()
        if not self._text:
            return
        room = self._hud.width - 4 * MARGIN
        if room < LEAST_ROOM:
            return
        fitting = "\n".join(_fitting(self._hud, self._text, room))
        height = self._hud.measure(fitting, SIZE)[1]
        self._hud.rect(MARGIN, MARGIN, self._hud.width - 2 * MARGIN, height + 2 * MARGIN, PANEL)
        self._hud.text(2 * MARGIN, 2 * MARGIN, fitting, SIZE, TEXT)


def _fitting(hud: Hud, text: str, room: float) -> list[str]:
    """The lines of a text, those that are too long for the ``room`` in parts, as many as fit the picture."""
    most = max(1, int((hud.height - 4 * MARGIN) / hud.line_height(SIZE)))
    lines: list[str] = []
    for line in text.split("\n"):
        rest = line
        while len(lines) <= most and hud.measure(rest, SIZE)[0] > room:
            end = _end(hud, rest, room)
            lines.append(rest[:end].rstrip())
            rest = INDENT + rest[end:].lstrip()
        lines.append(rest)
    return lines if len(lines) <= most else [*lines[: most - 1], "..."]


def _end(hud: Hud, line: str, room: float) -> int:
    """Where to break a line that is too long: behind a space or a slash, or at the last letter that fits."""
    low, high = 1, len(line)
    while low < high:
        middle = (low + high + 1) // 2
        if hud.measure(line[:middle], SIZE)[0] <= room:
            low = middle
        else:
            high = middle - 1
    indent = len(line) - len(line.lstrip())
    found = max(line.rfind(" ", indent, low), line.rfind("/", indent, low)) + 1
    return found if found > max(indent, low // 2) else max(low, indent + 1)
