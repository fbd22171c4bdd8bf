"""How far the device is, which tells a slow frame from a hang."""

from __future__ import annotations

from collections.abc import Callable

WAIT_NANOSECONDS = 10_000_000_000
"""The default time limit: a device that makes no progress for so long counts as hung."""

SOFTWARE_WAIT_NANOSECONDS = 60_000_000_000
"""The same for software drivers, which share the processor with all else that runs."""

SLOWER = 4
"""A frame may take this many times as long as the last one that was measured."""

LONGEST = 10
"""No measured frame makes a wait longer than so many times the least limit."""

Source = Callable[[], int]
"""A number that grows while the device works."""


class Progress:
    """What grows while the device works: timelines, and the timestamps that frames have passed.

    ``limit`` is how long, in nanoseconds, nothing may grow before the device is taken to hang.
    """

    def __init__(self) -> None:
        self.limit = WAIT_NANOSECONDS
        self._sources: list[Source] = []
        self._frame = 0

    def watch(self, source: Source) -> None:
        """Count this as progress, too."""
        self._sources.append(source)

    def ignore(self, source: Source) -> None:
        """It is gone."""
        self._sources.remove(source)

    def measured(self, nanoseconds: int) -> None:
        """The last frame has taken so long on the device."""
        self._frame = nanoseconds

    @property
    def patience(self) -> int:
        """Nanoseconds without progress: the limit, or more where frames are known to be slow."""
        return min(max(self.limit, SLOWER * self._frame), LONGEST * self.limit)

    def state(self) -> tuple[int, ...]:
        """Differs from an earlier one if there was progress in between."""
        return tuple(source() for source in self._sources)
