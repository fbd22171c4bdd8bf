"""Where in a frame a dump is taken."""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import dataclass, replace

from renderwright.engine.dumps.dump import Dump, DumpFormat
from renderwright.render.compiler.values.plan import Plan
from renderwright.render.compiler.values.resolved import LogicalResource
from renderwright.render.errors import UsageError
from renderwright.render.graph.requests import EVERY_FRAME, Rate, Verb
from renderwright.render.suggest import did_you_mean
from renderwright.render.types.parts import Part, wrong_part
from renderwright.render.types.resources import Blob, Texture

_WRITES = frozenset({Verb.CREATE, Verb.EXTERNAL, Verb.MODIFY})
DUMP_NODES = "dump "
"""Names of the nodes that copy what is dumped begin so; no plugin has such names."""


@dataclass(frozen=True)
class Place:
    """The place of a dump among the users of its resource.

    ``name`` is the resource's name at that place. The dump comes after the node ``after``, if that is not '', and
    ``before`` the nodes that modify the name later, at their ``rate``; without any it is one of the readers, behind all
    writers. ``mip`` and ``layer`` are the part of the texture that is copied, None where it has no other or all are.
    """

    name: str
    after: str = ""
    before: tuple[str, ...] = ()
    rate: Rate = EVERY_FRAME
    mip: int | None = None
    layer: int | None = None


def reading_place(dump: Dump, plan: Plan) -> Place:
    """The place behind all writers. Raises ``UsageError`` if the plan has no such resource."""
    resource, name = _resource(dump, plan)
    _require_texels(dump, resource)
    return Place(name, mip=_mip(dump, resource), layer=_layer(dump, resource))


def place_of(dump: Dump, plan: Plan) -> Place:
    """The place of a dump in a plan that makes its resource.

    Raises ``UsageError`` if the plan has no such resource or node, or if the resource is not there after the node.
    """
    whole = reading_place(dump, plan)
    if not dump.after:
        return whole
    resource, name = _resource(dump, plan)
    order = _order(plan)
    if dump.after not in order:
        raise UsageError(
            f'the frame has no node "{dump.after}" after which "{dump.resource}" could be dumped',
            hint=did_you_mean(dump.after, order),
        )
    _require_contents(dump, name, plan, order)
    later = [node for node in _users(plan, name, _WRITES) if order.get(node, -1) > order[dump.after]]
    rates = {node.name: node.declaration.rate for node in plan.resolved.nodes}
    rate = rates[resource.creator] if later and not resource.external else EVERY_FRAME
    return replace(whole, after=dump.after, before=tuple(later), rate=rate)


def _require_contents(dump: Dump, name: str, plan: Plan, order: Mapping[str, int]) -> None:
    """Raise ``UsageError`` if nothing has this name right after the node."""
    position, maker = order[dump.after], _maker(plan, name)
    if order.get(maker, -1) > position:
        raise UsageError(
            f'"{dump.resource}" does not exist yet after "{dump.after}": "{maker}" makes it later',
            hint=f"give after={maker}, or a later node",
        )
    for node in _users(plan, name, {Verb.RENAME}):
        if order.get(node, position + 1) <= position:
            raise UsageError(
                f'"{dump.resource}" has another name after "{dump.after}": "{node}" renames it',
                hint="dump it by that name, or after an earlier node",
            )


def _mip(dump: Dump, resource: LogicalResource) -> int | None:
    return dump.mip if isinstance(resource.desc, Texture) and resource.desc.mips > 1 else None


def _layer(dump: Dump, resource: LogicalResource) -> int | None:
    """The layer to copy; a picture has one."""
    if not isinstance(resource.desc, Texture) or resource.desc.layers == 1:
        return None
    return dump.layer if dump.layer is not None or dump.format is DumpFormat.NPY else 0


def _resource(dump: Dump, plan: Plan) -> tuple[LogicalResource, str]:
    """The resource of that name, and the name that an alias stands for."""
    name = dict(plan.resolved.aliases).get(dump.resource, dump.resource)
    for resource in plan.resolved.resources:
        if name in resource.names:
            return resource, name
    known = [name for resource in plan.resolved.resources for name in resource.names if _has_texels(resource)]
    if name in _order(plan):
        written = [made for made in known if name in _users(plan, made, _WRITES) or name == _maker(plan, made)]
        raise UsageError(
            f'"{dump.resource}" is a node, not a resource',
            hint=f"dump what it writes: {', '.join(written)}" if written else "it writes no texture and no buffer",
        )
    raise UsageError(f'the frame has no resource "{dump.resource}"', hint=did_you_mean(dump.resource, known))


def _has_texels(resource: LogicalResource) -> bool:
    return not isinstance(resource.desc, Blob)


def _require_texels(dump: Dump, resource: LogicalResource) -> None:
    """Raise ``UsageError`` if the dump asks for what its resource does not have."""
    desc = resource.desc
    if isinstance(desc, Blob):
        raise UsageError(
            f'"{dump.resource}" is a value of the CPU, a {desc.type_name}, and cannot be dumped',
            hint="dump a texture or a buffer; `renderwright graph GAME` lists them",
        )
    if not isinstance(desc, Texture):
        if dump.format is not DumpFormat.NPY:
            raise UsageError(f'"{dump.resource}" is a buffer, which has no picture', hint="dump it to a file .npy")
        return
    if desc.samples > 1:
        raise UsageError(
            f'"{dump.resource}" has {desc.samples} samples in each texel, and cannot be copied to a file',
            hint="dump the texture that it is resolved to",
        )
    lacks = wrong_part(Part((dump.mip, 1), (dump.layer or 0, 1)), desc.mips, desc.layers)
    if lacks:
        raise UsageError(f'"{dump.resource}" has {lacks}', hint="numbers count from 0")


def _order(plan: Plan) -> dict[str, int]:
    """The nodes of the plan by the position of their last instance, except those of dumps."""
    names = [node.declaration.name for node in plan.graph.nodes]
    return {name: position for position, name in enumerate(names) if not name.startswith(DUMP_NODES)}


def _users(plan: Plan, name: str, verbs: Set[Verb]) -> list[str]:
    """The nodes that have such a request for the name."""
    return [
        node.name
        for node in plan.resolved.nodes
        if not node.name.startswith(DUMP_NODES)
        and any(bound.name == name and bound.request.verb in verbs for bound in node.requests)
    ]


def _maker(plan: Plan, name: str) -> str:
    """The node from which on the resource has this name."""
    for node in plan.resolved.nodes:
        for bound in node.requests:
            created = bound.name == name and bound.request.verb in (Verb.CREATE, Verb.EXTERNAL)
            if created or bound.to == name:
                return node.name
    return ""
