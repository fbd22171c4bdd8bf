"""Whether rates fit together: one rate a resource, no history of what is kept, conditions known in time."""

from __future__ import annotations

from renderwright.render.compiler.diagnostics.faults import Fault, error, invalid
from renderwright.render.compiler.rates import condition_root, is_rated, makers_of_conditions, touches_device, writes
from renderwright.render.compiler.resolve.draft import Draft
from renderwright.render.compiler.values.resolved import BoundNode, BoundRequest, LogicalResource
from renderwright.render.graph.requests import Verb
from renderwright.render.types.resources import Blob
from renderwright.render.types.usages import Usage


def check_rates(draft: Draft) -> list[Fault]:
    """Every writer of a resource has its creator's rate, and a condition is known before the frame's commands are."""
    if not draft.traits.rates:
        return []
    faults = []
    for node in draft.nodes:
        for bound in node.requests:
            resource = draft.resources.get(bound.root)
            if resource is not None:
                fault = _check_request(draft, node, bound, resource)
                if fault is not None:
                    faults.append(fault)
    return faults + _check_conditions(draft)


def _check_request(draft: Draft, node: BoundNode, bound: BoundRequest, resource: LogicalResource) -> Fault | None:
    declaration, request = node.declaration, bound.request
    name, creator = declaration.name, draft.declarations[resource.creator]
    where = [request.source, resource.source]
    if request.verb is Verb.HISTORY and is_rated(creator) and not resource.external:
        message = (
            f"`{name}` asks for the history of `{bound.name}`, of which there is one copy only, because its creator "
            f"`{creator.name}` runs {creator.rate}"
        )
        hint = f"copy `{bound.name}` into a resource that is made in every frame, and ask for that one's history"
        return invalid(name, error("rate", message, hint, where))
    if request.usage is Usage.PRESENT and is_rated(declaration):
        message = f"`{name}` hands `{bound.name}` to the display, but only {declaration.rate}"
        return invalid(name, error("rate", message, "present in every frame", where))
    if not writes(request, resource.desc) or (resource.external and isinstance(resource.desc, Blob)):
        return None
    if resource.external and is_rated(declaration):
        message = f"`{name}` runs {declaration.rate} and writes to `{bound.name}`, which is external: nobody keeps it"
        hint = f"create a resource instead, and copy it to `{bound.name}` in every frame"
        return invalid(name, error("rate", message, hint, where))
    if not resource.external and declaration.rate != creator.rate:
        message = (
            f"`{name}` writes to `{bound.name}` {declaration.rate}, but its creator `{creator.name}` runs "
            f"{creator.rate}: all that write to a resource run together"
        )
        hint = f"give both nodes one rate, or let `{name}` create a resource of its own"
        return invalid(name, error("rate", message, hint, where))
    return None


def _check_conditions(draft: Draft) -> list[Fault]:
    faults = []
    nodes = {node.declaration.name: node for node in draft.nodes}
    makers = makers_of_conditions(draft.nodes)
    for name, node in nodes.items():
        resource = draft.resources.get(condition_root(node))
        if resource is None:
            continue
        when = node.declaration.rate.when
        if not isinstance(resource.desc, Blob):
            message = f"`{name}` runs when `{when}` changes, which is a {resource.desc.kind}; only blobs are compared"
            problem = error("rate", message, "name a blob", [node.declaration.source, resource.source])
            faults.append(invalid(name, problem))
            continue
        if resource.creator == name:
            message = f"`{name}` runs when `{when}` changes, but makes that blob itself: it would never run again"
            problem = error("rate", message, f"make `{when}` in a node of its own", [resource.source])
            faults.append(invalid(name, problem))
            continue
        late = [maker for maker in makers.get(name, ()) if touches_device(nodes[maker])]
        if late:
            maker = nodes[late[0]].declaration
            message = (
                f"`{name}` runs when `{when}` changes, but `{maker.name}`, which has a part in that blob, uses "
                "textures or buffers: its commands come too late to know what the frame does"
            )
            hint = f"make the blob in a node of its own that uses blobs only, and let `{maker.name}` read it"
            faults.append(invalid(name, error("rate", message, hint, [node.declaration.source, maker.source])))
    return faults
