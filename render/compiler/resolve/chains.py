"""Chains of image effects: the order of the members, and the names that they read and create."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from renderwright.render.compiler.diagnostics.faults import error, note
from renderwright.render.compiler.diagnostics.findings import Problem
from renderwright.render.compiler.diagnostics.near_names import near_miss
from renderwright.render.compiler.instances.strongly_connected import components
from renderwright.render.compiler.instances.topological_sort import first_order
from renderwright.render.compiler.resolve.names import IndirectNames
from renderwright.render.compiler.values.precedence import EdgeReason, Precedence
from renderwright.render.graph.requests import ChainMember, NodeDeclaration, Verb, chain_result_name


@dataclass(frozen=True)
class ThreadedChains:
    """Every chain in order.

    ``members`` lists the nodes of each chain. ``inputs`` gives the name that (node, chain) reads, ``results`` the name
    of each chain's last result, which is the chain's input if no member creates one.
    """

    members: Mapping[str, Sequence[str]]
    inputs: Mapping[tuple[str, str], str]
    results: Mapping[str, str]
    problems: tuple[Problem, ...]


def thread_chains(indirect: IndirectNames, nodes: Sequence[NodeDeclaration]) -> ThreadedChains:
    """Put the members of every chain in order; each reads the result of the one before."""
    chains = {name: _Chain(name) for name in sorted(indirect.chains)}
    for node in nodes:
        for request in node.requests:
            if request.chain in chains:
                chains[request.chain].members[node.name] = node
                if request.verb is Verb.CREATE:
                    chains[request.chain].creators.add(node.name)
    known = {node.name for node in nodes}
    members: dict[str, Sequence[str]] = {}
    inputs: dict[tuple[str, str], str] = {}
    results: dict[str, str] = {}
    problems: list[Problem] = []
    for name, chain in chains.items():
        members[name] = _order(chain, known, problems)
        current = indirect.chains[name].input
        for member in members[name]:
            inputs[member, name] = current
            if member in chain.creators:
                current = chain_result_name(name, member)
        results[name] = current
    return ThreadedChains(members, inputs, results, tuple(problems))


@dataclass
class _Chain:
    """The nodes that join a chain; the ``creators`` also make a result."""

    name: str
    members: dict[str, NodeDeclaration] = field(default_factory=dict)
    creators: set[str] = field(default_factory=set)


def _order(chain: _Chain, known: Collection[str], problems: list[Problem]) -> list[str]:
    """Members by before/after, then larger priority, then name. Constraints that make a cycle are ignored."""
    members = {name: _membership(chain.name, node) for name, node in sorted(chain.members.items())}
    pairs = _declared_pairs(chain, members, known, problems)
    names = sorted(members, key=lambda name: (-members[name].priority, name))
    if not pairs:
        return names
    graph: dict[str, list[str]] = {name: [] for name in names}
    for before, after in sorted(pairs):
        graph[before].append(after)
    for cycle in components(graph):
        inside = {(before, after) for before, after in pairs if before in cycle and after in cycle}
        pairs -= inside
        orders = ", ".join(f"`{before}` before `{after}`" for before, after in sorted(inside))
        message = f"in chain `{chain.name}` the wishes {orders} contradict one another and are ignored"
        where = [chain.members[name].source for name in cycle]
        problems.append(error("chain-cycle", message, "drop one of these before/after", where))
    return first_order(names, [Precedence((one,), (other,), EdgeReason.EXPLICIT) for one, other in sorted(pairs)])


def _declared_pairs(
    chain: _Chain, members: Mapping[str, ChainMember], known: Collection[str], problems: list[Problem]
) -> set[tuple[str, str]]:
    """(before, after) pairs of members. A before/after that names no other member is reported, unless it names a node
    that does not exist and is like none that does: the order holds where that node exists."""
    pairs: set[tuple[str, str]] = set()
    for name, member in members.items():
        declared = [(other, (name, other)) for other in member.before]
        declared += [(other, (other, name)) for other in member.after]
        for other, pair in declared:
            if other in members and other != name:
                pairs.add(pair)
                continue
            what = "itself" if other == name else "not a member of it" if other in known else "not in the graph"
            message = f"`{name}` in chain `{chain.name}` names `{other}` in its before or after, which is {what}"
            hint = near_miss(other, members.keys() - {name})
            if not hint and other not in known:
                continue
            problems.append(note("unknown-member", message, hint, [chain.members[name].source]))
    return pairs


def _membership(chain: str, node: NodeDeclaration) -> ChainMember:
    for member in node.chains:
        if member.chain == chain:
            return member
    return ChainMember(chain)
