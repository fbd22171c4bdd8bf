"""The order between instances."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, groupby
from operator import attrgetter
from typing import NamedTuple

from render.compiler.edges import kind_of, life_precedences, life_step, life_steps, lives_of
from render.compiler.memo import Parts
from render.compiler.precedence import EdgeReason, Precedence, Row
from render.compiler.stages import Index, NodeInstance
from render.graph.requests import Verb


def agree(first: Index, second: Index) -> bool:
    """Whether two indices have the same number in every dimension that both have."""
    if first == second:
        return True
    numbers = dict(second)
    return all(numbers.get(dimension, number) == number for dimension, number in first)


@dataclass(frozen=True, eq=False)
class User:
    """All instances of a node; by each name that it uses, the numbers of the uses and the steps of the name's life."""

    node: str
    instances: tuple[NodeInstance, ...]
    uses: Mapping[str, Sequence[tuple[int, int]]]
    names: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Crowd:
    """Neighbours that use the same names. ``roles`` are, by name, which of their instances stand in which step of the
    life of which resource. ``owners`` and ``indices`` are the node and the index of each instance."""

    roles: Mapping[str, Sequence[tuple[tuple[str, int], Sequence[str]]]]
    owners: Mapping[str, str]
    indices: Mapping[str, Index]


class InstanceLife(NamedTuple):
    """What a name of one instance of a resource asks for, but for the order of its ``modifiers`` and ``renamers`` (node
    instances by id), which stand in rows."""

    name: str
    groups: tuple[Precedence, ...]
    modifiers: tuple[str, ...]
    renamers: tuple[str, ...]


def connect(
    users: Sequence[User],
    roots: Mapping[str, str],
    explicit: Collection[tuple[str, str]],
    orders: Iterable[Row],
    parts: Parts,
) -> tuple[tuple[Precedence, ...], tuple[Row, ...]]:
    """Who runs before whom among the instances of all ``users``.

    Users of one name of one resource instance are ordered by the rules of its life; its modifiers, among them several
    instances of one node, stand in a row: the nodes as in ``orders``, then by index. So do the instances of the node
    that renames it, which may write to it as well. ``roots`` are those of the resource instances. The ``explicit``
    (before, after) pairs of node names order those instances that agree on their shared dimensions.
    """
    crowds: dict[str, list[Crowd]] = defaultdict(list)
    crowd = parts.of(_crowd)
    for names, members in groupby(users, attrgetter("names")):
        alike = tuple(members)
        together = crowd(alike[0].node, alike)
        for name in names:
            crowds[name].append(together)
    lives: list[InstanceLife] = []
    between = parts.of(_between)
    order = {row.resource: row.nodes for row in orders}
    for name, those in crowds.items():
        (resource, _), _ = those[0].roles[name][0]
        root = roots[resource]
        lives += between(name, name, len(root), tuple(those), order.get(name, ()))
    # A row stays when others come and go who use the name.
    names, groups, modifiers, renamers = zip(*lives, strict=True) if lives else ((), (), (), ())
    in_rows = parts.of(_in_rows).all(names, names, modifiers, renamers)
    all_groups = (*chain.from_iterable(groups), *_explicit(users, explicit))
    return all_groups, tuple(chain.from_iterable(in_rows))


def user_of(node: str, instances: tuple[NodeInstance, ...]) -> User:
    """What the instances of a node use."""
    uses: dict[str, tuple[tuple[int, int], ...]] = {}
    own = instances[0].uses
    steps = life_steps([kind_of(use.request) for use in own], [use.name for use in own])
    for number, (use, step) in enumerate(zip(own, steps, strict=True)):
        if use.resources:
            uses[use.name] = (*uses.get(use.name, ()), (number, step))
            if use.to:
                uses[use.to] = (*uses.get(use.to, ()), (number, life_step(Verb.CREATE)))
    return User(node, instances, uses, tuple(uses))


def _crowd(users: Sequence[User]) -> Crowd:
    roles: dict[str, dict[tuple[str, int], dict[str, None]]] = {}
    for user in users:
        for name, uses in user.uses.items():
            own = roles.setdefault(name, {})
            for instance in user.instances:
                for number, step in uses:
                    for resource in instance.uses[number].resources:
                        own.setdefault((resource, step), {})[instance.id] = None
    return Crowd(
        {name: [(role, tuple(ids)) for role, ids in own.items()] for name, own in roles.items()},
        {instance.id: user.node for user in users for instance in user.instances},
        {instance.id: instance.index for user in users for instance in user.instances},
    )


def _between(name: str, root: int, crowds: Sequence[Crowd], row: Sequence[str]) -> tuple[InstanceLife, ...]:
    """The lives of all instances of a name; an id is as many letters of the ``root``, then the index."""
    owners: dict[str, str] = {}
    indices: dict[str, Index] = {}
    for crowd in crowds:
        owners.update(crowd.owners)
        indices.update(crowd.indices)
    lives = lives_of([role for crowd in crowds for role in crowd.roles[name]])
    found: list[InstanceLife] = []
    for resource, life in lives.items():
        full = name + resource[root:]
        groups = [part for group in life_precedences(full, life) for part in _between_nodes(group, owners)]
        modifiers = _in_order(life.modifiers, row, owners, indices)
        renamers = sorted(life.renamers, key=indices.__getitem__)  # one node's
        found.append(InstanceLife(full, tuple(groups), tuple(modifiers), tuple(renamers)))
    return tuple(found)


def _in_order(
    instances: Collection[str], row: Sequence[str], owners: Mapping[str, str], indices: Mapping[str, Index]
) -> Sequence[str]:
    """The instances of the nodes of a row, by node and index."""
    of_node = dict(zip(map(owners.__getitem__, instances), instances, strict=True))
    if len(of_node) == len(instances):
        return [of_node[node] for node in row if node in of_node] if len(instances) > 1 else list(instances)
    places = {node: place for place, node in enumerate(row)}
    return sorted(instances, key=lambda node: (places.get(owners[node], 0), indices[node]))


def _in_rows(name: str, modifiers: tuple[str, ...], renamers: tuple[str, ...]) -> tuple[Row, ...]:
    return tuple([Row(nodes, name) for nodes in (modifiers, renamers) if len(nodes) > 1])


def _between_nodes(group: Precedence, owners: Mapping[str, str]) -> Iterable[Precedence]:
    """The group without what it says of two instances of one node.

    A node that modifies and reads one name is ordered with itself only in the row of modifiers.
    """
    owner = owners.__getitem__
    if set(map(owner, group.befores)).isdisjoint(map(owner, group.afters)):
        yield group
        return
    for before in group.befores:
        others = tuple(after for after in group.afters if owners[after] != owners[before])
        if others:
            yield Precedence((before,), others, group.reason, group.resource)


def _explicit(users: Iterable[User], explicit: Collection[tuple[str, str]]) -> Iterable[Precedence]:
    nodes = {user.node: user.instances for user in users} if explicit else {}
    for before, after in explicit:
        for first in nodes[before]:
            for second in nodes[after]:
                if agree(first.index, second.index):
                    yield Precedence((first.id,), (second.id,), EdgeReason.EXPLICIT)
