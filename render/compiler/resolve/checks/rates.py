"""Rates: writers of a resource run together, kept resources have no history, conditions are known in time."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from renderwright.render.compiler.diagnostics.faults import Fault, error, invalid
from renderwright.render.compiler.diagnostics.findings import Problem
from renderwright.render.compiler.rates import condition_root, is_rated, makers_of_conditions, touches_device, writes
from renderwright.render.compiler.resolve.bind import BoundGraph, ResourceUse
from renderwright.render.compiler.values.resolved import BoundNode, LogicalResource
from renderwright.render.graph.requests import NodeDeclaration, Verb
from renderwright.render.types.resources import Blob
from renderwright.render.types.usages import Usage


def check_rates(bound: BoundGraph) -> list[Fault]:
    """Every writer of a resource has its creator's rate, and a condition is known before commands are recorded."""
    if not any(map(is_rated, bound.declarations.values())):
        return []
    faults = []
    for use in bound.uses:
        creator = bound.declarations[use.resource.creator]
        faults += [fault for rule in _RULES if (fault := rule(use, creator))][:1]
    return faults + _check_conditions(bound)


def _history_of_kept(use: ResourceUse, creator: NodeDeclaration) -> Fault | None:
    if use.bound.request.verb is not Verb.HISTORY or use.resource.external or not is_rated(creator):
        return None
    message = (
        f"`{use.node.name}` asks for the history of `{use.bound.name}`, of which there is one copy only, because its "
        f"creator `{creator.name}` runs {creator.rate}"
    )
    hint = f"copy `{use.bound.name}` into a resource that is made in every frame, and ask for that one's history"
    return use.fault("rate", message, hint)


def _rated_present(use: ResourceUse, creator: NodeDeclaration) -> Fault | None:
    node = use.node.declaration
    if use.bound.request.usage is not Usage.PRESENT or not is_rated(node):
        return None
    message = f"`{node.name}` hands `{use.bound.name}` to the display, but only {node.rate}"
    return use.fault("rate", message, "present in every frame")


def _rated_write_to_external(use: ResourceUse, creator: NodeDeclaration) -> Fault | None:
    node, resource = use.node.declaration, use.resource
    if not resource.external or isinstance(resource.desc, Blob) or not is_rated(node):
        return None
    if not writes(use.bound.request, resource.desc):
        return None
    message = f"`{node.name}` runs {node.rate} and writes to `{use.bound.name}`, which is external: nobody keeps it"
    hint = f"create a resource instead, and copy it to `{use.bound.name}` in every frame"
    return use.fault("rate", message, hint)


def _write_at_another_rate(use: ResourceUse, creator: NodeDeclaration) -> Fault | None:
    node, resource = use.node.declaration, use.resource
    if resource.external or node.rate == creator.rate or not writes(use.bound.request, resource.desc):
        return None
    message = (
        f"`{node.name}` writes to `{use.bound.name}` {node.rate}, but its creator `{creator.name}` runs "
        f"{creator.rate}: all that write to a resource run together"
    )
    hint = f"give both nodes one rate, or let `{node.name}` create a resource of its own"
    return use.fault("rate", message, hint)


_RULES: tuple[Callable[[ResourceUse, NodeDeclaration], Fault | None], ...] = (
    _history_of_kept,
    _rated_present,
    _rated_write_to_external,
    _write_at_another_rate,
)


def _check_conditions(bound: BoundGraph) -> list[Fault]:
    """The blob of a condition is made before commands are recorded, by nodes that use no GPU resource."""
    faults = []
    makers = makers_of_conditions(bound.nodes)
    for name, node in bound.by_name.items():
        resource = bound.resources.get(condition_root(node))
        if resource is not None:
            late = [bound.by_name[maker] for maker in makers.get(name, ()) if touches_device(bound.by_name[maker])]
            problem = _check_condition(node, resource, late)
            if problem is not None:
                faults.append(invalid(name, problem))
    return faults


def _check_condition(node: BoundNode, resource: LogicalResource, late: Sequence[BoundNode]) -> Problem | None:
    """``late`` are the nodes with a part in the blob that record commands."""
    name, when = node.name, node.declaration.rate.when
    if not isinstance(resource.desc, Blob):
        message = f"`{name}` runs when `{when}` changes, which is a {resource.desc.kind}; only blobs are compared"
        return error("rate", message, "name a blob", [node.declaration.source, resource.source])
    if resource.creator == name:
        message = f"`{name}` runs when `{when}` changes, but makes that blob itself: it would never run again"
        return error("rate", message, f"make `{when}` in a node of its own", [resource.source])
    if late:
        maker = late[0].declaration
        message = (
            f"`{name}` runs when `{when}` changes, but `{maker.name}`, which has a part in that blob, uses "
            "textures or buffers: its commands come too late to know what the frame does"
        )
        hint = f"make the blob in a node of its own that uses blobs only, and let `{maker.name}` read it"
        return error("rate", message, hint, [node.declaration.source, maker.source])
    return None
