"""The choice of a level. No rendering, no input devices."""

from __future__ import annotations


class LevelMenu:
    """A list of levels with a cursor. While it is open, the game stands still."""

    def __init__(self, levels: int) -> None:
        self._levels = levels
        self.open = False
        self.cursor = 0

    def toggle(self, current: int) -> None:
        """Open it at the current level, or close it."""
        self.open = not self.open
        self.cursor = current

    def move(self, by: int) -> None:
        """Move the cursor; below the last level is the first."""
        self.cursor = (self.cursor + by) % self._levels
