"""Which multiplexing modes may meet."""

from __future__ import annotations

from renderwright.render.compiler.diagnostics.faults import Fault, error, invalid, quoted
from renderwright.render.compiler.resolve.bind import BoundGraph, ResourceUse
from renderwright.render.graph.requests import Verb
from renderwright.render.suggest import did_you_mean, nearest


def mode_text(mode: frozenset[str]) -> str:
    """A mode in words: ``{eye, view}``, or ``{}`` for a node that is not repeated."""
    return "{" + ", ".join(sorted(mode)) + "}"


def _repeated(mode: frozenset[str]) -> str:
    return f"for each {quoted(sorted(mode))}" if mode else "once"


def check_dimensions(bound: BoundGraph) -> list[Fault]:
    """Every dimension of a declared mode is known, and none for multiview is like one that is.

    Multiview is a promise: another one may be for the views of another graph.
    """
    dimensions = bound.snapshot.dimensions
    promised = {node.multiview for node in bound.declarations.values()}
    near = {name: nearest(name, dimensions) for name in promised.difference(dimensions, {""})}
    faults = []
    for node in bound.declarations.values():
        for dimension in sorted((node.multiplex or frozenset()).difference(dimensions)):
            message = f"`{node.name}` is multiplexed over `{dimension}`, which is no dimension of this graph"
            where = [node.repeated_at(dimension)]
            problem = error("dimension", message, did_you_mean(dimension, dimensions), where)
            faults.append(invalid(node.name, problem))
        if meant := near.get(node.multiview):
            message = f"`{node.name}` draws at once over `{node.multiview}`, which is no dimension of this graph"
            where = [node.repeated_at(node.multiview)]
            faults.append(invalid(node.name, error("dimension", message, f'did you mean "{meant}"?', where)))
    return faults


def check_modes(bound: BoundGraph) -> list[Fault]:
    """The mode of a node contains the modes of its resources, gathers excepted.

    An inferred mode always does.
    """
    return [
        _larger_mode(use)
        for use in bound.uses
        if not use.resource.mode <= use.node.mode and use.bound.request.verb is not Verb.GATHER
    ]


def _larger_mode(use: ResourceUse) -> Fault:
    node, resource, wanted = use.node, use.resource, use.bound.name
    message = (
        f"`{node.name}` runs {_repeated(node.mode)} and cannot use `{wanted}`, which `{resource.creator}` creates "
        f"{_repeated(resource.mode)}"
    )
    extra = ", ".join(f"`{dimension}`" for dimension in sorted(resource.mode - node.mode))
    hint = f"multiplex `{node.name}` over {extra} too"
    if use.bound.request.verb is Verb.READ:
        hint += f", or gather `{wanted}` to get all of its instances"
    return use.fault("mode", message, hint)


def check_order_modes(bound: BoundGraph) -> list[Fault]:
    """Before/after join nodes of comparable modes."""
    faults = []
    for (before, after), owners in sorted(bound.explicit.items()):
        first, second = bound.by_name[before], bound.by_name[after]
        if first.mode <= second.mode or second.mode <= first.mode:
            continue
        message = (
            f"`{before}` with the mode {mode_text(first.mode)} is declared to run before `{after}` with the mode "
            f"{mode_text(second.mode)}, but neither mode holds the other"
        )
        hint = "order them through a node whose mode both hold, or give one of them the other's dimensions too"
        where = [first.declaration.source, second.declaration.source]
        faults.append(invalid(owners[0], error("mode", message, hint, where)))
    return faults
