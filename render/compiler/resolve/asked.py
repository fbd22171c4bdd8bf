"""What nodes ask for by their declarations, and what their requests mean in the graph."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from renderwright.render.compiler.alike import runs
from renderwright.render.compiler.instances.dependencies import Kind, kind_of, life_step, life_steps
from renderwright.render.compiler.rates import is_rated
from renderwright.render.compiler.values.resolved import Traits
from renderwright.render.graph.requests import NodeDeclaration, Verb
from renderwright.render.sync.queues import GRAPHICS

_MAKING = (Verb.CREATE, Verb.EXTERNAL, Verb.RENAME)

Roles = tuple[tuple[str, int], ...]
"""``BoundNode.roles``."""


class Asked(NamedTuple):
    """What a node's declaration says by itself, which is the same for each of a crowd that draws alike.

    Of its requests: their names and new names (``spelt``, ``tos``) and ``kinds``; the chains that they are for, with
    whether they add to these, and the numbers of such requests (``chained``) likewise; the numbers of those that make a
    name, with whether they rename. Of the node: its priority, whether it wishes to be before or after others
    (``wishes``), whether it has side effects, its mode if it declares one, its traits.
    """

    spelt: tuple[str, ...]
    tos: tuple[str, ...]
    kinds: tuple[Kind, ...]
    chains: tuple[tuple[str, bool], ...]
    chained: tuple[tuple[int, str, bool], ...]
    makings: tuple[tuple[int, bool], ...]
    priority: int
    wishes: bool
    side_effects: bool
    mode: frozenset[str] | None
    traits: Traits


def asked(node: NodeDeclaration) -> Asked:
    """What the node asks for."""
    requests = node.requests
    numbered = list(enumerate(requests))
    chained = [(number, request.chain, request.verb is Verb.CREATE) for number, request in numbered if request.chain]
    chains: dict[str, bool] = {}
    for _, chain, adds in chained:
        chains[chain] = chains.get(chain, False) or adds
    makings = [(number, request.verb is Verb.RENAME) for number, request in numbered if makes(request.verb)]
    return Asked(
        tuple([request.name for request in requests]),
        tuple([request.to for request in requests]),
        tuple(map(kind_of, requests)),
        tuple(chains.items()),
        tuple(chained),
        tuple(makings),
        node.priority,
        bool(node.before or node.after),
        node.side_effects,
        node.multiplex,
        Traits(is_rated(node), node.queues != (GRAPHICS,), bool(node.multiview), bool(node.state)),
    )


def makes(verb: Verb) -> bool:
    """Whether a name comes into being by such a request."""
    return verb in _MAKING


class Meaning(NamedTuple):
    """What a node's requests mean: their names, new names, and roots ('' where nobody creates it); the part that they
    give the node in the life of each name that somebody makes (``life_step``). ``twice`` are the names in whose lives
    it stands at several places."""

    names: tuple[str, ...]
    tos: tuple[str, ...]
    roots: tuple[str, ...]
    roles: Roles
    twice: tuple[str, ...]


def meaning_of(
    kinds: Sequence[Kind], names: tuple[str, ...], tos: tuple[str, ...], roots: Sequence[str | None]
) -> Meaning:
    """The meaning of requests of these kinds for these names."""
    roles: list[tuple[str, int]] = []
    for name, to, root, step in zip(names, tos, roots, life_steps(kinds, names), strict=True):
        if root:
            roles.append((name, step))
            if to:
                roles.append((to, life_step(Verb.CREATE)))
    known = [name for name, _ in roles]
    twice = [name for name in dict.fromkeys(known) if known.count(name) > 1]
    found = tuple([root or "" for root in roots])
    return Meaning(names, tos, found, tuple(roles), tuple(twice))


class Crowd(NamedTuple):
    """Nodes number ``first`` up to ``end``, which is excluded, in order of name: they ask for the same and mean it."""

    first: int
    end: int
    asked: Asked
    meaning: Meaning


def crowds_of(asks: Sequence[Asked]) -> tuple[list[int], list[int]]:
    """Where crowds begin, and where they end; ``asks`` has equal ones as one object.

    Members of chains stand alone, since each gets a name of its own.
    """
    starts: list[int] = []
    for first, end in zip(*runs(asks), strict=True):
        starts += range(first, end) if asks[first].chained else (first,)
    return starts, [*starts[1:], len(asks)][: len(starts)]
