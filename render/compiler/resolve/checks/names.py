"""Whether what comes into being has a name that can be told from others."""

from __future__ import annotations

from itertools import chain

from renderwright.render.compiler.diagnostics.faults import Fault, error, invalid
from renderwright.render.compiler.resolve.draft import Draft
from renderwright.render.graph.requests import NodeDeclaration, Verb, chain_source_name

_HINT = 'a name is not empty, and has no "@", which stands in front of the numbers of an instance'


def check_names(draft: Draft) -> list[Fault]:
    """Nodes and what they make have names, without the sign of instances."""
    found = draft.parts.of(name_faults).all(draft.names, draft.declarations.values())
    return list(chain.from_iterable(found))


def name_faults(node: NodeDeclaration) -> tuple[Fault, ...]:
    """What is wrong with the names of the node and of what it makes."""
    name = node.name
    if not name or "@" in name:
        return (invalid(name, error("name", f"a node is called `{name}`", _HINT, [node.source])),)
    faults = []
    for request in node.requests:
        if request.verb not in (Verb.CREATE, Verb.EXTERNAL, Verb.RENAME) or request.chain:
            continue
        if not request.creates or "@" in request.creates:
            what = f"renames `{request.name}` to" if request.verb is Verb.RENAME else "creates"
            problem = error("name", f"`{name}` {what} `{request.creates}`", _HINT, [request.source])
            faults.append(invalid(name, problem))
    return tuple(faults)


def check_chain_names(draft: Draft) -> list[Fault]:
    """Nobody makes a name that a chain gives."""
    making = [ask for asks in draft.makers.values() for ask in asks]
    # What chains give has names that stand for others.
    if draft.finals.keys().isdisjoint([bound.request.to or bound.request.name for _, bound in making]):
        return []
    sources = {chain_source_name(name, node): (name, node) for node, name in draft.threads.inputs}
    faults = []
    for node, bound in making:
        made = bound.request.to or bound.request.name
        if made in sources:
            name, member = sources[made]
            message = f"`{node.name}` creates `{made}`, which is what the member `{member}` of chain `{name}` gets"
            faults.append(invalid(node.name, error("name", message, "give it another name", [bound.request.source])))
    return faults
