"""A graph with the same meaning but without namespaces, slots, chains and inferred modes: each written out by hand.

The rules are followed in the plainest way, over and over until nothing changes; ``front_model`` goes on from there.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from feature_parts import looked_up

from renderwright.render.graph.requests import NodeDeclaration, Request, Verb
from renderwright.render.graph.snapshot import GraphSnapshot

MAKES = (Verb.CREATE, Verb.EXTERNAL)


@dataclass(frozen=True)
class Plain:
    """The graph written out, and the chain members that had to leave for it."""

    snapshot: GraphSnapshot
    left: frozenset[str]


def plain(snapshot: GraphSnapshot) -> Plain:
    """Writes a graph without errors out."""
    nodes = _without_namespaces(snapshot)
    left: set[str] = set()
    while True:
        table = dict(snapshot.slots)
        steps = _chain_steps(snapshot, nodes, table)
        written = [_written(one, steps, table) for one in nodes]
        broken = _broken_members(snapshot, nodes, written, table)
        if not broken:
            sinks = tuple(dict.fromkeys(final(sink, table) for sink in snapshot.sinks))
            modes = _modes(written)
            whole = tuple(replace(one, multiplex=modes[one.name]) for one in written)
            return Plain(replace(snapshot, nodes=whole, slots=(), chains=(), sinks=sinks), frozenset(left))
        left |= broken
        nodes = [one for one in nodes if one.name not in broken]


def final(name: str, table: dict[str, str]) -> str:
    """What an indirect name stands for."""
    while name in table:
        name = table[name]
    return name


def _without_namespaces(snapshot: GraphSnapshot) -> list[NodeDeclaration]:
    known = {one.creates for each in snapshot.nodes for one in each.requests if one.creates}
    known |= {slot for slot, _ in snapshot.slots} | {chain.output for chain in snapshot.chains}
    result = []
    for each in snapshot.nodes:
        requests = [
            one if one.verb in MAKES or not one.name else replace(one, name=looked_up(one.name, each.name, known))
            for one in each.requests
        ]
        result.append(replace(each, requests=tuple(requests)))
    return result


def _chain_steps(
    snapshot: GraphSnapshot, nodes: list[NodeDeclaration], table: dict[str, str]
) -> dict[tuple[str, str], str]:
    """The name that (node, chain) gets; the chains' outputs and sources join the table."""
    steps = {}
    for chain in snapshot.chains:
        waiting = {each.name: place for each in nodes for place in each.chains if place.chain == chain.name}
        current = chain.input
        while waiting:
            free = [
                name
                for name, place in waiting.items()
                if not any(other in place.after or name in waiting[other].before for other in waiting)
            ]
            first = min(free, key=lambda name: (-waiting[name].priority, name))
            del waiting[first]
            steps[first, chain.name] = current
            table[f"{chain.name}/{first}.source"] = current
            current = f"{chain.name}/{first}"
        table[chain.output] = current
    return steps


def _written(each: NodeDeclaration, steps: dict[tuple[str, str], str], table: dict[str, str]) -> NodeDeclaration:
    def spelt(one: Request) -> Request:
        if not one.chain:
            return replace(one, name=final(one.name, table))
        if one.verb is Verb.CREATE:
            return replace(one, name=f"{one.chain}/{each.name}", chain="")
        return replace(one, name=final(steps[each.name, one.chain], table), chain="")

    return replace(each, requests=tuple(spelt(one) for one in each.requests), chains=())


def _broken_members(
    snapshot: GraphSnapshot, nodes: list[NodeDeclaration], written: list[NodeDeclaration], table: dict[str, str]
) -> set[str]:
    """Members that miss something, or whose chain has no input; what a member makes is there as long as it is."""
    members = {each.name for each in nodes if each.chains}
    own = {each.name: {n for n, one in enumerate(each.requests) if one.chain} for each in nodes}
    there = {one.creates for each in written for one in each.requests if one.creates}
    broken: set[str] = set()
    while True:
        made = set()
        for each in written:
            asked = [one for n, one in enumerate(each.requests) if n not in own[each.name] and one.verb not in MAKES]
            lacks = any(not one.optional and one.name not in there for one in asked)
            if lacks and each.name in members:
                broken.add(each.name)
            else:
                broken.discard(each.name)
            if not lacks or each.name in members:
                made |= {one.name for one in each.requests if one.verb in MAKES}
                made |= {one.to for one in asked if one.verb is Verb.RENAME and one.name in there}
        if made == there:
            break
        there = made
    for chain in snapshot.chains:
        if final(chain.input, table) not in there:
            broken |= {each.name for each in nodes for place in each.chains if place.chain == chain.name}
    return broken


def _modes(written: list[NodeDeclaration]) -> dict[str, frozenset[str]]:
    """Declared modes, and those of the creators of all that is used but gathered."""
    renamed = {one.to: one.name for each in written for one in each.requests if one.verb is Verb.RENAME}
    creator = {one.name: each.name for each in written for one in each.requests if one.verb in MAKES}
    modes = {each.name: each.multiplex or frozenset() for each in written}
    changed = True
    while changed:
        changed = False
        for each in written:
            if each.multiplex is not None:
                continue
            mode = modes[each.name]
            for one in each.requests:
                maker = creator.get(final(one.name, renamed), "")
                if maker and one.verb is not Verb.GATHER:
                    mode |= modes[maker]
            changed |= mode != modes[each.name]
            modes[each.name] = mode
    return modes
