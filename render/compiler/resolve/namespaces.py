"""Namespaces: the meaning of a short name in a node ``plugin/node``.

A name is looked up from inside out: in the node ``a/b/n``, ``x`` is ``a/b/x`` if that exists, else ``a/x``, else
``x``.
A leading slash skips the look-up: ``/x`` is ``x``. A resource that a plugin creates under its own namespace therefore
hides a resource of the frame with the same short name from the plugin's nodes only.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from operator import attrgetter

from renderwright.render.graph.requests import ChainMember, NodeDeclaration, Request, Verb
from renderwright.render.graph.snapshot import GraphSnapshot


def full_name(name: str, node: str, known: Collection[str]) -> str:
    """The full name that ``name`` stands for in ``node``; ``known`` are the full names that exist."""
    if name.startswith("/"):
        return name[1:]
    namespace = node
    while "/" in namespace:
        namespace = namespace.rpartition("/")[0]
        full = f"{namespace}/{name}"
        if full in known:
            return full
    return name


def qualified(snapshot: GraphSnapshot) -> list[NodeDeclaration]:
    """The snapshot's nodes, in order of name, with full names in place of short ones.

    Names of resources, including the blob of a rate's condition, are looked up among created names, new names of
    renames, slots and chain outputs. Names in before and after, of nodes and of chain members, are looked up among the
    nodes. A created name and the new name of a rename are full names already.
    """
    names = {slot for slot, _ in snapshot.slots} | {chain.output for chain in snapshot.chains}
    names.update(request.creates for node in snapshot.nodes for request in node.requests)
    resources = {name for name in names if "/" in name}
    nodes = {node.name for node in snapshot.nodes}
    return [_qualified(node, resources, nodes) for node in sorted(snapshot.nodes, key=attrgetter("name"))]


def _qualified(node: NodeDeclaration, resources: Collection[str], nodes: Collection[str]) -> NodeDeclaration:
    name = node.name
    requests = tuple([_request(name, request, resources) for request in node.requests])
    before, after = _full_names(node.before, name, nodes), _full_names(node.after, name, nodes)
    chains = tuple([_member(name, member, nodes) for member in node.chains])
    rate = replace(node.rate, when=full_name(node.rate.when, name, resources)) if node.rate.when else node.rate
    if (requests, before, after, chains, rate) == (node.requests, node.before, node.after, node.chains, node.rate):
        return node
    declared = tuple([(full_name(other, name, nodes), source) for other, source in node.order_sources])
    return replace(
        node, requests=requests, before=before, after=after, order_sources=declared, chains=chains, rate=rate
    )


def _request(node: str, request: Request, resources: Collection[str]) -> Request:
    name, to = request.name, request.to.removeprefix("/")
    if request.verb in (Verb.CREATE, Verb.EXTERNAL):
        name = name.removeprefix("/")
    elif name:
        name = full_name(name, node, resources)
    return request if (name, to) == (request.name, request.to) else replace(request, name=name, to=to)


def _member(node: str, member: ChainMember, nodes: Collection[str]) -> ChainMember:
    before, after = _full_names(member.before, node, nodes), _full_names(member.after, node, nodes)
    return ChainMember(member.chain, before, after, member.priority)


def _full_names(names: tuple[str, ...], node: str, nodes: Collection[str]) -> tuple[str, ...]:
    return tuple([full_name(name, node, nodes) for name in names])
