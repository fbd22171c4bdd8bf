"""Names of a graph that are like a name which is unknown."""

from __future__ import annotations

from collections.abc import Collection

from renderwright.render.suggest import near_words

_ALIKE = 0.75
"""The least ratio of difflib of two names that are near: many names of a graph begin or end alike."""


def near_miss(word: str, known: Collection[str]) -> str:
    """``did you mean `x`?`` if a known word is similar, else ''."""
    near = near_words(word, sorted(known), cutoff=_ALIKE)
    return f"did you mean `{near[0]}`?" if near else ""


def near_resource(word: str, node: str, known: Collection[str]) -> str:
    """Like ``near_miss`` for the name of a resource in ``node``, where names of its namespaces may be short."""
    meanings: dict[str, str] = {}
    namespace = node
    while "/" in namespace:
        namespace = namespace.rpartition("/")[0]
        for name in known:
            if name.startswith(f"{namespace}/"):
                meanings.setdefault(name.removeprefix(f"{namespace}/"), name)
    for name in known:
        meanings.setdefault(name, name)
    near = near_words(word, sorted(meanings), cutoff=_ALIKE)
    if not near:
        return ""
    meant = meanings[near[0]]
    return f"did you mean `{near[0]}`?" if meant == near[0] else f"did you mean `{near[0]}` (`{meant}`)?"
