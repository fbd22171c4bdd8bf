"""Suggestions of similar names for error messages."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence

_MOST_NAMES = 20
"""The most known names that a message lists."""

_MOST_NEAR = 4
"""The most names that a message offers for a part of them."""

_SHORTEST_BEGINNING = 3
"""The fewest letters that two words begin with to be near."""


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """``did you mean "x"?`` for the nearest known words, or some of the known words if none is near."""
    names = sorted(known)
    near = _near(word, names)
    if near:
        return f"did you mean {_alternatives(near)}?"
    if not names:
        return "there are none"
    more = f" and {len(names) - _MOST_NAMES} more" if len(names) > _MOST_NAMES else ""
    return f"known: {', '.join(names[:_MOST_NAMES])}{more}"


def nearest(word: str, known: Iterable[str]) -> str:
    """The nearest known word, '' if none is near."""
    return next(iter(_near(word, sorted(known))), "")


def one_of(word: object, known: Sequence[str]) -> str:
    """The known words in their order, behind the nearest one if one is near."""
    near = _near(word, known) if isinstance(word, str) else ()
    return (f"did you mean {_alternatives(near)}? " if near else "") + f"known: {', '.join(known)}"


def _near(word: str, known: Sequence[str]) -> Sequence[str]:
    """The known names that have the word between their slashes, else the one that is most alike, if one is, else those
    of which a part is."""
    alike = difflib.get_close_matches(word, known, n=1, cutoff=0.6)
    parts = sorted({part for name in known if "/" in name for part in name.split("/")})
    near_parts = [word] if word in parts else [] if alike else difflib.get_close_matches(word, parts, n=1, cutoff=0.6)
    if near_parts:
        return [name for name in known if near_parts[0] in name.split("/")][:_MOST_NEAR]
    return alike or [name for name in known if _begin_alike(word, name)][:1]


def _begin_alike(word: str, name: str) -> bool:
    shared = min(len(word), len(name))
    return shared >= _SHORTEST_BEGINNING and word[:shared] == name[:shared]


def _alternatives(names: Sequence[str]) -> str:
    quoted = [f'"{name}"' for name in names]
    return quoted[0] if len(quoted) == 1 else f"{', '.join(quoted[:-1])} or {quoted[-1]}"
