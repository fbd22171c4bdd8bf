"""Chains of image effects: who comes after whom, and which names the members read and create."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from renderwright.render.compiler.diagnostics.faults import error, near_miss, note
from renderwright.render.compiler.diagnostics.findings import Problem
from renderwright.render.compiler.instances.strongly_connected import components
from renderwright.render.compiler.instances.topological_sort import first_order
from renderwright.render.compiler.resolve.names import Indirections
from renderwright.render.compiler.values.precedence import EdgeReason, Precedence
from renderwright.render.graph.requests import ChainMember, NodeDeclaration


@dataclass(frozen=True)
class Threads:
    """Every chain in order.

    ``members`` lists the nodes of a chain; ``inputs`` gives the name that (node, chain) reads; ``ends`` the name that a
    chain's output stands for.
    """

    members: Mapping[str, Sequence[str]]
    inputs: Mapping[tuple[str, str], str]
    ends: Mapping[str, str]
    problems: tuple[Problem, ...]


def created_name(chain: str, node: str) -> str:
    """The name of a member's result."""
    return f"{chain}/{node}"


def thread(
    words: Indirections, nodes: Iterable[tuple[NodeDeclaration, Iterable[tuple[str, bool]]]], known: Collection[str]
) -> Threads:
    """Put the members of every chain in order and give each the result of the one before.

    ``nodes`` are all that ask for chains, with these chains and whether they add to them; ``known`` the names of all
    nodes.
    """
    joined: dict[str, dict[str, NodeDeclaration]] = {name: {} for name in words.chains}
    adding: dict[str, set[str]] = {name: set() for name in words.chains}
    for node, asked in nodes:
        for chain, adds in asked:
            if chain in joined:
                joined[chain][node.name] = node
                if adds:
                    adding[chain].add(node.name)
    members: dict[str, Sequence[str]] = {}
    inputs: dict[tuple[str, str], str] = {}
    ends: dict[str, str] = {}
    problems: list[Problem] = []
    for name, defined in sorted(words.chains.items()):
        members[name] = _in_order(name, joined[name], known, problems)
        current = defined.input
        for member in members[name]:
            inputs[member, name] = current
            if member in adding[name]:
                current = created_name(name, member)
        ends[name] = current
    return Threads(members, inputs, ends, tuple(problems))


def _in_order(
    chain: str, members: Mapping[str, NodeDeclaration], known: Collection[str], problems: list[Problem]
) -> list[str]:
    """Members by before/after, then larger priority, then name. Constraints that make a cycle are ignored."""
    names = sorted(members)
    places = {name: _place(chain, members[name]) for name in names}
    wishing = [(name, place) for name, place in places.items() if place.before or place.after]
    pairs: set[tuple[str, str]] = set()
    for name, place in wishing:
        for other, pair in [(o, (name, o)) for o in place.before] + [(o, (o, name)) for o in place.after]:
            if other in members and other != name:
                pairs.add(pair)
            else:
                what = "itself" if other == name else "not a member of it" if other in known else "not in the graph"
                message = f"`{name}` in chain `{chain}` names `{other}` in its before or after, which is {what}"
                hint = near_miss(other, members.keys() - {name})
                problems.append(note("unknown-member", message, hint, [members[name].source]))
    names.sort(key=lambda name: -places[name].priority)
    if not pairs:
        return names
    graph: dict[str, list[str]] = {name: [] for name in names}
    for before, after in sorted(pairs):
        graph[before].append(after)
    for loop in components(graph):
        inside = {pair for pair in pairs if pair[0] in loop and pair[1] in loop}
        pairs -= inside
        orders = ", ".join(f"`{before}` before `{after}`" for before, after in sorted(inside))
        message = f"in chain `{chain}` the wishes {orders} contradict one another and are ignored"
        where = [members[name].source for name in loop]
        problems.append(error("chain-cycle", message, "drop one of these before/after", where))
    wishes = [Precedence((before,), (after,), EdgeReason.EXPLICIT) for before, after in sorted(pairs)]
    return first_order(names, wishes)


def _place(chain: str, node: NodeDeclaration) -> ChainMember:
    for place in node.chains:
        if place.chain == chain:
            return place
    return ChainMember(chain)
