"""The stage ``resolve``: bind names, check the graph, repair it, and order the modifiers of each name.

A repair removes nodes or ignores declared orders, and all names are bound again, so that a chain closes over a member
that has left.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace

from renderwright.render.compiler.diagnostics.faults import Fault, error, keep_order
from renderwright.render.compiler.diagnostics.findings import Problem, Rejection, Removal, RemovalReason
from renderwright.render.compiler.diagnostics.near_names import near_miss
from renderwright.render.compiler.diagnostics.removal_reasons import replaced
from renderwright.render.compiler.resolve.bind import BoundGraph, bind
from renderwright.render.compiler.resolve.checks.chains import chains_without_input, check_chains
from renderwright.render.compiler.resolve.checks.kinds import check_kinds
from renderwright.render.compiler.resolve.checks.limits import check_limits
from renderwright.render.compiler.resolve.checks.modes import check_dimensions, check_modes, check_order_modes
from renderwright.render.compiler.resolve.checks.names import check_chain_names, check_names, unknown_nodes
from renderwright.render.compiler.resolve.checks.rates import check_rates
from renderwright.render.compiler.resolve.checks.requests import (
    check_creations,
    check_descriptions,
    check_history,
    check_requests,
)
from renderwright.render.compiler.resolve.cycles import check_cycles
from renderwright.render.compiler.resolve.modifier_order import serialise
from renderwright.render.compiler.resolve.names import IndirectNames, indirect_names
from renderwright.render.compiler.resolve.namespaces import qualified
from renderwright.render.compiler.values.options import ANY_COLORS, ANY_SAMPLES
from renderwright.render.compiler.values.resolved import ResolvedGraph
from renderwright.render.graph.requests import NodeDeclaration
from renderwright.render.graph.snapshot import GraphSnapshot

# Each check may rely on the ones before it to have found nothing.
_CHECKS: tuple[Callable[[BoundGraph], list[Fault]], ...] = (
    check_names,
    check_chain_names,
    check_requests,
    check_dimensions,
    check_creations,
    check_chains,
    check_kinds,
    check_history,
    check_modes,
    check_order_modes,
    check_cycles,
    check_descriptions,
    check_rates,
)


def resolve(
    snapshot: GraphSnapshot,
    most_samples: int = ANY_SAMPLES,
    most_colors: int = ANY_COLORS,
    between: Callable[[], None] = lambda: None,
) -> ResolvedGraph:
    """The graph with every name bound and every error repaired; each repair is reported in ``problems``.

    Textures have up to ``most_samples`` samples a texel, and nodes up to ``most_colors`` color attachments. ``between``
    is called between the checks.
    """
    indirect = indirect_names(snapshot.slots, snapshot.chains)
    unique, duplicates = _unique(qualified(snapshot))
    replacements = _replacements(unique)
    between()
    repaired = _repair(snapshot, indirect, unique, replacements, (most_samples, most_colors), between)
    bound, faults = repaired.bound, [*duplicates, *replacements, *repaired.faults]
    between()
    rows, choices = serialise(bound)
    between()
    removed = _removals(faults)
    broken = {removal.node for removal in removed if removal.reason is RemovalReason.BROKEN}
    sinks, sink_problems = _sinks(bound)
    problems = [*repaired.chain_problems, *[fault.problem for fault in faults if fault.problem is not None]]
    problems += [*indirect.problems, *bound.chains.problems, *sink_problems, *unknown_nodes(bound), *choices]
    return ResolvedGraph(
        nodes=bound.nodes,
        resources=tuple(bound.resources.values()),
        explicit=tuple(bound.explicit),
        sinks=sinks,
        aliases=tuple(sorted(bound.aliases.targets.items())),
        removed=removed,
        problems=tuple(dict.fromkeys(problems)),
        left_out=tuple(repaired.left_out),
        lost_names=tuple((name, node) for name, nodes in sorted(bound.lost_names.items()) for node in nodes),
        consequences=frozenset(name for name, nodes in bound.lost_names.items() if not broken.isdisjoint(nodes)),
        rows=rows,
        groups=bound.dependencies,
        rejected=repaired.rejected,
        chains=tuple(indirect.chains),
    )


@dataclass(frozen=True)
class _RepairedGraph:
    """The graph in which no check finds a fault any more, and the ``faults`` that were repaired.

    ``left_out`` are the declarations of the nodes that are not in it, ``rejected`` those of them with mistakes of their
    own. ``chain_problems`` are of chains whose input no node makes.
    """

    bound: BoundGraph
    left_out: Sequence[NodeDeclaration]
    faults: Sequence[Fault]
    rejected: tuple[Rejection, ...]
    chain_problems: Sequence[Problem]


def _repair(
    snapshot: GraphSnapshot,
    indirect: IndirectNames,
    nodes: Sequence[NodeDeclaration],
    replacements: Sequence[Fault],
    limits: tuple[int, int],
    between: Callable[[], None],
) -> _RepairedGraph:
    """Repairs what one check finds at a time, and binds the names again, until no check finds anything.

    ``limits`` are the most samples and the most color attachments.
    """
    faults: list[Fault] = []
    rejected: tuple[Rejection, ...] = ()
    staying = _without_faults(nodes, replacements)
    left_out = _left_out(nodes, staying)
    bound = bind(snapshot, indirect, staying, left_out)
    between()
    # Repairs remove the members of a chain without input. One behind members of plugins comes to light after that.
    first_problems = chains_without_input(bound)
    while found := _first_faults(bound, between) or check_limits(bound, *limits):
        faults += found
        # Only the first check that rejects nodes counts. What later ones find may be a consequence of its repair.
        rejected = rejected or _rejections(found)
        staying = _without_faults(staying, found)
        left_out = _left_out(nodes, staying)
        bound = bind(snapshot, indirect, staying, left_out)
    return _RepairedGraph(bound, left_out, faults, rejected, [*first_problems, *chains_without_input(bound)])


def _unique(nodes: Sequence[NodeDeclaration]) -> tuple[Sequence[NodeDeclaration], list[Fault]]:
    """The nodes in order of name, and a fault for each node whose name is taken.

    Of several nodes with one name, the first by ``keep_order`` and then by source stays.
    """
    kept: dict[str, NodeDeclaration] = {}
    faults = []
    rank = keep_order(nodes)
    for node in sorted(nodes, key=lambda node: (node.name, rank(node), str(node.source), node.index)):
        other = kept.setdefault(node.name, node)
        if other is not node:
            message = f"there are two nodes `{node.name}`; the one declared at {other.source} stays"
            problem = error("two-nodes", message, "rename one of them", [other.source, node.source])
            faults.append(Fault(problem))
    return list(kept.values()), faults


def _replacements(nodes: Sequence[NodeDeclaration]) -> list[Fault]:
    """The removals of nodes that others replace."""
    names = {node.name for node in nodes}
    return [Fault(None, replaced(removed, by=node)) for node in nodes for removed in node.replaces if removed in names]


def _left_out(nodes: Sequence[NodeDeclaration], kept: Sequence[NodeDeclaration]) -> list[NodeDeclaration]:
    names = {node.name for node in kept}
    return [node for node in nodes if node.name not in names]


def _first_faults(bound: BoundGraph, between: Callable[[], None]) -> list[Fault]:
    """The faults of the first check that finds any."""
    for check in _CHECKS:
        between()
        faults = check(bound)
        if faults:
            return faults
    return []


def _without_faults(declarations: Sequence[NodeDeclaration], faults: Iterable[Fault]) -> list[NodeDeclaration]:
    """The nodes that stay, without the declared orders that are ignored."""
    removed = {fault.removal.node for fault in faults if fault.removal is not None}
    ignored = {pair for fault in faults for pair in fault.ignored}
    changed = {name for pair in ignored for name in pair}
    return [
        _without_orders(node, ignored) if node.name in changed else node
        for node in declarations
        if node.name not in removed
    ]


def _without_orders(node: NodeDeclaration, ignored: Collection[tuple[str, str]]) -> NodeDeclaration:
    before = tuple(other for other in node.before if (node.name, other) not in ignored)
    after = tuple(other for other in node.after if (other, node.name) not in ignored)
    return replace(node, before=before, after=after)


def _sinks(bound: BoundGraph) -> tuple[tuple[str, ...], list[Problem]]:
    """The roots of the declared sinks, and a problem for each sink that no node creates."""
    roots = {name: root for root, resource in bound.resources.items() for name in resource.names}
    sinks: dict[str, None] = {}
    problems = []
    for sink in sorted(set(bound.snapshot.sinks)):
        root = roots.get(bound.aliases.target(sink))
        if root is None:
            message = f"the frame is made for `{sink}`, which nobody creates"
            problems.append(error("no-sink", message, near_miss(sink, roots) or f"create `{sink}` in a node", ()))
        else:
            sinks[root] = None
    return tuple(sinks), problems


def _rejections(faults: Iterable[Fault]) -> tuple[Rejection, ...]:
    """The nodes that are removed for mistakes of their own, each with its first one."""
    found: dict[str, Rejection] = {}
    for fault in faults:
        removal, problem = fault.removal, fault.problem
        if problem is not None and removal is not None and removal.reason is RemovalReason.INVALID:
            found.setdefault(removal.node, Rejection(removal.node, problem))
    return tuple(found[node] for node in sorted(found))


def _removals(faults: Iterable[Fault]) -> tuple[Removal, ...]:
    """The first removal of each node, in order of name."""
    removals: dict[str, Removal] = {}
    for fault in faults:
        if fault.removal is not None:
            removals.setdefault(fault.removal.node, fault.removal)
    return tuple(removals[node] for node in sorted(removals))
