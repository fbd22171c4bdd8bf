"""Decides in each frame which nodes are skipped: those not due by their rate, or whose blob has not changed.

A node runs regardless of its rate if it has no valid results: in its first frame, if its results could not be carried
over into a new plan, or if it or one of its dependencies has been declared anew.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Set
from copy import copy
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any
from weakref import WeakKeyDictionary

from renderwright.render.compiler.rates import is_rated, kept_resources, makers_of_conditions, run_together, writes
from renderwright.render.compiler.values.instances import InstanceGraph, NodeInstance
from renderwright.render.compiler.values.plan import Plan
from renderwright.render.graph.blob_cell import BlobCell
from renderwright.render.graph.declare import DeclaredNode
from renderwright.render.graph.requests import Verb
from renderwright.render.runtime.skipping.skips_at_hand import repeatable_nodes

RunNode = Callable[[str], None]
CellOf = Callable[[str], BlobCell]


@dataclass(frozen=True)
class LastRun:
    """The dependencies of a node's results when it last ran, and the values of its ``when`` blobs at that time.

    ``_equal`` has the revisions of cells whose values were found equal to these: each slot has cells of its own, and so
    has each plan, which the results may survive.
    """

    origin: tuple[object, ...]
    values: Mapping[str, Any]
    _equal: WeakKeyDictionary[BlobCell, int] = field(default_factory=WeakKeyDictionary, compare=False)

    def holds(self, blob: str, cell: BlobCell) -> bool:
        """Whether the value of a blob, now in ``cell``, is the same as then."""
        if self._equal.get(cell) != cell.revision:
            if _differ(cell.value, self.values[blob]):
                return False
            self._equal[cell] = cell.revision
        return True


class PlanRates:
    """The rated nodes of one plan. ``early`` are the ids of the nodes that make ``when`` blobs, in order."""

    def __init__(self, plan: Plan, declared: Mapping[str, DeclaredNode]) -> None:
        shown = {node.declaration.name for node in plan.graph.nodes}
        makers = makers_of_conditions(node for node in plan.resolved.nodes if node.declaration.name in shown)
        self.early_names = frozenset(name for names in makers.values() for name in names)
        early = [node for node in plan.graph.nodes if node.declaration.name in self.early_names]
        self.early = tuple(node.id for node in early)
        self.nodes = {node.id: node for node in plan.graph.nodes if is_rated(node.declaration)}
        self._graph = plan.graph
        self._groups = run_together(plan.graph)
        self._group_of = {node: number for number, group in enumerate(self._groups) for node in group}
        self._makers = {
            name: [maker.id for maker in early if maker.declaration.name in makers.get(node.declaration.name, ())]
            for name, node in self.nodes.items()
        }
        self._conditions = {name: _condition(node) for name, node in self.nodes.items()}
        self._results = _results(plan.graph, self.nodes)
        self._first_copies = {name: frozenset((result, 0) for result in found) for name, found in self._results.items()}
        self._causes = _causes(plan, self.nodes)
        self._declared = declared
        self._origins: dict[str, tuple[object, ...]] = {}

    def redeclared(self, declared: Mapping[str, DeclaredNode]) -> PlanRates:
        """The same nodes, some of which are declared anew."""
        anew = copy(self)
        anew._declared, anew._origins = declared, {}
        return anew

    def __bool__(self) -> bool:
        return bool(self.nodes)

    def skipped(
        self, frame: int, known: Mapping[str, LastRun], valid: Set[tuple[str, int]], run: RunNode, cell_of: CellOf
    ) -> frozenset[str]:
        """The nodes that are skipped in this frame.

        ``known`` are the last runs by node, ``valid`` the copies that have contents. ``run`` executes an early node;
        ``cell_of`` returns a blob's cell, which has its value once its makers have run.
        """
        if not self.nodes:
            return frozenset()
        return _Decision(self, frame, known, valid, run, cell_of).skipped()

    def results(self, node: str) -> list[str]:
        """The kept resources that a rated node writes."""
        return self._results[node]

    def note_runs(
        self,
        known: dict[str, LastRun],
        skipped: Collection[str],
        failed: Collection[str],
        valid: set[tuple[str, int]],
        cell_of: CellOf,
    ) -> None:
        """Remember the rated nodes that have run in ``known``, and mark their kept resources ``valid``.

        These are all but the ``skipped`` ones (by id) and those that ``failed`` (by name).
        """
        for node in self.nodes.values():
            if node.id not in skipped and node.declaration.name not in failed:
                values = {name: cell_of(name).value for name in self._conditions[node.id]}
                known[node.id] = LastRun(self._origin(node.id), values)
                valid.update((name, copy) for name in self.results(node.id) for copy in (0, 1))

    @cached_property
    def repeatable(self) -> frozenset[str]:
        """The nodes (ids) that give the same results if they run in a frame that could skip them."""
        return repeatable_nodes(self._graph, self._groups, frozenset(self.early))

    # used by the decision -------------------------------------------------------------------------------------------

    def due(
        self,
        group: int,
        frame: int,
        known: Mapping[str, LastRun],
        valid: Set[tuple[str, int]],
        cell_of: CellOf,
    ) -> bool:
        """Whether a group runs. The early nodes that it depends on have run."""
        for name in self._groups[group]:
            last = known.get(name)
            if last is None or last.origin != self._origin(name) or not self._first_copies[name] <= valid:
                return True
            rate = self.nodes[name].declaration.rate
            if not rate.when and frame % rate.every == rate.phase:
                return True
            for blob in self._conditions[name]:
                if not last.holds(blob, cell_of(blob)):
                    return True
        return False

    def group(self, node: str) -> int | None:
        """The number of a rated node's group; None for an unrated node."""
        return self._group_of.get(node)

    def origin(self, node: str) -> tuple[object, ...] | None:
        """What the results of a rated node depend on: declarations, and descriptions of resources. None for others."""
        return self._origin(node) if node in self._causes else None

    def _origin(self, node: str) -> tuple[object, ...]:
        if node not in self._origins:
            cause = self._causes[node]
            self._origins[node] = (*[self._declared[name] for name in cause.names], cause.used)
        return self._origins[node]

    def whole_groups(self, nodes: Set[str]) -> frozenset[str]:
        """Those of the nodes that run together with none but these."""
        return frozenset(node for group in self._groups if nodes >= set(group) for node in group)

    def makers(self, group: int) -> list[str]:
        """The early nodes that the decision about a group depends on, in order."""
        return [maker for node in self._groups[group] for maker in self._makers[node]]

    def groups(self) -> tuple[tuple[str, ...], ...]:
        """The nodes of each group."""
        return self._groups


class _Decision:
    """One frame's decision. Early nodes run on demand, each at most once."""

    def __init__(
        self,
        rates: PlanRates,
        frame: int,
        known: Mapping[str, LastRun],
        valid: Set[tuple[str, int]],
        run: RunNode,
        cell_of: CellOf,
    ) -> None:
        self._rates = rates
        self._inputs = frame, known, valid, cell_of
        self._run = run
        self._settled: set[str] = set()
        self._runs: dict[int, bool] = {}

    def skipped(self) -> frozenset[str]:
        for node in self._rates.early:
            self._settle(node)
        groups = self._rates.groups()
        return frozenset(node for number, group in enumerate(groups) if not self._due(number) for node in group)

    def _settle(self, node: str) -> None:
        if node in self._settled:
            return
        self._settled.add(node)
        group = self._rates.group(node)
        if group is None or self._due(group):
            self._run(node)

    def _due(self, group: int) -> bool:
        if group not in self._runs:
            for maker in self._rates.makers(group):
                self._settle(maker)
            frame, known, valid, cell_of = self._inputs
            self._runs[group] = self._rates.due(group, frame, known, valid, cell_of)
        return self._runs[group]


def _condition(node: NodeInstance) -> tuple[str, ...]:
    when = node.declaration.rate.when
    if not when:
        return ()
    found = (u.resources for u in node.uses if u.request.verb is Verb.READ and u.request.name == when)
    return next(found, ())


def _results(graph: InstanceGraph, nodes: Mapping[str, NodeInstance]) -> dict[str, list[str]]:
    kept = kept_resources(graph)
    descs = {item.id: item.resource.desc for item in graph.resources if item.id in kept}
    return {
        node.id: [
            name for use in node.uses for name in use.resources if name in kept and writes(use.request, descs[name])
        ]
        for node in nodes.values()
    }


def _differ(one: Any, other: Any) -> bool:
    """Whether two values differ: by equality, or by identity if equality has no single truth value (arrays)."""
    if one is other:
        return False
    try:
        return bool(one != other)
    except ValueError:
        return True


@dataclass(frozen=True)
class _Cause:
    """What the results of a node depend on: the ``names`` of the nodes that it depends on and its own, and the
    descriptions of the resources that it has ``used``."""

    names: tuple[str, ...]
    used: tuple[object, ...]


def _causes(plan: Plan, nodes: Mapping[str, NodeInstance]) -> dict[str, _Cause]:
    if not nodes:
        return {}
    infos = {placed.id: placed.info for placed in plan.placement.resources}
    names = {node.id: node.declaration.name for node in plan.graph.nodes}
    befores = _befores(plan.graph)
    causes = {}
    for node in nodes.values():
        declared = {names[node.id]}
        seen = {node.id}
        work = [node.id]
        while work:
            for group in befores.get(work.pop(), ()):
                for other in group:
                    if other not in seen and other in names:
                        seen.add(other)
                        declared.add(names[other])
                        work.append(other)
        used = tuple(infos.get(name) for use in node.uses for name in use.resources)
        causes[node.id] = _Cause(tuple(sorted(declared)), used)
    return causes


def _befores(graph: InstanceGraph) -> dict[str, list[tuple[str, ...]]]:
    befores: dict[str, list[tuple[str, ...]]] = {}
    for group in graph.precedences:
        for node in group.afters:
            befores.setdefault(node, []).append(group.befores)
    return befores
