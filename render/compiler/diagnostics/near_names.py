"""Names of a graph that are like a name which is unknown."""

from __future__ import annotations

from collections.abc import Collection

from renderwright.render.graph.requests import is_chain_source
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
    if hint := _near_chain(word, known):
        return hint
    near = near_words(word, sorted(meanings), cutoff=_ALIKE)
    if not near:
        return ""
    meant = meanings[near[0]]
    return f"did you mean `{near[0]}`?" if meant == near[0] else f"did you mean `{near[0]}` (`{meant}`)?"


def _near_chain(word: str, known: Collection[str]) -> str:
    """The chain that is meant if ``word`` is the input of a member of a chain that the graph lacks, else ''."""
    if not is_chain_source(word):
        return ""
    chain = word.partition("/")[0]
    chains = {name.partition("/")[0] for name in known if is_chain_source(name)}
    hint = near_miss(chain, chains) if chain not in chains else ""
    return f"there is no chain `{chain}`, {hint}" if hint else ""
