"""Files that a game keeps for its user between runs, such as best times."""

from __future__ import annotations

import errno
import hashlib
import logging
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from renderwright.engine.caller import caller_location
from renderwright.engine.notices import Notice, Notices
from renderwright.render.errors import RenderwrightError, SourceLocation, UsageError
from renderwright.render.files import read_text, replacing

T = TypeVar("T")

FOLDER_VARIABLE = "RENDERWRIGHT_DATA_DIR"
MAX_BYTES = 1 << 22
_NAME = re.compile(r"[A-Za-z0-9_-]{1,80}\.[a-z]{1,8}")
_log = logging.getLogger("renderwright.user_files")


def user_files_folder() -> Path:
    """``$RENDERWRIGHT_DATA_DIR``, else ``renderwright`` in the user's data folder."""
    chosen = os.environ.get(FOLDER_VARIABLE)
    if chosen:
        return Path(chosen)
    from platformdirs import user_data_path

    return user_data_path("renderwright", appauthor=False)


def folder_name(identity: str) -> str:
    """The name of a game's folder, from its ``game_identity``. Two games never share one."""
    if re.fullmatch(r"[A-Za-z0-9_-]{1,80}", identity):
        return identity
    last = re.split(r"[\\/]", identity)[-1]
    return f"{re.sub('[^A-Za-z0-9_.-]', '_', last)[-80:]}-{hashlib.sha256(identity.encode()).hexdigest()[:8]}"


class UserFiles:
    """The text files of one game in a ``folder``, which is made when the first one is written.

    Without a folder nothing is read or written: so it is headless, with an input script and in tests, where a run must
    not depend on earlier ones. A file that cannot be read is told, and left alone from then on. With ``strict`` that
    raises ``UsageError``.
    """

    def __init__(self, folder: Path | None = None, *, strict: bool = False) -> None:
        self.folder = folder
        self._notices = Notices(_log, strict=strict)
        self._left_alone: set[str] = set()

    def load(self, name: str, parse: Callable[[str, str], T]) -> T | None:
        """``parse(text, path)`` of a file; None if there is none, or if it is damaged.

        A file is damaged if it is not UTF-8 text of at most 4 MiB, or if ``parse`` raises a ``RenderwrightError``.
        """
        path = self._path(name)
        if path is None or name in self._left_alone:
            return None
        where = SourceLocation(str(path))
        try:
            return parse(read_text(path, MAX_BYTES), str(path))
        except (FileNotFoundError, NotADirectoryError):
            return None
        except RenderwrightError as error:
            reason, where = error.message, error.where or where
        except UnicodeDecodeError as error:
            reason = str(error)
        except OSError as error:
            reason = error.strerror or str(error)
        self._left_alone.add(name)
        self._notices.give(
            Notice(
                ("damaged", name),
                f'"{name}" is left as it is, and nothing is kept in it: {reason}',
                "correct the file, or remove it to begin anew",
                where,
            )
        )
        return None

    def save(self, name: str, text: str) -> bool:
        """Write a file beside its name, then rename it; whether it was written. A failure is told."""
        path, data = self._path(name), text.encode()
        if path is None or name in self._left_alone:
            return False
        try:
            if len(data) > MAX_BYTES:
                raise OSError(errno.EFBIG, f"its text is longer than {MAX_BYTES >> 20} MiB")
            path.parent.mkdir(parents=True, exist_ok=True)
            with replacing(path) as file:
                file.write(data)
        except OSError as error:
            self._notices.give(
                Notice(
                    ("unwritten", name),
                    f'"{name}" cannot be written: {error.strerror or error}',
                    f"{FOLDER_VARIABLE} chooses another folder",
                    SourceLocation(str(path)),
                )
            )
            return False
        return True

    def tell(self, name: str, message: str, hint: str) -> None:
        """Tell, once, what is wrong with the content of a file. With ``strict`` that raises ``UsageError``."""
        path = self._path(name)
        where = SourceLocation(str(path)) if path is not None else None
        self._notices.give(Notice((name, message), message, hint, where))

    def _path(self, name: str) -> Path | None:
        if not _NAME.fullmatch(name):
            raise UsageError(
                f'a user\'s file cannot be named "{name}"',
                hint='give a name such as "best_times.yaml": letters, digits, _ and -, and an ending; no folders',
                where=caller_location(),
            )
        return None if self.folder is None else self.folder / name
