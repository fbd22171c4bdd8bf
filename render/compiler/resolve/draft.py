"""The graph with its names bound, before it is known to be valid."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, count
from typing import TypeVar

from renderwright.render.columns import rows_of
from renderwright.render.compiler.instances.dependencies import explicit_pairs, precedences_of
from renderwright.render.compiler.resolve.asked import Asked, Crowd, Meaning, asked, crowds_of, makes, meaning_of
from renderwright.render.compiler.resolve.chains import Threads, created_name, thread
from renderwright.render.compiler.resolve.mode_inference import infer_modes
from renderwright.render.compiler.resolve.names import Indirections
from renderwright.render.compiler.resolve.waits import Waits, waits_of
from renderwright.render.compiler.values.precedence import Precedence
from renderwright.render.compiler.values.resolved import ANY, BoundNode, BoundRequest, LogicalResource, Traits
from renderwright.render.graph.requests import NodeDeclaration, Request, Verb, chain_source_name
from renderwright.render.graph.snapshot import GraphSnapshot
from renderwright.render.incremental.lineup import Lookup
from renderwright.render.incremental.memo import Parts
from renderwright.render.types.resources import ResourceDesc, Texture

T = TypeVar("T")

Ask = tuple[NodeDeclaration, BoundRequest]
"""One request together with the node that makes it."""


@dataclass(frozen=True)
class Draft:
    """Requests with bound names, and who creates and renames each name (the one who would stay comes first).

    A name's ``root`` is found by following renames back to its creation; it is '' if nobody creates it. ``resources``
    has no entry for a root whose description is not known. ``lost`` has the names that removed nodes would have made,
    with these nodes. ``names`` are those of the nodes, ``declared`` their declarations; all are in order of name.
    """

    snapshot: GraphSnapshot
    words: Indirections
    threads: Threads
    finals: Mapping[str, str]
    names: Sequence[str]
    declared: Sequence[NodeDeclaration]
    nodes: tuple[BoundNode, ...]
    crowds: Sequence[Crowd]
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
        return dict(zip(self.names, self.declared, strict=True))

    def declaration(self, name: str) -> NodeDeclaration:
        """The declaration of one node, which is soon found."""
        return self.declared[bisect_left(self.names, name)]

    @cached_property
    def named(self) -> Mapping[str, BoundNode]:
        """The nodes by name."""
        return dict(zip(self.names, self.nodes, strict=True))

    @cached_property
    def used(self) -> Sequence[tuple[LogicalResource | None, ...]]:
        """The resource of each request of each node; None where there is none."""
        found: list[tuple[LogicalResource | None, ...]] = []
        for first, end, _, meaning in self.crowds:
            found += [tuple(map(self.resources.get, meaning.roots))] * (end - first)
        return found

    @cached_property
    def complete(self) -> bool:
        """Whether there is a resource for every request."""
        return self.resources.keys() >= set(chain.from_iterable([crowd.meaning.roots for crowd in self.crowds]))

    @cached_property
    def traits(self) -> Traits:
        """Those of the nodes."""
        each = [crowd.asked.traits for crowd in self.crowds]
        return Traits(*map(any, zip(*each, strict=True))) if each else ANY

    @cached_property
    def wishing(self) -> Sequence[NodeDeclaration]:
        """The nodes that are declared to be before or after others."""
        wishing = [self.declared[first:end] for first, end, asked, _ in self.crowds if asked.wishes]
        return list(chain.from_iterable(wishing))

    @cached_property
    def explicit(self) -> Mapping[tuple[str, str], Sequence[str]]:
        """``explicit_pairs`` of all nodes."""
        return explicit_pairs(self.wishing, self.names)

    @cached_property
    def precedences(self) -> Sequence[Precedence]:
        """Everything that declarations and names ask for, modifiers of one name not being ordered yet."""
        roles = [(role, self.names[c.first : c.end]) for c in self.crowds for role in c.meaning.roles]
        return precedences_of(roles, self.explicit)

    @cached_property
    def waits(self) -> Waits:
        """What of ``precedences`` has to be looked at to put the nodes in order."""
        return waits_of(self.declared, self.crowds, self.explicit, self.parts)


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
    asks = parts.of(asked, shared=True).all(known, declarations)
    starts, ends = crowds_of(asks)
    said = [asks[start] for start in starts]
    heads = [known[start] for start in starts]
    members = [(declarations[start], ask.chains) for start, ask in zip(starts, said, strict=True) if ask.chains]
    threads = thread(words, members, known)
    finals = _finals(words, threads)
    spelt, tos = _meant(heads, said, words, threads, finals)
    # Whoever would stay if two made the same name comes first (``keep_order``); they are in order of name.
    making = [number for number, ask in enumerate(said) if ask.makings]
    making.sort(key=lambda number: -said[number].priority)
    origins: dict[str, str] = {}
    for crowd in making:
        for number, renames in said[crowd].makings:
            name = spelt[crowd][number]
            origins.setdefault(tos[crowd][number] if renames else name, name)
    roots = _roots(origins)
    kinds = [ask.kinds for ask in said]
    meanings = parts.of(meaning_of).all(heads, kinds, spelt, tos, Lookup(roots, spelt))
    crowds = rows_of(Crowd, starts, ends, said, meanings)
    nodes = list(parts.of(_bound).all(known, declarations, _each(crowds, meanings)))
    makers: dict[str, list[Ask]] = {}
    renamers: dict[str, list[Ask]] = {}
    for crowd in making:
        for node in nodes[starts[crowd] : ends[crowd]]:
            for number, renames in said[crowd].makings:
                bound = node.requests[number]
                if renames:
                    renamers.setdefault(bound.name, []).append((node.declaration, bound))
                makers.setdefault(bound.to if renames else bound.name, []).append((node.declaration, bound))
    modeless = list(chain.from_iterable([nodes[first:end] for first, end, ask, _ in crowds if ask.mode is None]))
    creators = {root: makers[root][0][0] for node in modeless for root in node.roots if root}
    inferred = infer_modes(modeless, creators)
    with_mode = parts.of(_with_mode)
    for name in [name for name, mode in inferred.items() if mode]:
        place = bisect_left(known, name)
        nodes[place] = with_mode(name, nodes[place], inferred[name])
    resources = _resources(words, finals, makers, renamers, roots, inferred, parts)
    lost = _lost(left_out, finals)
    names = (known, declarations, tuple(nodes), crowds)
    return Draft(snapshot, words, threads, finals, *names, makers, renamers, resources, lost, parts)


def _each(crowds: Iterable[Crowd], values: Iterable[T]) -> list[T]:
    """The values of crowds, node by node."""
    found: list[T] = []
    for (first, end, _, _), value in zip(crowds, values, strict=True):
        found += [value] * (end - first)
    return found


def _lost(left_out: Iterable[NodeDeclaration], finals: Mapping[str, str]) -> dict[str, list[str]]:
    lost: dict[str, list[str]] = {}
    for node in left_out:
        for request in node.requests:
            if makes(request.verb):
                made = created_name(request.chain, node.name) if request.chain else request.creates
                lost.setdefault(finals.get(made, made), []).append(node.name)
    return lost


def _meant(
    heads: Sequence[str],
    asks: Sequence[Asked],
    words: Indirections,
    threads: Threads,
    finals: Mapping[str, str],
) -> tuple[list[tuple[str, ...]], list[tuple[str, ...]]]:
    """The names, and the new names, that the requests of each crowd mean, whose first nodes are given."""
    are_direct, get = finals.keys().isdisjoint, finals.get
    spelt, tos = (
        [each if are_direct(each) else tuple(map(get, each, each)) for each in column]
        for column in ([ask.spelt for ask in asks], [ask.tos for ask in asks])
    )
    for crowd, (head, ask) in enumerate(zip(heads, asks, strict=True)):
        if ask.chained:
            names = list(spelt[crowd])
            for number, name, adds in ask.chained:
                if name not in words.chains:
                    names[number] = ""
                elif adds:
                    names[number] = created_name(name, head)
                else:
                    given = threads.inputs[head, name]
                    names[number] = get(given, given)
            spelt[crowd] = tuple(names)
    return spelt, tos


def _bound(node: NodeDeclaration, meaning: Meaning) -> BoundNode:
    names, tos, roots, roles, *_ = meaning
    requests = tuple(map(BoundRequest, count(), node.requests, names, roots, tos))
    return BoundNode(node, requests, node.multiplex or frozenset(), roots, roles)


def _with_mode(node: BoundNode, mode: frozenset[str]) -> BoundNode:
    return replace(node, mode=mode)


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
    made = sorted([name for name, origin in roots.items() if origin == name])
    inherited: dict[str, ResourceDesc | None] = {}
    descs: list[ResourceDesc | None] = []
    for request in [makers[root][0][1].request for root in made]:
        if request.desc is None and request.chain not in inherited:
            inherited[request.chain] = _desc(request, words, finals, makers, roots)
        descs.append(request.desc or inherited[request.chain])
    if None in descs:
        made = [root for root, desc in zip(made, descs, strict=True) if desc]
        descs = [desc for desc in descs if desc]
    creations = [makers[root][0] for root in made]
    found = parts.of(_resource).all(
        made,
        [_names(root, makers, renamers) if root in renamers else (root,) for root in made],
        descs,
        [node.name for node, _ in creations],
        [bound.request for _, bound in creations],
        [inferred[node.name] if node.multiplex is None else node.multiplex for node, _ in creations],
    )
    return dict(zip(made, found, strict=True))


def _names(root: str, makers: Mapping[str, Sequence[Ask]], renamers: Mapping[str, Sequence[Ask]]) -> tuple[str, ...]:
    """A name, and those that it is renamed to."""
    names = [root]
    while names[-1] in renamers:
        to = renamers[names[-1]][0][1].to
        if to in names or makers[to][0][1].name != names[-1]:
            break
        names.append(to)
    return tuple(names)


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
