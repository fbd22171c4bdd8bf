"""Names of nodes and of what they create: not empty, no instance sign, no name that a chain gives; and names in
before/after."""

from __future__ import annotations

from collections.abc import Iterator

from renderwright.render.compiler.diagnostics.faults import Fault, error, invalid, note
from renderwright.render.compiler.diagnostics.findings import Problem
from renderwright.render.compiler.diagnostics.near_names import near_miss
from renderwright.render.compiler.resolve.bind import BoundGraph
from renderwright.render.graph.requests import NodeDeclaration, Verb, chain_source_name

_HINT = 'a name is not empty, and has no "@", which stands in front of the numbers of an instance'

_SEARCHES = 50
"""How many absent names get a search for similar ones, which is slow."""


def check_names(bound: BoundGraph) -> list[Fault]:
    """Nodes and created resources have names, and no name contains the sign of instances."""
    faults = []
    for node in bound.declarations.values():
        name = node.name
        if not _is_valid(name):
            faults.append(invalid(name, error("name", f"a node is called `{name}`", _HINT, [node.source])))
            continue
        for request in node.requests:
            if request.verb not in (Verb.CREATE, Verb.EXTERNAL, Verb.RENAME) or request.chain:
                continue
            if not _is_valid(request.creates):
                what = f"renames `{request.name}` to" if request.verb is Verb.RENAME else "creates"
                problem = error("name", f"`{name}` {what} `{request.creates}`", _HINT, [request.source])
                faults.append(invalid(name, problem))
    return faults


def _is_valid(name: str) -> bool:
    return bool(name) and "@" not in name


def check_chain_names(bound: BoundGraph) -> list[Fault]:
    """No node creates a name by which a chain gives a member's input."""
    sources = {chain_source_name(chain, node): (chain, node) for node, chain in bound.chains.inputs}
    if not sources:
        return []
    faults = []
    for creations in bound.origins.creations.values():
        for creation in creations:
            made, node = creation.request.creates, creation.node.name
            if made in sources:
                chain, member = sources[made]
                message = f"`{node}` creates `{made}`, which is what the member `{member}` of chain `{chain}` gets"
                problem = error("name", message, "give it another name", [creation.request.source])
                faults.append(invalid(node, problem))
    return faults


def unknown_nodes(bound: BoundGraph) -> list[Problem]:
    """A note on every before/after that names the node itself, or a node that never existed while a similar one does.

    The others hold where that node exists, as of another plugin (``explain`` tells them). A removed node has been
    reported already.
    """
    known = {node.name for node in bound.snapshot.nodes}
    similar: dict[str, str] = {}
    problems: list[Problem] = []
    for node, what, other in _declared_orders(bound):
        if other == node.name:
            message = f"`{node.name}` is declared to run {what} itself, which is ignored"
            problems.append(note("unknown-node", message, "", [node.ordered_at(other)]))
            continue
        if other in known:
            continue
        if other not in similar and len(similar) < _SEARCHES:
            similar[other] = near_miss(other, known - {node.name})
        if hint := similar.get(other, ""):
            message = f"`{node.name}` is declared to run {what} `{other}`, which is not in the graph"
            problems.append(note("unknown-node", message, hint, [node.ordered_at(other)]))
    return problems


def _declared_orders(bound: BoundGraph) -> Iterator[tuple[NodeDeclaration, str, str]]:
    """Each node with "before" or "after", and the name of the other one."""
    for node in bound.declarations.values():
        for what, others in (("before", node.before), ("after", node.after)):
            for other in sorted(set(others)):
                yield node, what, other
