"""How long a thread may run Python while another one waits for it.

A call of the graphics API lets go of the interpreter, and gets it back from a thread that computes only at the end of
that thread's turn. Work beside the frames pauses while a frame is made, but a step of it that has begun goes on: with
turns of 5 ms, CPython's, a frame that made twenty calls beside a long step took 100 ms.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

SECONDS = 0.0001
"""Of a turn: twenty calls then wait for 2 ms, and for what it takes to wake a thread."""


@contextmanager
def brief_turns() -> Iterator[None]:
    """Let threads take turns of ``SECONDS``; afterwards they are as long as before."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(SECONDS)
    try:
        yield
    finally:
        sys.setswitchinterval(before)
