"""Dependencies between instances: the ordering rules for the users of each name of each resource instance."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from renderwright.render.compiler.instances.dependencies import NameUsers, Role, roles_of
from renderwright.render.compiler.instances.indices import agree
from renderwright.render.compiler.values.instances import NodeInstance, ResourceInstance
from renderwright.render.compiler.values.precedence import EdgeReason, ModifierOrder, Precedence


def connect(
    nodes: Sequence[NodeInstance],
    resources: Iterable[ResourceInstance],
    explicit: Iterable[tuple[str, str]],
    modifier_orders: Iterable[ModifierOrder],
) -> tuple[tuple[Precedence, ...], tuple[ModifierOrder, ...]]:
    """Which instances run before which, as hyperedges, and the rows of serialised modifiers.

    The users of each name of each resource instance are ordered by their roles. Its modifiers are serialised: the nodes
    as in ``modifier_orders``, the instances of one node by index. The instances of the node that renames a resource
    instance are serialised as well, since a rename may write. The ``explicit`` (before, after) pairs of node names
    order the instances that agree on their shared dimensions.
    """
    by_id = {node.id: node for node in nodes}
    owners = {node.id: node.declaration.name for node in nodes}
    suffixes = {item.id: item.id[len(item.resource.root) :] for item in resources}
    orders = {row.resource: row.nodes for row in modifier_orders}
    groups: list[Precedence] = []
    rows: list[ModifierOrder] = []
    for name, users_of_instances in _users_by_name(nodes).items():
        rank = {node: number for number, node in enumerate(orders.get(name, ()))}
        for resource, users in users_of_instances.items():
            full_name = name + suffixes[resource]
            groups += users.precedences(full_name, owners)
            for role in (Role.MODIFY, Role.RENAME):
                writers = [by_id[node] for node in users.having(role)]
                if len(writers) > 1:
                    rows.append(ModifierOrder(_serialised(writers, rank), full_name))
    groups += _explicit(nodes, explicit)
    return tuple(groups), tuple(rows)


def _users_by_name(nodes: Iterable[NodeInstance]) -> Mapping[str, Mapping[str, NameUsers]]:
    """The users of every name, by name and resource instance; names and resources in order of first use."""
    found: dict[str, dict[str, NameUsers]] = defaultdict(lambda: defaultdict(NameUsers))
    for node in nodes:
        roles = roles_of([use.request for use in node.uses], [use.name for use in node.uses])
        for use, role in zip(node.uses, roles, strict=True):
            for resource in use.resources:
                found[use.name][resource].add(role, node.id)
                if use.to:
                    found[use.to][resource].add(Role.CREATE, node.id)
    return found


def _serialised(instances: Iterable[NodeInstance], rank: Mapping[str, int]) -> tuple[str, ...]:
    in_order = sorted(instances, key=lambda node: (rank.get(node.declaration.name, 0), node.index))
    return tuple([node.id for node in in_order])


def _explicit(nodes: Iterable[NodeInstance], pairs: Iterable[tuple[str, str]]) -> Iterator[Precedence]:
    instances: dict[str, list[NodeInstance]] = {}
    for node in nodes:
        instances.setdefault(node.declaration.name, []).append(node)
    for before, after in pairs:
        for first in instances[before]:
            for second in instances[after]:
                if agree(first.index, second.index):
                    yield Precedence((first.id,), (second.id,), EdgeReason.EXPLICIT)
