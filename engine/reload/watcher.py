"""Watches folders for files that change."""

from __future__ import annotations

import queue
import threading
from collections.abc import Iterable
from pathlib import Path
from typing import Protocol

from renderwright.render.errors import UsageError

EXTRA = "reload"
"""The extra of the project's package that brings what watches files."""

DEBOUNCE_MS = 50
STEP_MS = 10
"""Changes within ``DEBOUNCE_MS`` come together, and at once when nothing has changed for ``STEP_MS``: an editor saves
by several steps."""
WAKE_MS = 100
"""How long it takes at most to end, in milliseconds."""


class Watcher(Protocol):
    """Tells which files have changed."""

    def watch(self, folders: Iterable[Path]) -> None:
        """Watch the files that lie directly in these folders, and no others any more."""

    def take(self) -> frozenset[Path]:
        """The files that have changed, come or gone since the last call."""

    def close(self) -> None:
        """End."""


class FileWatcher:
    """Watches the disk with watchfiles, on a thread. Raises ``UsageError`` if that is not installed.

    ``changed`` is set while there is something to take.
    """

    def __init__(self) -> None:
        require_watchfiles()
        self.changed = threading.Event()
        self._folders: frozenset[Path] = frozenset()
        self._found: queue.SimpleQueue[Path] = queue.SimpleQueue()
        self._stop = threading.Event()
        self._threads: list[threading.Thread] = []

    def watch(self, folders: Iterable[Path]) -> None:
        """Watch the files that lie directly in these folders; those that do not exist are left out."""
        wanted = frozenset(folder for folder in folders if folder.is_dir())
        if wanted == self._folders:
            return
        before = self._stop
        self._folders, self._stop = wanted, threading.Event()
        if wanted:
            arguments = (sorted(wanted), self._stop)
            thread = threading.Thread(target=self._run, args=arguments, name="renderwright reload", daemon=True)
            thread.start()
            self._threads = [*(one for one in self._threads if one.is_alive()), thread]
        before.set()  # that thread ends by itself: no frame waits for it

    def take(self) -> frozenset[Path]:
        """The files that have changed, come or gone since the last call."""
        self.changed.clear()
        found = set()
        while True:
            try:
                found.add(self._found.get_nowait())
            except queue.Empty:
                return frozenset(found)

    def close(self) -> None:
        """End the threads."""
        self._stop.set()
        for thread in self._threads:
            thread.join()
        self._threads, self._folders = [], frozenset()

    def _run(self, folders: list[Path], stop: threading.Event) -> None:
        from watchfiles import watch

        changes = watch(
            *folders,
            debounce=DEBOUNCE_MS,
            step=STEP_MS,
            rust_timeout=WAKE_MS,
            stop_event=stop,
            recursive=False,
            raise_interrupt=False,
        )
        for found in changes:
            for _, path in found:
                self._found.put(Path(path).resolve())
            self.changed.set()


def require_watchfiles() -> None:
    """Raise ``UsageError`` if watchfiles is not installed."""
    try:
        import watchfiles  # noqa: F401
    except ImportError as error:
        raise UsageError(
            f"--reload needs the package watchfiles, which cannot be imported: {error}",
            hint=f'install it with the extra "{EXTRA}": pip install "renderwright[{EXTRA}]"',
        ) from error
