"""Requests on their own, and the origins of names: creations, renames, histories, descriptions."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from renderwright.render.compiler.diagnostics.faults import Fault, error, invalid, quoted, stays
from renderwright.render.compiler.diagnostics.findings import Removal, RemovalReason
from renderwright.render.compiler.resolve.bind import BoundGraph
from renderwright.render.compiler.resolve.names import IndirectNames
from renderwright.render.compiler.resolve.origins import Origin
from renderwright.render.compiler.values.resolved import BoundNode, BoundRequest
from renderwright.render.graph.requests import NodeDeclaration, Request, Verb
from renderwright.render.suggest import did_you_mean
from renderwright.render.types.parts import WHOLE


def check_requests(bound: BoundGraph) -> list[Fault]:
    """Each request has a meaning, whatever other nodes do."""
    faults: dict[Fault, None] = {}  # both requests of a chain member miss an unknown chain
    for node in bound.nodes:
        created = {request.name for request in node.requests if request.request.verb is Verb.CREATE}
        for request in node.requests:
            fault = _check_request(bound, node, request, created)
            if fault is not None:
                faults[fault] = None
    return list(faults)


def _check_request(graph: BoundGraph, node: BoundNode, bound: BoundRequest, created: Collection[str]) -> Fault | None:
    """The fault of a request; ``created`` is what the node creates."""
    request, indirect = bound.request, graph.indirect
    if request.chain:
        return None if request.chain in indirect.chains else _unknown_chain(indirect, node.declaration, request)
    if request.verb is Verb.RENAME and _is_renamed_back(node, bound):
        return _rename_to_itself(node.name, bound)
    if bound.name in created and _reads_the_whole(node, bound):
        return _read_of_own(node, bound)
    if request.creates:
        chain = indirect.outputs.get(indirect.follow_slots(request.creates))
        if chain is not None:
            return _created_output(graph, node, request, chain)
    return None


def _created_output(graph: BoundGraph, node: BoundNode, request: Request, chain: str) -> Fault:
    given = graph.indirect.follow_slots(graph.indirect.chains[chain].input)
    first = next((origin for origin in graph.origins.creations.get(given, ()) if origin.node.name != node.name), None)
    message = f"`{node.name}` creates `{request.creates}`, which is the output of the chain `{chain}`"
    hint = f"join the chain, or create `{given}`, its input"
    if node.declaration.plugin and first is not None:
        made = f"which `{first.node.name}` makes at {first.request.source}"
        hint = (
            f'join the chain by reg.chain("{chain}"), or change `{given}`, its input, {made}, by reg.modify("{given}")'
        )
    return invalid(node.name, error("chain-output", message, hint, [request.source]))


def _reads_the_whole(node: BoundNode, bound: BoundRequest) -> bool:
    """Whether a request reads the whole of a resource. A condition that the node creates itself is another mistake."""
    request = bound.request
    return request.verb is Verb.READ and request.part == WHOLE and request.name != node.declaration.rate.when


def _read_of_own(node: BoundNode, read: BoundRequest) -> Fault:
    message = f"`{node.name}` reads `{read.name}`, which it creates itself, and which has no contents before"
    hints = [f'reg.history("{read.request.name}") is what it had in the frame before']
    if read.request.usage is not None:
        hints.append("a node that writes by .storage() may also read what it has written")
    if "/" in read.name:
        outside = read.name.rpartition("/")[2]
        hints.append(f"a slash in front, as in `/{outside}`, means the name outside of all namespaces")
    return invalid(node.name, error("reads-its-own", message, "; ".join(hints), [read.request.source]))


def _unknown_chain(indirect: IndirectNames, node: NodeDeclaration, request: Request) -> Fault | None:
    if request.optional and request.verb is not Verb.CREATE:
        return None
    message = f"`{node.name}` wants to join the chain `{request.chain}`, which this graph does not have"
    where = [other.source for other in node.requests if other.chain == request.chain]
    problem = error("unknown-chain", message, did_you_mean(request.chain, indirect.chains), where)
    return Fault(problem, Removal(node.name, RemovalReason.BROKEN, f"`{node.name}` removed: {message}"))


def _is_renamed_back(node: BoundNode, rename: BoundRequest) -> bool:
    """Whether the node's own renames lead from the name back to it."""
    renames = {bound.name: bound.to for bound in node.requests if bound.request.verb is Verb.RENAME}
    name = rename.to
    for _ in renames:
        if name == rename.name:
            return True
        name = renames.get(name, name)
    return False


def _rename_to_itself(node: str, rename: BoundRequest) -> Fault:
    message = f"`{node}` renames `{rename.name}` to itself"
    hint = "give the new name"
    if "/" in rename.name:
        hint += "; a slash in front of the old one, as in `/depth`, means the one outside of all namespaces"
    return invalid(node, error("rename", message, hint, [rename.request.source]))


def check_creations(bound: BoundGraph) -> list[Fault]:
    """Every name is made once and renamed at most once."""
    origins, rename_hint = bound.origins, "rename the first one's new name instead"
    faults = _check_unique(origins.creations, "two-creators", "is created", "rename one of them", bound.indirect)
    return faults + _check_unique(origins.renames, "renamed-twice", "is renamed", rename_hint)


def _way_to_use(name: str, first: Origin, indirect: IndirectNames) -> str:
    """Where the skeleton makes a name that a plugin creates as well, and how the plugin uses it instead."""
    chains = [f'join the chain that begins with it by reg.chain("{one}")' for one in _begun_by(name, indirect)]
    ways = ", or ".join([f'change it by reg.modify("{name}")', *chains])
    return f"`{first.node.name}` makes it at {first.request.source}: {ways}; otherwise "


def _begun_by(name: str, indirect: IndirectNames) -> list[str]:
    return [chain.name for chain in indirect.chains.values() if indirect.follow_slots(chain.input) == name]


def _hint_for(origins: Sequence[Origin], otherwise: str) -> str:
    """What to do about origins of one name. Who plays a game does not change its plugins."""
    owners = dict.fromkeys(origin.node.plugin for origin in origins)
    plugins = [owner for owner in owners if owner]
    if len(owners) < 2:
        return otherwise
    if len(plugins) < len(owners):
        return f"disable the plugin {quoted(plugins)}, or {otherwise}"
    return f"disable one of the plugins {quoted(plugins)}"


def _check_unique(
    origins: Mapping[str, Sequence[Origin]], code: str, what: str, hint: str, indirect: IndirectNames | None = None
) -> list[Fault]:
    """Each origin but the first of a name is a fault. With ``indirect`` names, a plugin is told how to use what the
    skeleton makes."""
    faults = []
    for name in sorted(name for name, made in origins.items() if len(made) > 1 and name):
        where = [origin.request.source for origin in origins[name]]
        advice = _hint_for(origins[name], hint)
        nodes = list(dict.fromkeys(origin.node.name for origin in origins[name]))
        if len(nodes) == 1:
            message = f"`{name}` {what} {len(where)} times by `{nodes[0]}`"
            faults.append(invalid(nodes[0], error(code, message, advice, where)))
            continue
        by_name = {origin.node.name: origin.node for origin in origins[name]}
        reason = stays(by_name[nodes[0]], by_name[nodes[1]], name)
        first = origins[name][0]
        if indirect is not None and not first.node.plugin and any(origin.node.plugin for origin in origins[name]):
            advice = _way_to_use(name, first, indirect) + advice
        problem = error(code, f"`{name}` {what} by {quoted(nodes)}; {reason}", advice, where)
        faults += [invalid(node, problem) for node in nodes[1:]]
    return faults


def check_history(bound: BoundGraph) -> list[Fault]:
    """No node reads the history of a name that is renamed away in the frame."""
    faults = []
    for node in bound.nodes:
        for reader in node.requests:
            if reader.request.verb is not Verb.HISTORY or reader.name not in bound.origins.renames:
                continue
            rename = bound.origins.renames[reader.name][0]
            written = reader.request.name
            here = f", here `{reader.name}`" if written != reader.name else ""
            message = (
                f"`{node.name}` asks for the history of `{written}`{here}, which `{rename.node.name}` "
                f"renames to `{rename.to}`"
            )
            hint = f"ask for the history of `{rename.to}`"
            where = [reader.request.source, rename.request.source]
            faults.append(invalid(node.name, error("history", message, hint, where)))
    return faults


def check_descriptions(bound: BoundGraph) -> list[Fault]:
    """Every creation has a description.

    A chain member's result inherits that of its source, so it is at fault only when all others are described.
    """
    faults: list[Fault] = []
    chain_faults: list[Fault] = []
    for node in bound.nodes:
        for creation in node.requests:
            request = creation.request
            if request.verb in (Verb.CREATE, Verb.EXTERNAL) and creation.root not in bound.resources:
                message = f"`{node.name}` creates `{creation.name}` without saying what it is"
                fault = invalid(node.name, error("no-description", message, "describe it", [request.source]))
                (chain_faults if request.chain else faults).append(fault)
    return faults or chain_faults
