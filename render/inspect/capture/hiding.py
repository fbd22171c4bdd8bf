"""Keeps what a capture tells about the machine that made it out of the document: folders and the user's name."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from renderwright.render import errors

_ABSOLUTE = re.compile(r"(?<![\w.~:/\\])(?:[A-Za-z]:)?[/\\](?:[\w.+ @-]+[/\\])+(?=[\w.+@-]+\.\w+)")
"""The folders of an absolute path to a file with a suffix."""


class Hiding:
    """Makes paths in texts relative: to the package, to folders of modules, to the current folder.

    Of ``files``, and of other absolute paths to files, the names stay. The home folder becomes ``~``.
    """

    def __init__(
        self, roots: Iterable[Path] | None = None, home: Path | None = None, files: Iterable[Path] = ()
    ) -> None:
        found = {str(root) for root in (_known_roots() if roots is None else roots)} - {"/", "."}
        self._roots = [f"{root.rstrip('/')}/" for root in sorted(found, key=len, reverse=True)]
        self._files = {str(path): file.name for file in files for path in (file.absolute(), file)}
        self._home = str(home or Path.home())
        self._known: dict[str, str] = {}

    def text(self, text: str) -> str:
        """A text without folders of this machine."""
        found = self._known.get(text)
        if found is None:
            found = self._known[text] = self._hidden(text)
        return found

    def document(self, value: Any) -> Any:
        """A JSON value with all its texts, also those of keys."""
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, dict):
            return {self.text(key): self.document(one) for key, one in value.items()}
        return [self.document(one) for one in value] if isinstance(value, list | tuple) else value

    def _hidden(self, text: str) -> str:
        if "/" not in text and "\\" not in text:
            return text
        for path, name in self._files.items():
            text = text.replace(path, name)
        for root in self._roots:
            text = text.replace(root, "")
        text = _ABSOLUTE.sub("", text)
        return text.replace(self._home, "~") if len(self._home) > 1 else text


def _known_roots() -> set[Path]:
    """The folders whose contents are named relative to them."""
    package = Path(errors.__file__).parents[1]
    roots = {package, Path(errors.__file__).resolve().parents[1], Path.cwd()}
    roots |= {Path(entry) for entry in sys.path if entry and Path(entry).is_absolute()}
    return roots | {root.resolve() for root in roots}
