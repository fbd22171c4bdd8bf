"""The nested order: finish one branch of the frame before the next one begins, so that few results wait for readers."""

from __future__ import annotations

from collections.abc import Sequence

from renderwright.render.compiler.order.dependency_graph import DependencyGraph


def nested_ranks(dependencies: DependencyGraph, lengths: Sequence[float]) -> list[int]:
    """Each unit's rank in a depth-first postorder from the results back to what they need.

    Of several branches the one with the larger value in ``lengths`` comes first, then the smaller number: R. Sethi and
    J. D. Ullman, "The generation of optimal code for arithmetic expressions", J. ACM 17, 1970. Ranks are a preference
    and need not be a legal order, since each join node is expanded only where the walk first meets it.
    """
    units, predecessors = dependencies.units, dependencies.predecessors
    ranks = [0] * units
    rank = 0
    visited = [False] * len(predecessors)
    stack = [(unit, False) for unit in reversed(range(units)) if not dependencies.successors[unit]]
    while stack:
        unit, finished = stack.pop()
        if finished:
            ranks[unit] = rank
            rank += 1
        elif not visited[unit]:
            visited[unit] = True
            stack.append((unit, True))
            branches = _branches(unit, predecessors, units, visited)
            # The last one on the stack is the first to be walked.
            branches.sort(key=lambda branch: (lengths[branch], -branch))
            stack += [(branch, False) for branch in branches]
    return ranks


def _branches(unit: int, predecessors: Sequence[Sequence[int]], units: int, visited: list[bool]) -> list[int]:
    """The unvisited units that the unit depends on, directly or by an unvisited join node."""
    found: list[int] = []
    for predecessor in predecessors[unit]:
        if visited[predecessor]:
            continue
        if predecessor < units:
            found.append(predecessor)
        else:
            visited[predecessor] = True
            found += [before for before in predecessors[predecessor] if not visited[before]]
    return found
