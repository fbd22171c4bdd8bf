"""Which multiplexing modes may meet."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

from renderwright.render.compiler.diagnostics.faults import Fault, error, invalid
from renderwright.render.compiler.resolve.draft import Draft
from renderwright.render.compiler.values.resolved import BoundNode, LogicalResource
from renderwright.render.graph.requests import Verb
from renderwright.render.suggest import did_you_mean


def mode_text(mode: frozenset[str]) -> str:
    """A mode as people read it: ``{eye, view}``, or ``{}`` of a node that is not repeated."""
    return "{" + ", ".join(sorted(mode)) + "}"


def check_dimensions(draft: Draft) -> list[Fault]:
    """Every dimension of a node's mode is known."""
    modes = {crowd.asked.mode for crowd in draft.crowds}
    if all(mode.issubset(draft.snapshot.dimensions) for mode in modes if mode):
        return []
    faults = []
    for node in draft.nodes:
        declaration = node.declaration
        for dimension in sorted((declaration.multiplex or frozenset()).difference(draft.snapshot.dimensions)):
            message = f"`{declaration.name}` is multiplexed over `{dimension}`, which is no dimension of this graph"
            hint = did_you_mean(dimension, draft.snapshot.dimensions)
            faults.append(invalid(declaration.name, error("dimension", message, hint, [declaration.source])))
    return faults


def check_modes(draft: Draft) -> list[Fault]:
    """A node's mode holds the modes of what it uses (a gather may use any).

    An inferred mode holds the modes of what the node uses by itself.
    """
    found = draft.parts.of(mode_faults).all(draft.names, draft.nodes, draft.used)
    return list(chain.from_iterable(found))


def mode_faults(node: BoundNode, used: Sequence[LogicalResource | None]) -> tuple[Fault, ...]:
    """Uses of what repeats over more dimensions than the node; ``used`` has the resource of each request."""
    faults: list[Fault] = []
    mode = node.mode
    for bound, resource in zip(node.requests, used, strict=True):
        if resource is None or bound.request.verb is Verb.GATHER or resource.mode <= mode:
            continue
        name = node.declaration.name
        message = (
            f"`{name}` has the mode {mode_text(mode)} and cannot use `{bound.name}`, which `{resource.creator}` "
            f"creates with the mode {mode_text(resource.mode)}"
        )
        extra = ", ".join(f"`{dimension}`" for dimension in sorted(resource.mode - mode))
        hint = f"multiplex `{name}` over {extra} too"
        if bound.request.verb is Verb.READ:
            hint += f", or gather `{bound.name}` to get all of its instances"
        where = [bound.request.source, resource.source]
        faults.append(invalid(name, error("mode", message, hint, where)))
    return tuple(faults)


def check_orders(draft: Draft) -> list[Fault]:
    """Before/after join comparable modes."""
    faults: list[Fault] = []
    for (before, after), owners in sorted(draft.explicit.items()):
        first, second = draft.declarations[before], draft.declarations[after]
        one, other = draft.named[before].mode, draft.named[after].mode
        if one <= other or other <= one:
            continue
        message = (
            f"`{before}` with the mode {mode_text(one)} is declared to run before `{after}` with the mode "
            f"{mode_text(other)}, but neither mode holds the other"
        )
        hint = "order them through a node whose mode both hold, or give one of them the other's dimensions too"
        problem = error("mode", message, hint, [first.source, second.source])
        faults.extend(invalid(owner, problem) for owner in owners[:1])
    return faults
