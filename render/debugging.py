"""Whether tracebacks and debug messages are shown, and the words that say how to get them."""

from __future__ import annotations

import os

_VARIABLE = "RENDERWRIGHT_DEBUG"


def debugging() -> bool:
    """Whether the environment asks for tracebacks and debug messages."""
    return os.environ.get(_VARIABLE, "0") not in ("", "0")


def debug_advice(shows: str = "shows the whole traceback") -> str:
    """How to see more, which a message ends with; '' for those who do already."""
    return "" if debugging() else f"{_VARIABLE}=1 {shows}"
