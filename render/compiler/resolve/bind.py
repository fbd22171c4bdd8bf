"""Name binding: the resource that every request of every node is for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from renderwright.render.compiler.diagnostics.faults import Fault, error, invalid
from renderwright.render.compiler.instances.dependencies import NameUsers, explicit_pairs
from renderwright.render.compiler.instances.topological_sort import first_order
from renderwright.render.compiler.resolve.aliases import Aliases, aliases_of
from renderwright.render.compiler.resolve.chains import ThreadedChains, thread_chains
from renderwright.render.compiler.resolve.dependencies import dependencies_of, urgency, users_by_name
from renderwright.render.compiler.resolve.mode_inference import infer_modes
from renderwright.render.compiler.resolve.names import IndirectNames
from renderwright.render.compiler.resolve.origins import MAKING, Origins, origins_of
from renderwright.render.compiler.resolve.resources import logical_resources
from renderwright.render.compiler.values.precedence import Precedence
from renderwright.render.compiler.values.resolved import BoundNode, BoundRequest, LogicalResource
from renderwright.render.graph.requests import NodeDeclaration, chain_result_name, chain_source_name
from renderwright.render.graph.snapshot import GraphSnapshot


class ResourceUse(NamedTuple):
    """A request for a resource that exists."""

    node: BoundNode
    bound: BoundRequest
    resource: LogicalResource
    creator: NodeDeclaration

    def fault(self, code: str, message: str, hint: str) -> Fault:
        """The fault that removes the node because of this request.

        If the node is the skeleton's and the resource a plugin's, the creator is removed: it does not fit the skeleton.
        """
        where = [self.bound.request.source, self.resource.source]
        foreign = self.creator.plugin and not self.node.declaration.plugin
        return invalid(self.creator.name if foreign else self.node.name, error(code, message, hint, where))


@dataclass(frozen=True, eq=False)
class BoundGraph:
    """The graph with its names bound, not yet known to be valid.

    ``nodes`` are in order of name. ``resources`` are by root; a root whose description is unknown has none.
    ``lost_names`` maps the names that removed nodes would have made, and those of their inputs in chains, to these
    nodes. ``explicit`` are the declared (before, after) pairs with the nodes that declare them.
    """

    snapshot: GraphSnapshot
    aliases: Aliases
    origins: Origins
    nodes: tuple[BoundNode, ...]
    resources: Mapping[str, LogicalResource]
    lost_names: Mapping[str, Sequence[str]]
    explicit: Mapping[tuple[str, str], Sequence[str]]

    @property
    def indirect(self) -> IndirectNames:
        """The slots and chains."""
        return self.aliases.indirect

    @property
    def chains(self) -> ThreadedChains:
        """The chains in order."""
        return self.aliases.chains

    @cached_property
    def by_name(self) -> Mapping[str, BoundNode]:
        """The nodes by name."""
        return {node.name: node for node in self.nodes}

    @cached_property
    def declarations(self) -> Mapping[str, NodeDeclaration]:
        """The nodes' declarations by name."""
        return {node.name: node.declaration for node in self.nodes}

    @cached_property
    def uses(self) -> Sequence[ResourceUse]:
        """Every request for a resource that exists."""
        return [
            ResourceUse(node, bound, self.resources[bound.root], self.declarations[self.resources[bound.root].creator])
            for node in self.nodes
            for bound in node.requests
            if bound.root in self.resources
        ]

    @cached_property
    def users(self) -> Mapping[str, NameUsers]:
        """The users of each name."""
        return users_by_name(self.nodes)

    @cached_property
    def dependencies(self) -> tuple[Precedence, ...]:
        """The dependencies between nodes; modifiers of one name are not ordered yet."""
        return dependencies_of(self.users, self.explicit)

    @cached_property
    def order(self) -> Sequence[str]:
        """A topological order of the nodes, the most urgent first. Nodes on and behind cycles are left out."""
        names = [node.name for node in sorted(self.declarations.values(), key=urgency)]
        return first_order(names, self.dependencies)


def bind(
    snapshot: GraphSnapshot,
    indirect: IndirectNames,
    declarations: Sequence[NodeDeclaration],
    removed: Iterable[NodeDeclaration] = (),
) -> BoundGraph:
    """Bind every name in the declarations, which have unique names and are in order of name.

    ``removed`` are the declarations of nodes that earlier repairs took out.
    """
    aliases = aliases_of(indirect, thread_chains(indirect, declarations))
    origins = origins_of(declarations, aliases)
    requests = {node.name: _bound_requests(node, aliases, origins.roots) for node in declarations}
    creators = {name: creations[0].node for name, creations in origins.creations.items()}
    inferred = infer_modes([(node, requests[node.name]) for node in declarations], creators)
    modes = {n.name: inferred[n.name] if n.multiplex is None else n.multiplex for n in declarations}
    return BoundGraph(
        snapshot,
        aliases,
        origins,
        tuple([BoundNode(node, requests[node.name], modes[node.name]) for node in declarations]),
        logical_resources(origins, modes, aliases),
        _lost_names(removed, aliases),
        explicit_pairs(declarations, requests),
    )


def _bound_requests(node: NodeDeclaration, aliases: Aliases, roots: Mapping[str, str]) -> tuple[BoundRequest, ...]:
    bound = []
    for number, request in enumerate(node.requests):
        name = aliases.name_of(node.name, request)
        bound.append(BoundRequest(number, request, name, roots.get(name, ""), aliases.target(request.to)))
    return tuple(bound)


def _lost_names(removed: Iterable[NodeDeclaration], aliases: Aliases) -> dict[str, list[str]]:
    lost: dict[str, list[str]] = {}
    for node in removed:
        for request in node.requests:
            if request.verb in MAKING:
                made = chain_result_name(request.chain, node.name) if request.chain else request.creates
                lost.setdefault(aliases.target(made), []).append(node.name)
        for member in node.chains:
            lost.setdefault(chain_source_name(member.chain, node.name), []).append(node.name)
    return lost
