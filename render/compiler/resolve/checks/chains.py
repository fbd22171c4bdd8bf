"""Members of chains that cannot get their inputs. They leave before chains are final, so that chains close the gap."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import chain as concatenated

from renderwright.render.compiler.cull.broken import NONE_BROKEN, BrokenNodes, Needs, find_broken
from renderwright.render.compiler.diagnostics.faults import Fault, error
from renderwright.render.compiler.diagnostics.findings import Problem, Removal, RemovalReason
from renderwright.render.compiler.diagnostics.near_names import near_miss
from renderwright.render.compiler.diagnostics.removal_reasons import broken, is_required
from renderwright.render.compiler.resolve.bind import BoundGraph
from renderwright.render.compiler.values.resolved import BoundNode
from renderwright.render.graph.requests import Verb


def check_chains(bound: BoundGraph) -> list[Fault]:
    """Every chain member gets what it requires."""
    members = set(concatenated.from_iterable(bound.chains.members.values()))
    if not members:
        return []
    lack = _find_broken(bound, members)
    faults = [_broken_member(bound, name, lack.broken[name]) for name in sorted(lack.broken.keys() & members)]
    for chain, names in sorted(bound.chains.members.items()):
        given = bound.aliases.target(bound.indirect.chains[chain].input)
        if given not in bound.origins.creations or given in lack.dead:
            faults += _without_input(bound, chain, [bound.by_name[name] for name in names if name not in lack.broken])
    return faults


def chains_without_input(bound: BoundGraph) -> list[Problem]:
    """An error for every chain whose input no node makes while a node of the skeleton or the engine needs it.

    Plugins may join chains that only some scenes feed. A chain behind another one has that one's result as its input.
    """
    inputs = {name: bound.indirect.follow_slots(chain.input) for name, chain in bound.indirect.chains.items()}
    found = (bound.origins.creations, bound.lost_names, bound.indirect.outputs)
    lacking = {name: given for name, given in inputs.items() if not any(given in names for names in found)}
    if not lacking:
        return []
    own = [node for node in bound.nodes if not node.declaration.plugin]
    needed = {request.name for node in own for request in node.requests if is_required(request.request)}
    problems = []
    for name, given in sorted(lacking.items()):
        if given in needed:
            chain = bound.indirect.chains[name]
            message = f"the input of chain `{name}` is `{chain.input}`, which nobody creates"
            hint = near_miss(given, _meant(bound, given)) or f"create `{given}` in a node of the skeleton"
            where = [chain.source] if chain.source is not None else []
            problems.append(error("chain-input", message, hint, where))
    return problems


def _meant(bound: BoundGraph, missing: str) -> tuple[str, ...]:
    """The names that a missing one may stand for. Its aliases are missing as well."""
    aliases = [alias for alias, target in bound.aliases.targets.items() if target != missing]
    return tuple(sorted({*bound.origins.creations, *aliases}))


def _find_broken(bound: BoundGraph, members: Collection[str]) -> BrokenNodes:
    """The broken nodes of the graph if every chain had its input."""
    if all(request.root for node in bound.nodes for request in node.requests):
        return NONE_BROKEN
    return find_broken({node.name: _needs(node) for node in bound.nodes}, members)


def _needs(node: BoundNode) -> Needs:
    """A node's needs except those that a chain fills."""
    requests = node.requests
    return Needs(
        tuple([bound.name for bound in requests if is_required(bound.request) and not bound.request.chain]),
        tuple([bound.name for bound in requests if bound.request.verb in (Verb.CREATE, Verb.EXTERNAL)]),
        tuple([(bound.name, bound.to) for bound in requests if bound.request.verb is Verb.RENAME]),
    )


def _broken_member(bound: BoundGraph, name: str, missing: str) -> Fault:
    node = bound.by_name[name]
    request = next(own.request for own in node.requests if own.name == missing and is_required(own.request))
    creations = bound.origins.creations
    creators = [creation.node.name for creation in creations.get(missing, ())] or bound.lost_names.get(missing, ())
    return Fault(None, broken(name, request, missing, creators, () if creators else _meant(bound, missing)))


def _without_input(bound: BoundGraph, chain: str, members: Sequence[BoundNode]) -> list[Fault]:
    """The members that fail because no node creates the chain's input.

    These are the members up to the first that can do without, and those that copy the description of the input.
    """
    faults = []
    has_result = False
    for node in members:
        name = node.name
        requests = [own.request for own in node.requests if own.request.chain == chain]
        copies = any(request.verb is Verb.CREATE and request.desc is None for request in requests)
        if copies or (not has_result and any(map(is_required, requests))):
            given = bound.indirect.chains[chain].input
            why = f"it needs `{given}`, the input of chain `{chain}`, which nobody creates"
            removal = Removal(name, RemovalReason.BROKEN, f"`{name}` removed: {why}", requests[0].source)
            faults.append(Fault(None, removal))
        else:
            has_result = has_result or any(request.verb is Verb.CREATE for request in requests)
    return faults
