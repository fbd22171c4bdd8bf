"""The declared before/after orders that remain when nodes are removed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable

from renderwright.render.compiler.instances.dependencies import explicit_pairs
from renderwright.render.graph.requests import NodeDeclaration


def remaining_pairs(nodes: Iterable[NodeDeclaration], kept: Collection[str]) -> list[tuple[str, str]]:
    """(before, after) pairs of kept nodes: as declared, or linked by declared pairs through removed nodes."""
    declarations = list(nodes)
    afters: dict[str, list[str]] = defaultdict(list)
    for before, after in sorted(explicit_pairs(declarations, [node.name for node in declarations])):
        afters[before].append(after)
    pairs = []
    for name in sorted(afters.keys() & kept):
        work, seen = list(afters[name]), set(afters[name])
        while work:
            other = work.pop()
            if other in kept:
                pairs.append((name, other))
                continue
            behind = [after for after in afters.get(other, ()) if after not in seen]
            seen.update(behind)
            work += behind
    return pairs
