"""Stage 2: bind names, namespaces, slots, chains and renames; draw the edges; find what is invalid and repair it.

A repair removes nodes (or ignores a declared order) and starts anew, so a chain closes over a member that has left.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from renderwright.render.compiler.diagnostics.faults import Fault, error, keep_order, near_miss, note
from renderwright.render.compiler.diagnostics.findings import Problem, Removal
from renderwright.render.compiler.resolve.checks.each_node import all_faultless
from renderwright.render.compiler.resolve.checks.kinds import check_kinds
from renderwright.render.compiler.resolve.checks.modes import check_dimensions, check_modes, check_orders
from renderwright.render.compiler.resolve.checks.names import check_chain_names, check_names
from renderwright.render.compiler.resolve.checks.rates import check_rates
from renderwright.render.compiler.resolve.checks.requests import (
    check_chains,
    check_descriptions,
    check_history,
    check_makers,
    check_requests,
)
from renderwright.render.compiler.resolve.cycles import break_cycles
from renderwright.render.compiler.resolve.draft import Draft, draft
from renderwright.render.compiler.resolve.modifier_order import serialise
from renderwright.render.compiler.resolve.names import indirections
from renderwright.render.compiler.resolve.namespaces import qualified
from renderwright.render.compiler.values.precedence import EdgeReason, Precedence, precedences
from renderwright.render.compiler.values.resolved import ResolvedGraph
from renderwright.render.graph.requests import NodeDeclaration
from renderwright.render.graph.snapshot import GraphSnapshot
from renderwright.render.incremental.memo import Parts


def resolve(snapshot: GraphSnapshot, parts: Parts | None = None) -> ResolvedGraph:
    """The graph with every name bound and every error repaired; each repair is reported in ``problems``."""
    parts = parts or Parts()
    words = parts.of(indirections)("", snapshot.slots, snapshot.chains)
    declarations, faults = _unique(qualified(snapshot, parts))
    everybody = declarations
    left_out: list[NodeDeclaration] = []
    while True:
        bound = draft(snapshot, words, declarations, left_out, parts)
        checks = _CHECKS_OF_SEVERAL if all_faultless(bound) else _CHECKS
        new = next((found for check in checks if (found := check(bound))), [])
        if not new:
            break
        faults += new
        declarations = _repaired(declarations, new)
        kept = {node.name for node in declarations}
        left_out = [node for node in everybody if node.name not in kept]
    removed: dict[str, Removal] = {}
    for fault in faults:
        if fault.removal is not None:
            removed.setdefault(fault.removal.node, fault.removal)
    rows, choices = serialise(bound, parts)
    sinks, sink_problems = _sinks(bound)
    problems = [fault.problem for fault in faults if fault.problem is not None]
    problems += [*words.problems, *bound.threads.problems, *sink_problems, *_absent(snapshot, bound), *choices]
    return ResolvedGraph(
        nodes=bound.nodes,
        resources=tuple(bound.resources.values()),
        explicit=tuple(bound.explicit),
        sinks=sinks,
        aliases=tuple(sorted(bound.finals.items())),
        removed=tuple(removed[node] for node in sorted(removed)),
        problems=tuple(dict.fromkeys(problems)),
        left_out=tuple(left_out),
        lost=tuple((name, node) for name, nodes in sorted(bound.lost.items()) for node in nodes),
        rows=rows,
        traits=bound.traits,
    )


def _check_cycles(bound: Draft) -> list[Fault]:
    rootless = list(_rootless_renames(bound))
    if not rootless and bound.waits.possible:
        return []
    return break_cycles(bound.declarations, [*bound.precedences, *rootless])


# Each check may rely on the ones before it to have found nothing.
_CHECKS: tuple[Callable[[Draft], list[Fault]], ...] = (
    check_names,
    check_chain_names,
    check_requests,
    check_dimensions,
    check_makers,
    check_chains,
    check_kinds,
    check_history,
    check_modes,
    check_orders,
    _check_cycles,
    check_descriptions,
    check_rates,
)

_CHECKS_OF_SEVERAL = tuple(
    [
        check
        for check in _CHECKS
        if check not in (check_names, check_requests, check_kinds, check_modes, check_descriptions)
    ]
)
"""Those that are left where all nodes are faultless by themselves."""


def _unique(nodes: Sequence[NodeDeclaration]) -> tuple[Sequence[NodeDeclaration], list[Fault]]:
    """The nodes, given in order of name; of several with one name, the one that ``keep_order`` and its source put
    first."""
    if len({node.name for node in nodes}) == len(nodes):
        return nodes, []
    kept: dict[str, NodeDeclaration] = {}
    faults = []
    for node in sorted(nodes, key=lambda node: (node.name, keep_order(node), str(node.source), node.index)):
        other = kept.setdefault(node.name, node)
        if other is not node:
            message = f"there are two nodes `{node.name}`; the one declared at {other.source} stays"
            problem = error("two-nodes", message, "rename one of them", [other.source, node.source])
            faults.append(Fault(problem))
    return list(kept.values()), faults


def _repaired(declarations: Sequence[NodeDeclaration], faults: Iterable[Fault]) -> list[NodeDeclaration]:
    removed = {fault.removal.node for fault in faults if fault.removal is not None}
    ignored = {pair for fault in faults for pair in fault.ignored}
    touched = {name for pair in ignored for name in pair}
    result = []
    for node in declarations:
        if node.name in removed:
            continue
        if node.name in touched:
            node = replace(
                node,
                before=tuple(other for other in node.before if (node.name, other) not in ignored),
                after=tuple(other for other in node.after if (other, node.name) not in ignored),
            )
        result.append(node)
    return result


def _rootless_renames(bound: Draft) -> Iterable[Precedence]:
    """Edges from rename to rename where they lead to no creation: some of these go round in a loop."""
    for name, asks in sorted(bound.renamers.items()):
        for node, ask in asks:
            if not ask.root and name in bound.makers:
                yield from precedences((bound.makers[name][0][0].name,), (node.name,), EdgeReason.USE_RENAME, name)


def _sinks(bound: Draft) -> tuple[tuple[str, ...], list[Problem]]:
    roots = {name: root for root, resource in bound.resources.items() for name in resource.names}
    sinks: dict[str, None] = {}
    problems = []
    for sink in sorted(set(bound.snapshot.sinks)):
        root = roots.get(bound.final(sink))
        if root is None:
            message = f"the frame is made for `{sink}`, which nobody creates"
            problems.append(error("no-sink", message, near_miss(sink, roots) or f"create `{sink}` in a node", ()))
        else:
            sinks[root] = None
    return tuple(sinks), problems


_HINTS = 20
"""How many absent names get a search for near ones, which is slow."""


def _absent(snapshot: GraphSnapshot, bound: Draft) -> list[Problem]:
    """Notes on before/after that name nodes which were never there (what was removed has been reported)."""
    known = {node.name for node in snapshot.nodes} if bound.wishing else set[str]()
    problems: list[Problem] = []
    for node in bound.wishing:
        name = node.name
        for what, others in (("before", node.before), ("after", node.after)):
            for other in sorted(set(others)):
                if other == name:
                    message = f"`{name}` is declared to run {what} itself, which is ignored"
                elif other not in known:
                    message = f"`{name}` is declared to run {what} `{other}`, which is not in the graph"
                else:
                    continue
                hint = near_miss(other, known - {name}) if len(problems) < _HINTS else ""
                problems.append(note("unknown-node", message, hint, [node.source]))
    return problems
