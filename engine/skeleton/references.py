"""Checks of references within a skeleton: names that must be unique or known.

The checks work on raw values, so they also run for files with other problems. Names of resources, nodes and resolutions
are left to the compiler, because plugins and the application add more of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from renderwright.engine.skeleton.document import Document
from renderwright.engine.skeleton.problems import Path, SkeletonProblem, shown
from renderwright.engine.skeleton.schema import DIMENSIONS
from renderwright.engine.skeleton.words import unknown_word


def reference_problems(document: Document) -> Iterator[SkeletonProblem]:
    """All invalid references."""
    data = document.data
    if not isinstance(data, dict):
        return
    dimensions = _texts(data["dimensions"]) if "dimensions" in data else dict(enumerate(DIMENSIONS))
    yield from _repeated(document, ("dimensions",), dimensions, "dimension")
    names: dict[str, int] = {}
    for number, node in _nodes(data):
        path: Path = ("nodes", number)
        name = node.get("name")
        if isinstance(name, str) and names.setdefault(name, number) != number:
            first = names[name]
            line = document.where(("nodes", first)).line
            message = f"{shown(name)} is already the name of nodes[{first}] on line {line}"
            yield _problem(document, (*path, "name"), message)
        multiplex = _texts(node.get("multiplex"))
        yield from _repeated(document, (*path, "multiplex"), multiplex, "dimension")
        named: dict[Path, str] = {("multiplex", position): dimension for position, dimension in multiplex.items()}
        if isinstance(multiview := node.get("multiview"), str):
            named |= {("multiview",): multiview}
        for place, dimension in named.items():
            if dimension not in dimensions.values():
                message = unknown_word("dimension", dimension, list(dimensions.values()))
                yield _problem(document, (*path, *place), message)
        yield from _repeated(document, (*path, "queue"), _texts(node.get("queue")), "queue")
        chains = _mapping(data.get("chains"))
        for chain in _mapping(node.get("chain")):
            if chain not in chains:
                message = unknown_word("chain", chain, list(chains)) if chains else "this file has no chains"
                place = (*path, "chain", chain)
                yield SkeletonProblem(document.where_key(place), place, message)


def _repeated(document: Document, path: Path, words: dict[int, str], kind: str) -> Iterator[SkeletonProblem]:
    seen: set[str] = set()
    for position, word in words.items():
        if word in seen:
            yield _problem(document, (*path, position), f"the {kind} {shown(word)} is already in the list")
        seen.add(word)


def _problem(document: Document, path: Path, message: str) -> SkeletonProblem:
    return SkeletonProblem(document.where(path), path, message)


def _nodes(data: dict[str, Any]) -> Iterator[tuple[int, dict[str, Any]]]:
    nodes = data.get("nodes")
    for number, node in enumerate(nodes if isinstance(nodes, tuple) else ()):
        if isinstance(node, dict):
            yield number, node


def _mapping(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _texts(value: Any) -> dict[int, str]:
    items = value if isinstance(value, tuple) else ()
    return {position: item for position, item in enumerate(items) if isinstance(item, str)}
