"""The graph with its names bound, before it is known to be valid."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from render.compiler.chains import Threads, created_name, thread
from render.compiler.edges import Life, explicit_pairs
from render.compiler.faults import keep_order
from render.compiler.inference import infer_modes
from render.compiler.names import Indirections
from render.compiler.precedence import EdgeReason, Precedence
from render.compiler.snapshot import GraphSnapshot
from render.compiler.stages import BoundNode, BoundRequest, LogicalResource
from render.graph.requests import NodeDeclaration, Request, Verb, chain_source_name
from render.graph.resources import ResourceDesc

Ask = tuple[NodeDeclaration, BoundRequest]
"""One request together with the node that makes it."""


@dataclass(frozen=True)
class Draft:
    """Requests with bound names, and who creates and renames each name (the one who would stay comes first).

    A name's ``root`` is found by following renames back to its creation; it is '' if nobody creates it. ``resources``
    has no entry for a root whose description is not known.
    """

    snapshot: GraphSnapshot
    words: Indirections
    threads: Threads
    finals: Mapping[str, str]
    nodes: tuple[BoundNode, ...]
    makers: Mapping[str, Sequence[Ask]]
    renamers: Mapping[str, Sequence[Ask]]
    resources: Mapping[str, LogicalResource]

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
    def lives(self) -> Mapping[str, Life]:
        """Who uses each name that somebody makes."""
        lives: dict[str, Life] = {}
        for node in self.nodes:
            name = node.declaration.name
            for ask in node.requests:
                if ask.root:
                    lives.setdefault(ask.name, Life()).add(name, ask.request.verb)
                    if ask.to:
                        lives.setdefault(ask.to, Life()).creators[name] = None
        return lives

    @cached_property
    def precedences(self) -> Sequence[Precedence]:
        """Everything that declarations and names ask for, modifiers of one name not being ordered yet."""
        explicit = [
            Precedence((before,), (after,), EdgeReason.EXPLICIT) for before, after in explicit_pairs(self.declarations)
        ]
        return explicit + [group for name, life in sorted(self.lives.items()) for group in life.precedences(name)]


def draft(snapshot: GraphSnapshot, words: Indirections, declarations: Sequence[NodeDeclaration]) -> Draft:
    """Bind every name of the declarations, which must be in order of name and have different names."""
    threads = thread(words, declarations)
    finals = _finals(words, threads)
    loose = [BoundNode(node, tuple(_bind(node, words, threads, finals)), frozenset()) for node in declarations]
    makers: dict[str, list[Ask]] = {}
    renamers: dict[str, list[Ask]] = {}
    for node in sorted(loose, key=lambda node: keep_order(node.declaration)):
        for bound in node.requests:
            verb = bound.request.verb
            if verb is Verb.RENAME:
                renamers.setdefault(bound.name, []).append((node.declaration, bound))
                makers.setdefault(bound.to, []).append((node.declaration, bound))
            elif verb in (Verb.CREATE, Verb.EXTERNAL):
                makers.setdefault(bound.name, []).append((node.declaration, bound))
    roots = _roots(makers)
    rooted = [replace(node, requests=tuple(_rooted(b, roots) for b in node.requests)) for node in loose]
    modes = infer_modes(rooted, {root: makers[root][0][0].name for root in roots.values() if root})
    nodes = tuple(replace(node, mode=modes[node.declaration.name]) for node in rooted)
    resources = _resources(words, finals, makers, renamers, roots, modes)
    return Draft(snapshot, words, threads, finals, nodes, makers, renamers, resources)


def _rooted(bound: BoundRequest, roots: Mapping[str, str]) -> BoundRequest:
    root = roots.get(bound.name)
    return BoundRequest(bound.number, bound.request, bound.name, root, bound.to) if root else bound


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


def _bind(
    node: NodeDeclaration, words: Indirections, threads: Threads, finals: Mapping[str, str]
) -> list[BoundRequest]:
    result = []
    for number, request in enumerate(node.requests):
        if not request.chain:
            name = finals.get(request.name, request.name)
        elif request.chain not in words.chains:
            name = ""
        elif request.verb is Verb.CREATE:
            name = created_name(request.chain, node.name)
        else:
            name = threads.inputs[node.name, request.chain]
            name = finals.get(name, name)
        result.append(BoundRequest(number, request, name, "", finals.get(request.to, request.to)))
    return result


def _roots(makers: Mapping[str, Sequence[Ask]]) -> dict[str, str]:
    """The root of every name that somebody makes, '' where renames lead to nothing or round in a loop."""
    roots: dict[str, str] = {}
    for start in makers:
        path = []
        name = start
        while name not in roots:
            if name not in makers:
                roots[name] = ""
                break
            bound = makers[name][0][1]
            if bound.request.verb is not Verb.RENAME:
                roots[name] = name
                break
            roots[name] = ""  # what a loop of renames finds when it comes round
            path.append(name)
            name = bound.name
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
) -> dict[str, LogicalResource]:
    """Logical resources by root. A creation whose description cannot be known gives none."""
    resources = {}
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
        resources[root] = LogicalResource(
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
    """The description of a creation; a chain member that gives none has that of its chain's input."""
    seen = set()
    while request.desc is None and request.chain in words.chains and request.chain not in seen:
        seen.add(request.chain)
        given = words.chains[request.chain].input
        root = roots.get(finals.get(given, given), "")
        if not root:
            return None
        request = makers[root][0][1].request
    return request.desc
