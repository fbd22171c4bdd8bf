"""What is shown of edits: lines on the terminal, and over the picture what is wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

MOST_FILES = 3
"""The most files that a line names."""


class Board:
    """Messages about files that are not in use, by owner. ``say`` writes a line, ``show`` a text over the picture."""

    def __init__(self, say: Callable[[str], None], show: Callable[[str], None]) -> None:
        self._say = say
        self._show = show
        self._messages: dict[str, str] = {}

    @property
    def messages(self) -> Mapping[str, str]:
        """The messages that are shown."""
        return self._messages

    def wrong(self, owner: str, message: str) -> None:
        """Show what is wrong with the files of ``owner``."""
        if self._messages.get(owner) != message:
            self._say(f"reload: {owner}: {message}")
        self._messages[owner] = message
        self._update()

    def right(self, owner: str, words: str = "") -> None:
        """Show nothing about ``owner`` any more; ``words`` say what happened."""
        self._messages.pop(owner, None)
        if words:
            self._say(f"reload: {owner}: {words}")
        self._update()

    def tell(self, owner: str, words: str) -> None:
        """Say something about ``owner``."""
        self._say(f"reload: {owner}: {words}")

    def _update(self) -> None:
        self._show("\n".join(f"{owner}: {message}" for owner, message in self._messages.items()))


def named(paths: Iterable[Path]) -> str:
    """The names of some files."""
    names = sorted(path.name for path in paths)
    if len(names) > MOST_FILES:
        return f"{', '.join(names[:MOST_FILES])} and {len(names) - MOST_FILES} more"
    return ", ".join(names)
