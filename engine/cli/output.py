"""What happens when the output of a command cannot be written: a full disk, or a reader that has ended.

Standard output is the result of a command, so its failure is one of the command. Standard error has messages only: a
game goes on without them.
"""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable
from contextlib import nullcontext, redirect_stderr, suppress
from typing import IO, Any, cast

EXIT_NO_OUTPUT = 2
EXIT_NO_READER = 141
"""The code of programs that SIGPIPE ends (128 + 13), such as those in front of ``head``."""

_WRITE_ERRORS = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EPIPE})


def with_output(run: Callable[[], int]) -> int:
    """Run a command and return its exit code, or one for the failure of its output.

    Commands handle the errors of the files that they open, so an error of a write that arrives here is the output's.
    """
    with redirect_stderr(cast(IO[str], _Forgiving(sys.stderr))) if sys.stderr is not None else nullcontext():
        return _run(run)


def _run(run: Callable[[], int]) -> int:
    streams = sys.stdout, sys.stderr
    try:
        code = run()
        if sys.stdout is not None:
            sys.stdout.flush()
        return code
    except SystemExit:
        # If the output has no reader any more, click puts other streams in place and leaves this way.
        if (sys.stdout, sys.stderr) == streams:
            raise
        sys.stdout, sys.stderr = streams
        _stop_writing(sys.stdout)
        return EXIT_NO_READER
    except OSError as error:
        if error.filename is not None or error.errno not in _WRITE_ERRORS:
            raise
        _stop_writing(sys.stdout)
        if error.errno == errno.EPIPE:
            return EXIT_NO_READER
        print(f"error: the output cannot be written: {error.strerror}", file=sys.stderr)
        print("  send it to a place with room", file=sys.stderr)
        return EXIT_NO_OUTPUT


class _Forgiving:
    """A text stream that drops what cannot be written."""

    def __init__(self, stream: IO[str]) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        try:
            return self._stream.write(text)
        except OSError:
            _stop_writing(self._stream)
            return len(text)

    def flush(self) -> None:
        try:
            self._stream.flush()
        except OSError:
            _stop_writing(self._stream)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


def _stop_writing(stream: IO[str]) -> None:
    """Drop what is left. Python would try to write it once more when it ends."""
    with suppress(OSError, ValueError), open(os.devnull, "wb") as nowhere:
        os.dup2(nowhere.fileno(), stream.fileno())
