"""The graph with its names bound, before it is known to be valid."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import repeat

from render.compiler.chains import Threads, created_name, thread
from render.compiler.edges import Life, explicit_pairs, life_precedences
from render.compiler.faults import keep_order
from render.compiler.inference import infer_modes
from render.compiler.memo import Parts
from render.compiler.names import Indirections
from render.compiler.precedence import EdgeReason, Precedence, first_order
from render.compiler.snapshot import GraphSnapshot
from render.compiler.stages import BoundNode, BoundRequest, LogicalResource
from render.graph.requests import NodeDeclaration, Request, Verb, chain_source_name
from render.graph.resources import ResourceDesc, Texture

_MAKING = (Verb.CREATE, Verb.EXTERNAL, Verb.RENAME)

Ask = tuple[NodeDeclaration, BoundRequest]
"""One request together with the node that makes it."""


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
    def modes(self) -> Mapping[str, frozenset[str]]:
        """Modes by node name, declared or inferred."""
        return {node.declaration.name: node.mode for node in self.nodes}

    @cached_property
    def used(self) -> Sequence[tuple[LogicalResource | None, ...]]:
        """The resource of each request of each node; None where there is none."""
        get = self.resources.get
        return [tuple(map(get, node.roots)) for node in self.nodes]

    @cached_property
    def lives(self) -> Mapping[str, Life]:
        """Who uses each name that somebody makes."""
        lives: dict[str, Life] = defaultdict(Life.begin)
        for node in self.nodes:
            name = node.declaration.name
            for used, step in node.roles:
                lives[used][step][name] = None
        return lives

    @cached_property
    def precedences(self) -> Sequence[Precedence]:
        """Everything that declarations and names ask for, modifiers of one name not being ordered yet."""
        groups = [
            Precedence((before,), (after,), EdgeReason.EXPLICIT) for before, after in explicit_pairs(self.declarations)
        ]
        asked = self.parts.of(life_precedences)
        for name, life in sorted(self.lives.items()):
            groups += asked(name, name, life.users)
        return groups

    @cached_property
    def distinct(self) -> Sequence[Precedence]:
        """One of the ``precedences`` between the same nodes."""
        return list({(group.befores, group.afters): group for group in self.precedences}.values())

    @cached_property
    def order(self) -> Sequence[str]:
        """The nodes in the order of ``precedences``, as far as these have no cycle: larger priority, earlier
        declaration, smaller name first."""
        wishes = sorted((-node.priority, node.index, name) for name, node in self.declarations.items())
        return first_order([name for _, _, name in wishes], self.distinct)


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
    asks = parts.of(_asked).all(known, declarations)
    chained = [node for node, ask in zip(declarations, asks, strict=True) if ask.chained]
    threads = thread(words, chained, set(known))
    finals = _finals(words, threads)
    direct = finals.keys().isdisjoint
    names = [
        ask.spelt
        if not ask.chained and direct(ask.spelt[0]) and direct(ask.spelt[1])
        else _final_names(node, ask, words, threads, finals)
        for node, ask in zip(declarations, asks, strict=True)
    ]
    # Whoever would stay if two made the same name comes first.
    places = [place for place, ask in enumerate(asks) if ask.makings]
    places.sort(key=lambda place: keep_order(declarations[place]))
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
    own_roots = [tuple(map(roots.get, spelt, repeat(""))) for spelt in spellings]
    rooted = parts.of(_bound).all(known, declarations, spellings, tos_of, own_roots)
    makers: dict[str, list[Ask]] = {}
    renamers: dict[str, list[Ask]] = {}
    for place in places:
        for bound in rooted[place].makings:
            renames = bound.request.verb is Verb.RENAME
            if renames:
                renamers.setdefault(bound.name, []).append((declarations[place], bound))
            makers.setdefault(bound.to if renames else bound.name, []).append((declarations[place], bound))
    modes = infer_modes(rooted, {root: makers[root][0][0].name for root in roots.values() if root})
    with_mode = parts.of(_with_mode)
    found = [(node, modes[node.declaration.name]) for node in rooted]
    nodes = tuple([node if node.mode == mode else with_mode(node.declaration.name, node, mode) for node, mode in found])
    resources = _resources(words, finals, makers, renamers, roots, modes, parts)
    lost = _lost(left_out, finals)
    return Draft(snapshot, words, threads, finals, nodes, makers, renamers, resources, lost, parts)


def _lost(left_out: Iterable[NodeDeclaration], finals: Mapping[str, str]) -> dict[str, list[str]]:
    lost: dict[str, list[str]] = {}
    for node in left_out:
        for request in node.requests:
            if request.verb in _MAKING:
                made = created_name(request.chain, node.name) if request.chain else request.creates
                lost.setdefault(finals.get(made, made), []).append(node.name)
    return lost


@dataclass(frozen=True)
class _Asked:
    """What a node's requests say by themselves: their names and new names (``spelt``), whether any is a chain's, and
    the numbers of those that make a name, with whether they rename."""

    spelt: tuple[tuple[str, ...], tuple[str, ...]]
    chained: bool
    makings: tuple[tuple[int, bool], ...]


def _asked(node: NodeDeclaration) -> _Asked:
    return _Asked(
        (tuple([request.name for request in node.requests]), tuple([request.to for request in node.requests])),
        any(request.chain for request in node.requests),
        tuple(
            [
                (number, request.verb is Verb.RENAME)
                for number, request in enumerate(node.requests)
                if request.verb in _MAKING
            ]
        ),
    )


def _final_names(
    node: NodeDeclaration, asked: _Asked, words: Indirections, threads: Threads, finals: Mapping[str, str]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The names, and the new names, that the node's requests mean."""
    spelt, tos = (tuple(map(finals.get, each, each)) for each in asked.spelt)
    if not asked.chained:
        return spelt, tos
    names = []
    for request in node.requests:
        if not request.chain:
            name = finals.get(request.name, request.name)
        elif request.chain not in words.chains:
            name = ""
        elif request.verb is Verb.CREATE:
            name = created_name(request.chain, node.name)
        else:
            name = threads.inputs[node.name, request.chain]
            name = finals.get(name, name)
        names.append(name)
    return tuple(names), tos


def _bound(node: NodeDeclaration, names: Sequence[str], tos: Sequence[str], roots: Sequence[str]) -> BoundNode:
    numbers = range(len(names))
    requests = tuple(map(BoundRequest, numbers, node.requests, names, roots, tos))
    return BoundNode(node, requests, node.multiplex or frozenset())


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
    modes: Mapping[str, frozenset[str]],
    parts: Parts,
) -> dict[str, LogicalResource]:
    """Logical resources by root. A creation whose description cannot be known gives none."""
    resources = {}
    resource = parts.of(LogicalResource)
    for root, (declaration, bound) in sorted((name, asks[0]) for name, asks in makers.items() if roots[name] == name):
        desc = _desc(bound.request, words, finals, makers, roots)
        if desc is None:
            continue
        names = [root]
        while names[-1] in renamers:
            to = renamers[names[-1]][0][1].to
            if to in names or makers[to][0][1].name != names[-1]:
                break
            names.append(to)
        resources[root] = resource(
            root,
            root,
            tuple(names),
            desc,
            declaration.name,
            bound.request.verb is Verb.EXTERNAL,
            bound.request.clear,
            modes[declaration.name],
            bound.request.source,
        )
    return resources


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
