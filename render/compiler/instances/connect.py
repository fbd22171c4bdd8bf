"""The order between instances."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from operator import ne
from typing import NamedTuple

from renderwright.render.compiler.alike import runs
from renderwright.render.compiler.instances.edges import kind_of, life_step, life_steps, lives_of, successions
from renderwright.render.compiler.instances.precedence import EdgeReason, Precedence, Row
from renderwright.render.compiler.values.instances import Index, NodeInstance
from renderwright.render.graph.requests import Verb
from renderwright.render.incremental.memo import Parts

_MODIFIES = life_step(Verb.MODIFY)
_NO_ROWS: Mapping[str, Row] = {}


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
    """Neighbours that use the same names, with their ``instances``. ``roles`` are, by name, which of these stand in
    which step of the life of which resource. They modify the names ``modifies``; there are names (``twice``) in several
    steps of whose lives one node stands.
    """

    users: tuple[User, ...]
    instances: tuple[NodeInstance, ...]
    roles: Mapping[str, Sequence[tuple[tuple[str, int], Sequence[str]]]]
    modifies: Collection[str]
    twice: Collection[str]

    @cached_property
    def owners(self) -> Mapping[str, str]:
        """The node of each instance."""
        return {instance.id: user.node for user in self.users for instance in user.instances}

    @cached_property
    def indices(self) -> Mapping[str, Index]:
        """The index of each instance."""
        return {instance.id: instance.index for instance in self.instances}

    def resource(self, name: str) -> str:
        """One of the resource instances that they mean by a name."""
        return self.roles[name][0][0][0]


class InstanceLives(NamedTuple):
    """What the lives of all instances of a name ask for: who comes before whom, and who stands in a row."""

    groups: tuple[Precedence, ...]
    rows: tuple[Row, ...]


def crowds_of(users: Sequence[User], parts: Parts) -> Sequence[Crowd]:
    """Users that follow one another and use the same names, together."""
    firsts, ends = runs([user.names for user in users], ne)
    alike = [tuple(users[first:end]) for first, end in zip(firsts, ends, strict=True)]
    return parts.of(_crowd).all([users[first].node for first in firsts], alike)


def connect(
    crowds: Sequence[Crowd],
    roots: Mapping[str, str],
    explicit: Collection[tuple[str, str]],
    orders: Iterable[Row],
    parts: Parts,
) -> tuple[tuple[Precedence, ...], tuple[Row, ...]]:
    """Who runs before whom among the instances of all users.

    Users of one name of one resource instance are ordered by the rules of its life; its modifiers, among them several
    instances of one node, stand in a row: the nodes as in ``orders``, then by index. So do the instances of the node
    that renames it, which may write to it as well. ``roots`` are those of the resource instances. The ``explicit``
    (before, after) pairs of node names order those instances that agree on their shared dimensions.
    """
    using: dict[str, list[Crowd]] = {}
    modifying: dict[str, list[Crowd]] = {}
    for crowd in crowds:
        for name in crowd.roles:
            using.setdefault(name, []).append(crowd)
        for name in crowd.modifies:
            modifying.setdefault(name, []).append(crowd)
    # Modifiers stay when others come and go who use the name.
    order = {row.resource: row.nodes for row in orders}
    modified = list(modifying)
    wished = [order.get(name, ()) for name in modified]
    lengths = {name: len(roots[those[0].resource(name)]) for name, those in using.items()}
    columns = map(lengths.get, modified), map(tuple, modifying.values()), wished
    rows = dict(zip(modified, parts.of(_in_order).all(modified, modified, *columns), strict=True))
    names = list(using)
    own = [rows.get(name, _NO_ROWS) for name in names]
    lives = parts.of(_between).all(names, names, lengths.values(), map(tuple, using.values()), own)
    groups = (*chain.from_iterable([life.groups for life in lives]), *_explicit(crowds, explicit))
    return groups, tuple(chain.from_iterable([life.rows for life in lives]))


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


def _crowd(users: tuple[User, ...]) -> Crowd:
    roles: dict[str, dict[tuple[str, int], dict[str, None]]] = {}
    for user in users:
        for name, uses in user.uses.items():
            own = roles.setdefault(name, {})
            for instance in user.instances:
                for number, step in uses:
                    for resource in instance.uses[number].resources:
                        own.setdefault((resource, step), {})[instance.id] = None
    return Crowd(
        users,
        tuple([instance for user in users for instance in user.instances]),
        {name: [(role, tuple(ids)) for role, ids in own.items()] for name, own in roles.items()},
        tuple([name for name, own in roles.items() if any(step == _MODIFIES for _, step in own)]),
        frozenset([name for user in users for name, uses in user.uses.items() if len({step for _, step in uses}) > 1]),
    )


def _in_order(name: str, root: int, crowds: Sequence[Crowd], wished: Sequence[str]) -> Mapping[str, Row]:
    """Those of the crowds that modify a resource instance of a name, if several do: the nodes as ``wished``, then by
    index. An id is as many letters of the ``root``, then the index."""
    owners: dict[str, str] = {}
    indices: dict[str, Index] = {}
    found: dict[str, dict[str, None]] = {}
    for crowd in crowds:
        owners.update(crowd.owners)
        indices.update(crowd.indices)
        for (resource, step), instances in crowd.roles[name]:
            if step == _MODIFIES:
                found.setdefault(resource, {}).update(dict.fromkeys(instances))
    places = {node: place for place, node in enumerate(wished)}

    def urgency(node: str) -> tuple[int, Index]:
        return places.get(owners[node], 0), indices[node]

    several = {resource: instances for resource, instances in found.items() if len(instances) > 1}
    return {key: Row(tuple(sorted(those, key=urgency)), name + key[root:]) for key, those in several.items()}


def _between(name: str, root: int, crowds: Sequence[Crowd], modifiers: Mapping[str, Row]) -> InstanceLives:
    """The lives of all instances of a name."""
    apart = any(name in crowd.twice for crowd in crowds)
    owners = {node: owner for crowd in crowds if apart for node, owner in crowd.owners.items()}
    groups: list[Precedence] = []
    rows: list[Row] = []
    for resource, life in lives_of([role for crowd in crowds for role in crowd.roles[name]]).items():
        full = name + resource[root:]
        for before, after, reason in successions(life):
            group = Precedence(before, after, reason, full)
            groups += _between_nodes(group, owners) if apart else (group,)
        if resource in modifiers:
            rows.append(modifiers[resource])
        if len(life.renamers) > 1:  # one node's
            indices = {node: index for crowd in crowds for node, index in crowd.indices.items()}
            rows.append(Row(tuple(sorted(life.renamers, key=indices.__getitem__)), full))
    return InstanceLives(tuple(groups), tuple(rows))


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


def _explicit(crowds: Iterable[Crowd], explicit: Collection[tuple[str, str]]) -> Iterable[Precedence]:
    nodes = {user.node: user.instances for crowd in crowds for user in crowd.users} if explicit else {}
    for before, after in explicit:
        for first in nodes[before]:
            for second in nodes[after]:
                if agree(first.index, second.index):
                    yield Precedence((first.id,), (second.id,), EdgeReason.EXPLICIT)
