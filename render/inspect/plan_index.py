"""Lookup tables of a plan, for reports that follow one node or resource through all stages."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import cached_property

from renderwright.render.compiler.resources.access_history import AccessHistory, access_histories
from renderwright.render.compiler.values.instances import NodeInstance
from renderwright.render.compiler.values.plan import Plan
from renderwright.render.compiler.values.uses import Use
from renderwright.render.graph.requests import NodeDeclaration
from renderwright.render.inspect.coalesced import Row, rows
from renderwright.render.sync.barriers import BarrierBatch


class PlanIndex:
    """Lookup tables of one plan.

    ``numbers`` are positions of node instances in the order, ``instances`` the ids of the instances of a node name,
    ``passes`` the pass of each position, ``declarations`` all nodes by name, including removed ones.
    """

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.nodes: Sequence[NodeInstance] = plan.graph.nodes
        self.numbers = {node.id: number for number, node in enumerate(self.nodes)}
        self.instances: dict[str, list[str]] = defaultdict(list)
        for node in self.nodes:
            self.instances[node.declaration.name].append(node.id)
        self.declarations: dict[str, NodeDeclaration] = {
            declaration.name: declaration
            for declaration in (*(node.declaration for node in plan.resolved.nodes), *plan.resolved.left_out)
        }
        self.removals = {removal.node: removal for removal in plan.removed}
        self.resources = {item.id: item for item in plan.graph.resources}
        self.placed = {placed.id: placed for placed in plan.placement.resources}
        self.passes = [
            number for number, item in enumerate(plan.pass_plan.passes) for _ in range(item.first, item.last + 1)
        ]
        self.histories = access_histories(plan.graph)

    @cached_property
    def spans(self) -> Sequence[tuple[str, int, int, int]]:
        """The bytes of all copies: the resource, its heap, the first byte and the one behind the last."""
        return [
            (placed.id, copy.heap, copy.offset, copy.offset + placed.size)
            for placed in self.placed.values()
            for copy in placed.copies
        ]

    def time(self, resource: str) -> AccessHistory:
        """The access history of a resource; empty for blobs."""
        return self.histories.get(resource, AccessHistory())

    def uses_of(self, resource: str) -> Iterator[tuple[NodeInstance, Use]]:
        """All uses of a resource instance, in order."""
        for node in self.nodes:
            for use in node.uses:
                if resource in use.resources:
                    yield node, use

    def barriers(self, pass_number: int | None = None) -> Iterator[tuple[int, BarrierBatch, Row]]:
        """The planned barriers of an even (0) and an odd (1) frame, at one pass or all: frame, batch, and the barrier
        with the global memory barrier that replaces it."""
        for frame in (0, 1):
            for batch, found in rows(self.plan.sync, frame):
                if pass_number in (None, batch.number):
                    for row in found:
                        yield frame, batch, row
