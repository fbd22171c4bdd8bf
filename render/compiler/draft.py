"""The graph with its names bound, before it is known to be valid."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, count, groupby, repeat
from operator import attrgetter, itemgetter
from typing import NamedTuple

from render.compiler.alike import once_a_run
from render.compiler.chains import Threads, created_name, thread
from render.compiler.edges import Life, explicit_pairs, life_precedences, lives_of
from render.compiler.inference import infer_modes
from render.compiler.lineup import Lookup
from render.compiler.memo import Parts
from render.compiler.names import Indirections
from render.compiler.precedence import EdgeReason, Precedence, first_order
from render.compiler.snapshot import GraphSnapshot
from render.compiler.stages import BoundNode, BoundRequest, LogicalResource
from render.graph.requests import NodeDeclaration, Request, Verb, chain_source_name
from render.graph.resources import ResourceDesc, Texture

_MAKING = (Verb.CREATE, Verb.EXTERNAL, Verb.RENAME)

_first = itemgetter(0)

Ask = tuple[NodeDeclaration, BoundRequest]
"""One request together with the node that makes it."""

Roles = tuple[tuple[str, int], ...]
"""``BoundNode.roles``."""

_Spelt = tuple[tuple[str, ...], tuple[str, ...]]


@dataclass(frozen=True)
class Draft:
    """Requests with bound names, and who creates and renames each name (the one who would stay comes first).

    A name's ``root`` is found by following renames back to its creation; it is '' if nobody creates it. ``resources``
    has no entry for a root whose description is not known. ``lost`` has the names that removed nodes would have made,
    with these nodes.
    """

    snapshot: GraphSnapshot
    words: Indirections
    threads: Threads
    finals: Mapping[str, str]
    nodes: tuple[BoundNode, ...]
    makers: Mapping[str, Sequence[Ask]]
    renamers: Mapping[str, Sequence[Ask]]
    resources: Mapping[str, LogicalResource]
    lost: Mapping[str, Sequence[str]]
    parts: Parts

    def final(self, name: str) -> str:
        """The name that an indirect name stands for; any other name is itself."""
        return self.finals.get(name, name)

    @cached_property
    def declarations(self) -> Mapping[str, NodeDeclaration]:
        """Declarations by node name."""
        return {node.declaration.name: node.declaration for node in self.nodes}

    @cached_property
    def named(self) -> Mapping[str, BoundNode]:
        """The nodes by name."""
        return {node.declaration.name: node for node in self.nodes}

    @cached_property
    def modes(self) -> Mapping[str, frozenset[str]]:
        """Modes by node name, declared or inferred."""
        return {node.declaration.name: node.mode for node in self.nodes}

    @cached_property
    def used(self) -> Sequence[tuple[LogicalResource | None, ...]]:
        """The resource of each request of each node; None where there is none."""
        get = self.resources.get
        return once_a_run(lambda roots: tuple(map(get, roots)), [node.roots for node in self.nodes])

    @cached_property
    def complete(self) -> bool:
        """Whether there is a resource for every request."""
        return self.resources.keys() >= set(chain.from_iterable([node.roots for node in self.nodes]))

    @cached_property
    def explicit(self) -> Mapping[tuple[str, str], Sequence[str]]:
        """``explicit_pairs`` of all nodes."""
        return explicit_pairs([node.declaration for node in self.nodes])

    @cached_property
    def alike(self) -> Sequence[tuple[Sequence[str], Roles]]:
        """The names of neighbours that have the same part in the lives of the same names, with this."""
        found = []
        for roles, members in groupby(self.nodes, attrgetter("roles")):
            found.append(([node.declaration.name for node in members], roles))
        return found

    @cached_property
    def lives(self) -> Mapping[str, Life]:
        """Who uses each name that somebody makes."""
        return lives_of([(role, nodes) for nodes, roles in self.alike for role in roles])

    @cached_property
    def precedences(self) -> Sequence[Precedence]:
        """Everything that declarations and names ask for, modifiers of one name not being ordered yet."""
        groups = [Precedence((before,), (after,), EdgeReason.EXPLICIT) for before, after in self.explicit]
        names = sorted(self.lives)
        lives = map(self.lives.__getitem__, names)
        for found in self.parts.of(life_precedences).all(names, names, lives):
            groups += found
        return groups

    @cached_property
    def distinct(self) -> Sequence[Precedence]:
        """One of the ``precedences`` between the same nodes."""
        return list({(group.befores, group.afters): group for group in self.precedences}.values())

    @cached_property
    def wishes(self) -> Sequence[str]:
        """The nodes as they would like to be: larger priority, earlier declaration, smaller name first."""
        wishes = sorted(self.declarations.values(), key=attrgetter("index"))  # they are in order of name
        if any(map(attrgetter("priority"), wishes)):
            wishes.sort(key=lambda node: -node.priority)
        return [node.name for node in wishes]

    @cached_property
    def crowds(self) -> Sequence[Sequence[str]]:
        """Nodes that follow one another in ``wishes`` and come before and after the same others, in that order."""
        places = dict(zip(self.wishes, count(), strict=False))
        ordered = {name for pair in self.explicit for name in pair}
        found = []
        for nodes, roles in self.alike:
            # Who stands at two places of one life comes before or after itself.
            if len(nodes) > 1 and len(dict(roles)) == len(roles) and ordered.isdisjoint(nodes):
                taken = sorted(map(places.__getitem__, nodes))
                if taken[-1] - taken[0] == len(taken) - 1:
                    found.append(self.wishes[taken[0] : taken[-1] + 1])
        return found

    @cached_property
    def order(self) -> Sequence[str]:
        """The nodes in the order of ``precedences``, as far as these have no cycle, by their ``wishes``."""
        return first_order(self.wishes, self.distinct, self.crowds)


def draft(
    snapshot: GraphSnapshot,
    words: Indirections,
    declarations: Sequence[NodeDeclaration],
    left_out: Iterable[NodeDeclaration] = (),
    parts: Parts | None = None,
) -> Draft:
    """Bind every name of the declarations, which must be in order of name and have different names.

    ``left_out`` are nodes that have been removed.
    """
    parts = parts or Parts()
    known = [node.name for node in declarations]
    asks = parts.of(_asked, shared=True).all(known, declarations)
    chained = [(node, ask.chains) for node, ask in zip(declarations, asks, strict=True) if ask.chains]
    threads = thread(words, chained, set(known))
    finals = _finals(words, threads)
    names = _meant(declarations, asks, words, threads, finals)
    # Whoever would stay if two made the same name comes first (``keep_order``); they are in order of name.
    places = [place for place, ask in enumerate(asks) if ask.makings]
    places.sort(key=lambda place: -declarations[place].priority)
    origins: dict[str, str] = {}
    for place in places:
        spelt, tos = names[place]
        for number, renames in asks[place].makings:
            if renames:
                origins.setdefault(tos[number], spelt[number])
            else:
                origins.setdefault(spelt[number], spelt[number])
    roots = _roots(origins)
    spellings, tos_of = zip(*names, strict=True) if names else ((), ())
    rooted = parts.of(_bound).all(known, declarations, spellings, tos_of, Lookup(roots, spellings))
    makers: dict[str, list[Ask]] = {}
    renamers: dict[str, list[Ask]] = {}
    for place in places:
        for bound in rooted[place].makings:
            renames = bound.request.verb is Verb.RENAME
            if renames:
                renamers.setdefault(bound.name, []).append((declarations[place], bound))
            makers.setdefault(bound.to if renames else bound.name, []).append((declarations[place], bound))
    inferred = infer_modes(rooted, {root: makers[root][0][0] for root in roots.values() if root})
    with_mode = parts.of(_with_mode)
    nodes = list(rooted)
    for name in [name for name, mode in inferred.items() if mode]:
        place = bisect_left(known, name)
        nodes[place] = with_mode(name, nodes[place], inferred[name])
    resources = _resources(words, finals, makers, renamers, roots, inferred, parts)
    lost = _lost(left_out, finals)
    return Draft(snapshot, words, threads, finals, tuple(nodes), makers, renamers, resources, lost, parts)


def _lost(left_out: Iterable[NodeDeclaration], finals: Mapping[str, str]) -> dict[str, list[str]]:
    lost: dict[str, list[str]] = {}
    for node in left_out:
        for request in node.requests:
            if request.verb in _MAKING:
                made = created_name(request.chain, node.name) if request.chain else request.creates
                lost.setdefault(finals.get(made, made), []).append(node.name)
    return lost


class _Asked(NamedTuple):
    """What a node's requests say by themselves: their names and new names (``spelt``), the chains that they are for,
    with whether they add to these, and the numbers of those that make a name, with whether they rename."""

    spelt: _Spelt
    chains: tuple[tuple[str, bool], ...]
    makings: tuple[tuple[int, bool], ...]


def _asked(node: NodeDeclaration) -> _Asked:
    chains: dict[str, bool] = {}
    for request in node.requests:
        if request.chain:
            chains[request.chain] = chains.get(request.chain, False) or request.verb is Verb.CREATE
    return _Asked(
        (tuple([request.name for request in node.requests]), tuple([request.to for request in node.requests])),
        tuple(chains.items()),
        tuple(
            [
                (number, request.verb is Verb.RENAME)
                for number, request in enumerate(node.requests)
                if request.verb in _MAKING
            ]
        ),
    )


def _meant(
    declarations: Sequence[NodeDeclaration],
    asks: Sequence[_Asked],
    words: Indirections,
    threads: Threads,
    finals: Mapping[str, str],
) -> list[_Spelt]:
    """The names, and the new names, that each node's requests mean."""

    def direct(asked: _Asked) -> _Spelt:
        spelt, tos = asked.spelt
        if finals.keys().isdisjoint(spelt) and finals.keys().isdisjoint(tos):
            return asked.spelt
        return tuple(map(finals.get, spelt, spelt)), tuple(map(finals.get, tos, tos))

    names = once_a_run(direct, asks)
    for place in [place for place, ask in enumerate(asks) if ask.chains]:
        node, (spelt, tos) = declarations[place], names[place]
        names[place] = tuple(map(_chained, node.requests, spelt, *map(repeat, (node, words, threads, finals)))), tos
    return names


def _chained(
    request: Request, name: str, node: NodeDeclaration, words: Indirections, threads: Threads, finals: Mapping[str, str]
) -> str:
    """The name that a request means, whose own ``name`` is that already unless it is a chain's."""
    if not request.chain:
        return name
    if request.chain not in words.chains:
        return ""
    if request.verb is Verb.CREATE:
        return created_name(request.chain, node.name)
    given = threads.inputs[node.name, request.chain]
    return finals.get(given, given)


def _bound(node: NodeDeclaration, names: Sequence[str], tos: Sequence[str], roots: Sequence[str | None]) -> BoundNode:
    requests = [
        BoundRequest(number, request, name, root or "", to)
        for number, (request, name, root, to) in enumerate(zip(node.requests, names, roots, tos, strict=True))
    ]
    return BoundNode(node, tuple(requests), node.multiplex or frozenset())


def _with_mode(node: BoundNode, mode: frozenset[str]) -> BoundNode:
    return BoundNode(node.declaration, node.requests, mode)


def _finals(words: Indirections, threads: Threads) -> dict[str, str]:
    """Every indirect name with what it stands for in the end."""
    table = dict(words.slots) | {output: threads.ends[chain] for output, chain in words.outputs.items()}
    table |= {chain_source_name(chain, node): given for (node, chain), given in threads.inputs.items()}
    finals = {}
    for start in table:
        name = start
        seen = set()
        while name in table and name not in seen:
            seen.add(name)
            name = table[name]
        finals[start] = name
    return finals


def _roots(origins: Mapping[str, str]) -> dict[str, str]:
    """The root of every name that somebody makes, '' where renames lead to nothing or round in a loop.

    ``origins`` gives the old name of one that comes from a rename; a created name is its own.
    """
    roots: dict[str, str] = {}
    for start in origins:
        path = []
        name = start
        while name not in roots:
            old = origins.get(name, "")
            if old == name or name not in origins:
                roots[name] = old
                break
            roots[name] = ""  # what a loop of renames finds when it comes round
            path.append(name)
            name = old
        for step in path:
            roots[step] = roots[name]
    return roots


def _resources(
    words: Indirections,
    finals: Mapping[str, str],
    makers: Mapping[str, Sequence[Ask]],
    renamers: Mapping[str, Sequence[Ask]],
    roots: Mapping[str, str],
    inferred: Mapping[str, frozenset[str]],
    parts: Parts,
) -> dict[str, LogicalResource]:
    """Logical resources by root. A creation whose description cannot be known gives none."""
    resources = {}
    resource = parts.of(_resource)
    for root, asks in sorted([(name, asks) for name, asks in makers.items() if roots[name] == name], key=_first):
        declaration, bound = asks[0]
        desc = _desc(bound.request, words, finals, makers, roots)
        if desc is None:
            continue
        names = [root]
        while names[-1] in renamers:
            to = renamers[names[-1]][0][1].to
            if to in names or makers[to][0][1].name != names[-1]:
                break
            names.append(to)
        mode = inferred.get(declaration.name, declaration.multiplex or frozenset())
        resources[root] = resource(root, tuple(names), desc, declaration.name, bound.request, mode)
    return resources


def _resource(
    names: tuple[str, ...], desc: ResourceDesc, creator: str, request: Request, mode: frozenset[str]
) -> LogicalResource:
    external = request.verb is Verb.EXTERNAL
    return LogicalResource(names[0], names, desc, creator, external, request.clear, mode, request.source)


def _desc(
    request: Request,
    words: Indirections,
    finals: Mapping[str, str],
    makers: Mapping[str, Sequence[Ask]],
    roots: Mapping[str, str],
) -> ResourceDesc | None:
    """The description of a creation; a chain member that gives none has that of its chain's input, but only one mip,
    since it makes no more."""
    seen = set()
    while request.desc is None and request.chain in words.chains and request.chain not in seen:
        seen.add(request.chain)
        given = words.chains[request.chain].input
        root = roots.get(finals.get(given, given), "")
        if not root:
            return None
        request = makers[root][0][1].request
    if seen and isinstance(request.desc, Texture) and request.desc.mips > 1:
        return replace(request.desc, mips=1)
    return request.desc
