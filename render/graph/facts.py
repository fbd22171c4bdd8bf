"""Facts that nodes state, for the declare functions of all nodes."""

from __future__ import annotations

from collections.abc import Iterable

from renderwright.render.errors import GraphError
from renderwright.render.graph.declare import DeclareFailure, NodeSource
from renderwright.render.graph.source import function_location


def facts_of_nodes(sources: Iterable[NodeSource]) -> tuple[dict[str, object], tuple[DeclareFailure, ...]]:
    """The facts by name, and the nodes that state one that an earlier node states: these are left out."""
    stated: dict[str, NodeSource] = {}
    failures: list[DeclareFailure] = []
    for source in sources:
        taken = [name for name in source.facts if name in stated]
        if taken:
            failures.append(DeclareFailure(source, _twice(taken[0], source, stated[taken[0]])))
        else:
            stated |= dict.fromkeys(source.facts, source)
    return {name: source.facts[name] for name, source in stated.items()}, tuple(failures)


def _twice(fact: str, source: NodeSource, first: NodeSource) -> GraphError:
    plugins = sorted({source.plugin, first.plugin})
    return GraphError(
        f'node "{source.name}" states the fact "{fact}", which node "{first.name}" states already',
        hint=f"disable one of the plugins `{plugins[0]}` and `{plugins[1]}`"
        if len(plugins) == 2 and all(plugins)
        else "leave it out of one of them",
        where=function_location(source.declare) if source.declare is not None else None,
    )
