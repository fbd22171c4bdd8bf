"""``play --renderdoc``: has RenderDoc capture a frame, where its library has been loaded into the process.

By RenderDoc's in-application API (renderdoc_app.h, 1.6): a table of functions, of which three are used here.
"""

from __future__ import annotations

import ctypes
import os
import sys
from typing import Any

from renderwright.engine.messages import say
from renderwright.engine.session import Session
from renderwright.render.backend.target import Target
from renderwright.render.errors import UsageError
from renderwright.render.runtime.frame_report import FrameReport

VERSION = 10600
"""1.6.0, as ``RENDERDOC_GetAPI`` takes it."""

_COUNT, _START, _END = 13, 19, 21
"""The places in the table of the number of captures, and of the begin and the end of a capture."""


class RenderDoc:
    """The functions of RenderDoc's table at an ``address``."""

    def __init__(self, address: int) -> None:
        table = ctypes.cast(address, ctypes.POINTER(ctypes.c_void_p))
        anything = (ctypes.c_void_p, ctypes.c_void_p)
        self._count = ctypes.CFUNCTYPE(ctypes.c_uint32)(table[_COUNT] or 0)
        self._start = ctypes.CFUNCTYPE(None, *anything)(table[_START] or 0)
        self._end = ctypes.CFUNCTYPE(ctypes.c_uint32, *anything)(table[_END] or 0)

    def start(self) -> None:
        """Begin a capture of all that the process does, with or without a window."""
        self._start(None, None)

    def end(self) -> bool:
        """End it; returns whether it was saved."""
        return bool(self._end(None, None))

    @property
    def count(self) -> int:
        """How many captures there are."""
        return int(self._count())


def loaded_renderdoc() -> RenderDoc | None:
    """RenderDoc, if its library is in the process; nothing is loaded here."""
    library = _loaded_library()
    if library is None:
        return None
    address = ctypes.c_void_p()
    if library.RENDERDOC_GetAPI(VERSION, ctypes.byref(address)) != 1 or not address.value:
        return None
    return RenderDoc(address.value)


def _loaded_library() -> Any:
    try:
        if sys.platform == "win32":
            handle = ctypes.windll.kernel32.GetModuleHandleW("renderdoc.dll")
            return ctypes.CDLL("renderdoc.dll", handle=handle) if handle else None
        return ctypes.CDLL("librenderdoc.so", mode=os.RTLD_NOLOAD | os.RTLD_NOW)
    except (OSError, AttributeError):
        return None


class RenderDocCapture:
    """A ``FrameWatcher`` that has one frame captured. Raises ``UsageError`` where RenderDoc is not in the process."""

    def __init__(self, frame: int) -> None:
        found = loaded_renderdoc()
        if found is None:
            raise UsageError(
                "--renderdoc needs RenderDoc in the process, and it is not there",
                hint="launch the game from RenderDoc, or by `renderdoccmd capture renderwright play ...`",
            )
        self._renderdoc = found
        self._frame = frame
        self._open = False
        self._done = False

    def begin(self, session: Session, target: Target) -> None:
        """Begin the capture if the first frame is the one."""
        self._start(session.runtime.frame)

    def see(self, session: Session, report: FrameReport) -> None:
        """End the capture behind its frame, and begin it before."""
        if self._open:
            session.backend.wait_idle()
            self._open, self._done = False, True
            saved = self._renderdoc.end()
            words = f"is RenderDoc's capture {self._renderdoc.count}" if saved else "could not be captured by RenderDoc"
            say(f"Frame {report.frame} {words}.")
        self._start(report.frame + 1)

    def _start(self, frame: int) -> None:
        if frame >= self._frame and not self._done:
            self._renderdoc.start()
            self._open = True

    def finish(self, session: Session) -> None:
        """Tell if there was nothing to capture. Raises ``UsageError``."""
        if not self._done:
            raise UsageError(
                f"frame {self._frame} was not captured: the game ended after {session.runtime.frame} frames",
                hint="frames count from 0; give an earlier one to --renderdoc",
            )
