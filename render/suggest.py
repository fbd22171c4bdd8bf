"""Suggestions of similar names for error messages."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence
from functools import lru_cache

_MOST_NAMES = 20
"""The most known names that a message lists."""

_MOST_NEAR = 4
"""The most names that a message offers for a part of them."""

_ALIKE = 0.6
"""The least ratio of difflib of two words that are near."""

_REMEMBERED = 1 << 13
"""The most pairs of words whose likeness is remembered: each compile looks for the same names of absent nodes."""

_SHORTEST_OF_SLIPS = 5
"""The fewest letters of a word that a slip drops one of."""

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


def meant_attribute(error: AttributeError) -> str:
    """``did you mean "x"?`` for an attribute that does not exist, '' if none is near."""
    if not isinstance(error.name, str) or error.obj is None:
        return ""
    near = nearest(error.name, [name for name in _names_of(error.obj) if not name.startswith("_")])
    return f'did you mean "{near}"?' if near else ""


def _names_of(owner: object) -> list[str]:
    """The attributes of an object; those of its type if it does not tell its own."""
    try:
        names = dir(owner)
    except Exception:  # a ``__dir__`` may raise anything
        names = dir(type(owner))
    return [name for name in names if isinstance(name, str)]


def near_words(word: str, known: Sequence[str], *, cutoff: float = _ALIKE) -> list[str]:
    """The known word that is most alike, in a list, or an empty list; ``cutoff`` is the least ratio of difflib.

    A word with two neighbouring letters swapped comes first: ratios say little about short words.
    """
    swapped = next((name for name in known if len(name) == len(word) and _is_swap(word, name)), None)
    if swapped is not None:
        return [swapped]
    likenesses = [(_likeness(name, word, cutoff), name) for name in known]
    best, name = max(likenesses, default=(0.0, ""))
    return [name] if best >= cutoff else []


@lru_cache(maxsize=_REMEMBERED)
def _likeness(name: str, word: str, cutoff: float) -> float:
    """The ratio of difflib, or a number below ``cutoff`` if that is less: upper bounds of it are found sooner."""
    matcher = difflib.SequenceMatcher(None, name, word)
    for bound in (matcher.real_quick_ratio, matcher.quick_ratio):
        if (most := bound()) < cutoff:
            return most
    return matcher.ratio()


def _is_swap(word: str, name: str) -> bool:
    others = [place for place, (given, known) in enumerate(zip(word, name, strict=True)) if given != known]
    if len(others) != 2 or others[1] != others[0] + 1:
        return False
    first, second = others
    return word[first] == name[second] and word[second] == name[first]


def slipped(word: str, known: Iterable[str]) -> str:
    """The known word that has one letter less or more than the word, '' if none has.

    Words that differ in their first or last letter may be others, such as plurals; so may short ones.
    """
    return next((name for name in known if _is_slip(*sorted((word, name), key=len))), "")


def _is_slip(short: str, long: str) -> bool:
    """Whether the longer word is the shorter one with one more letter inside."""
    if len(long) != len(short) + 1 or len(long) < _SHORTEST_OF_SLIPS or (short[0], short[-1]) != (long[0], long[-1]):
        return False
    place = next(number for number, letter in enumerate(long) if number == len(short) or letter != short[number])
    return long[place + 1 :] == short[place:]


def one_letter_apart(word: str, known: Iterable[str]) -> str:
    """The known word that has one letter less, more or another one, anywhere; '' if none has.

    A single letter between underscores is a word of its own, such as that of ``mask_a`` and ``mask_b``.
    """
    return next((name for name in known if _differ_by_letter(*sorted((word, name), key=len))), "")


def _differ_by_letter(short: str, long: str) -> bool:
    if len(long) > len(short) + 1 or len(long) < _SHORTEST_OF_SLIPS or short == long:
        return False
    place = next((number for number, letter in enumerate(short) if letter != long[number]), len(short))
    if long[place + 1 :] != short[place + (len(short) == len(long)) :]:
        return False
    before, behind = long[:place], long[place + 1 :]
    return not ((not before or before[-1] in "_/") and (not behind or behind[0] in "_/"))


def nearest_file(name: str, files: Iterable[str]) -> str:
    """The file whose name without its ending is nearest, '' if none is near. Endings alone make no files alike."""
    known = sorted(files)
    near = nearest(_stem(name), {_stem(file) for file in known})
    fitting = [file for file in known if _stem(file) == near]
    return max(fitting, key=lambda file: difflib.SequenceMatcher(None, file, name).ratio(), default="")


def _stem(file: str) -> str:
    return file.rpartition(".")[0] or file


def one_of(word: object, known: Sequence[str]) -> str:
    """The known words in their order, behind the nearest one if one is near."""
    near = _near(word, known) if isinstance(word, str) else ()
    return (f"did you mean {_alternatives(near)}? " if near else "") + f"known: {', '.join(known)}"


def _near(word: str, known: Sequence[str]) -> Sequence[str]:
    """The known names that have the word between their slashes, else the one that is most alike, if one is, else those
    of which a part is."""
    alike = near_words(word, known)
    parts = sorted({part for name in known if "/" in name for part in name.split("/")})
    near_parts = [word] if word in parts else [] if alike else near_words(word, parts)
    if near_parts:
        return [name for name in known if near_parts[0] in name.split("/")][:_MOST_NEAR]
    return alike or [name for name in known if _begin_alike(word, name)][:1]


def _begin_alike(word: str, name: str) -> bool:
    shared = min(len(word), len(name))
    return shared >= _SHORTEST_BEGINNING and word[:shared] == name[:shared]


def _alternatives(names: Sequence[str]) -> str:
    quoted = [f'"{name}"' for name in names]
    return quoted[0] if len(quoted) == 1 else f"{', '.join(quoted[:-1])} or {quoted[-1]}"
