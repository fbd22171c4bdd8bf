"""Suggestions of similar names for error messages."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

_MOST_NAMES = 20
"""The most known names that a message lists."""


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """``did you mean "x"?`` for the nearest known word, or some of the known words if none is near."""
    names = sorted(known)
    near = difflib.get_close_matches(word, names, n=1, cutoff=0.6)
    if near:
        return f'did you mean "{near[0]}"?'
    if not names:
        return "there are none"
    more = f" and {len(names) - _MOST_NAMES} more" if len(names) > _MOST_NAMES else ""
    return f"known: {', '.join(names[:_MOST_NAMES])}{more}"
