"""Notices of contents of a model file that are not shown as it says: one line a kind, which names the elements."""

from __future__ import annotations

import logging
from pathlib import Path

_log = logging.getLogger("renderwright.assets")

#: Elements that a line names; further ones are counted.
_NAMED = 3


class ModelNotices:
    """Collects the notices of one file. Equal messages about several elements become one line."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._elements: dict[str, dict[str, None]] = {}

    def add(self, element: str, message: str) -> None:
        """Note that ``element`` is not shown as the file says."""
        self._elements.setdefault(message, {})[element] = None

    def lines(self) -> tuple[str, ...]:
        """The notices: elements, then the message."""
        return tuple(f"{_listed(list(elements))}: {message}" for message, elements in self._elements.items())

    def log(self) -> None:
        """Log each line as a warning with the file."""
        for line in self.lines():
            _log.warning("%s: %s", self._path, line)


def _listed(elements: list[str]) -> str:
    named = ", ".join(elements[:_NAMED])
    others = len(elements) - _NAMED
    if others <= 0:
        return named
    return f"{named} and {others} other{'s' if others > 1 else ''}"
