"""Namespaces: what a short name means to a node ``plugin/node``.

A name is looked up from inside out: to the node ``a/b/n``, ``x`` is ``a/b/x`` if that exists, else ``a/x``, else ``x``.
A leading slash skips the look-up: ``/x`` is ``x``. So what a plugin creates under its own namespace is its own, and
hides a resource of the frame with the same short name from its nodes only.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from operator import attrgetter

from renderwright.render.graph.requests import ChainMember, NodeDeclaration, Request, Verb
from renderwright.render.graph.snapshot import GraphSnapshot
from renderwright.render.incremental.memo import Parts


def meaning(name: str, asker: str, known: Collection[str]) -> str:
    """The full name that ``name`` stands for to the node ``asker``; ``known`` are the full names that exist."""
    if name.startswith("/"):
        return name[1:]
    for namespace in _outwards(asker) if known else ():
        full = f"{namespace}/{name}"
        if full in known:
            return full
    return name


def qualified(snapshot: GraphSnapshot, parts: Parts | None = None) -> Sequence[NodeDeclaration]:
    """The snapshot's nodes, in order of name, with full names in place of the short ones that they ask for.

    Names of resources, also of the blob whose change lets a node run, are looked up among the created ones, the new
    names of renames, slots and outputs of chains; names in before and after, of nodes and of chain members, among the
    nodes. A name that comes into being, by a creation or as the new name of a rename, is a full name already.
    """
    parts = parts or Parts()
    nodes = sorted(snapshot.nodes, key=attrgetter("name"))
    names = [node.name for node in nodes]
    inside = {slot for slot, _ in snapshot.slots} | {each.output for each in snapshot.chains}
    inside.update(chain.from_iterable(parts.of(_created_inside).all(names, nodes)))
    resources = sorted([name for name in inside if "/" in name])
    known = parts.of(_Known)
    found = [_NOTHING] * len(names)
    for space, first, end in _spaces(names):
        made = resources[bisect_left(resources, f"{space}/") : bisect_left(resources, f"{space}{_BEHIND_SLASH}")]
        found[first:end] = [known(space, tuple(made), tuple(names[first:end]))] * (end - first)
    return parts.of(_qualified).all(names, nodes, found)


@dataclass(frozen=True)
class _Known:
    """The names in one outermost namespace."""

    resources: tuple[str, ...] = ()
    nodes: tuple[str, ...] = ()

    @cached_property
    def sets(self) -> tuple[Collection[str], Collection[str]]:
        """Both, to look up."""
        return frozenset(self.resources), frozenset(self.nodes)


_NOTHING = _Known()
_BEHIND_SLASH = chr(ord("/") + 1)


def _spaces(names: Sequence[str]) -> Iterator[tuple[str, int, int]]:
    """Outermost namespaces with the numbers of the names in them, which are in order."""
    first = 0
    while first < len(names):
        space, slash, _ = names[first].partition("/")
        end = first + 1
        if slash:
            end = bisect_left(names, f"{space}{_BEHIND_SLASH}", end)
            yield space, first, end
        first = end


def _created_inside(node: NodeDeclaration) -> tuple[str, ...]:
    """What the node creates in a namespace: only such names can be found in one."""
    return tuple([request.creates for request in node.requests if "/" in request.creates])


def _outwards(node: str) -> Iterator[str]:
    """The namespaces of a node, the innermost first."""
    namespace = node
    while "/" in namespace:
        namespace = namespace.rpartition("/")[0]
        yield namespace


def _qualified(node: NodeDeclaration, known: _Known) -> NodeDeclaration:
    resources, nodes = known.sets
    requests = tuple(_request(node.name, request, resources) for request in node.requests)
    before, after = (_all(names, node.name, nodes) for names in (node.before, node.after))
    chains = tuple(
        ChainMember(
            member.chain, _all(member.before, node.name, nodes), _all(member.after, node.name, nodes), member.priority
        )
        for member in node.chains
    )
    rate = replace(node.rate, when=meaning(node.rate.when, node.name, resources)) if node.rate.when else node.rate
    if (requests, before, after, chains, rate) == (node.requests, node.before, node.after, node.chains, node.rate):
        return node
    return replace(node, requests=requests, before=before, after=after, chains=chains, rate=rate)


def _request(asker: str, request: Request, known: Collection[str]) -> Request:
    name, to = request.name, request.to.removeprefix("/")
    if request.verb in (Verb.CREATE, Verb.EXTERNAL):
        name = name.removeprefix("/")
    elif name:
        name = meaning(name, asker, known)
    return request if (name, to) == (request.name, request.to) else replace(request, name=name, to=to)


def _all(names: tuple[str, ...], asker: str, known: Collection[str]) -> tuple[str, ...]:
    return tuple(meaning(name, asker, known) for name in names)
