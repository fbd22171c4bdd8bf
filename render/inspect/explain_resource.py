"""A report on one resource of a plan, in words."""

from __future__ import annotations

from collections.abc import Iterator

from renderwright.render.compiler.values.resolved import LogicalResource
from renderwright.render.graph.requests import NodeDeclaration, Verb
from renderwright.render.inspect.explain_memory import memory_lines
from renderwright.render.inspect.explain_pass import attachment_line
from renderwright.render.inspect.explain_waits import waits_of_resource
from renderwright.render.inspect.need import why_needed
from renderwright.render.inspect.plan_index import PlanIndex
from renderwright.render.inspect.words import DOING, owner_text, some
from renderwright.render.types.parts import WHOLE
from renderwright.render.types.physical import BufferInfo, TextureInfo
from renderwright.render.types.resources import Blob, Buffer, Texture

_FIRST_FRAMES = {
    "clear": "cleared contents",
    "discard": "undefined contents",
    "invalid": "the mark that it is not valid",
}


def resource_lines(index: PlanIndex, resource: LogicalResource, chosen: str = "") -> Iterator[str]:
    """Explains a resource with all of its instances, or with the one whose id is ``chosen``."""
    creator = index.declarations[resource.creator]
    verb = "brought into the frame" if resource.external else "created"
    yield f"resource `{resource.root}`: {resource.desc.kind}"
    yield f"  {verb} by `{resource.creator}` of {owner_text(creator)}, asked for in {resource.source}"
    yield from (f"  {line}" for line in _names(index, resource))
    ids = [item.id for item in index.plan.graph.resources if item.resource.root == resource.root]
    if not ids:
        removal = index.removals.get(resource.creator)
        why = removal.message if removal else f"`{resource.creator}` is not in the frame"
        yield f"  not in the frame: {why}"
        return
    yield f"  in the frame: {why_needed(index, resource.creator)}"
    if len(ids) > 1:
        yield f"  {len(ids)} instances: {some(f'`{name}`' for name in ids)}"
    for name in [chosen] if chosen else ids:
        if len(ids) > 1:
            yield f"  `{name}`"
        yield from (f"  {'  ' if len(ids) > 1 else ''}{line}" for line in _instance(index, name))


def _names(index: PlanIndex, resource: LogicalResource) -> Iterator[str]:
    """The renames, and the indirect names of the resource."""
    for node in index.plan.resolved.nodes:
        for bound in node.requests:
            if bound.request.verb is Verb.RENAME and bound.name in resource.names[:-1]:
                yield (
                    f"renamed from `{bound.name}` to `{bound.to}` by `{node.declaration.name}` "
                    f"in {bound.request.source}"
                )
    for alias, name in index.plan.resolved.aliases:
        if name in resource.names:
            yield f"`{alias}` stands for `{name}`"


def _instance(index: PlanIndex, name: str) -> Iterator[str]:
    item, placed = index.resources[name], index.placed[name]
    desc = item.resource.desc
    match desc:
        case Texture() if isinstance(placed.info, TextureInfo):
            info = placed.info
            counts = ((info.mips, "mip levels"), (info.layers, "layers"), (info.samples, "samples a texel"))
            extras = [f"{count} {word}" for count, word in counts if count > 1]
            yield ", ".join([info.format, f"{info.extent[0]} x {info.extent[1]}", *extras])
        case Buffer() if isinstance(placed.info, BufferInfo):
            yield f"{placed.info.size} bytes"
        case Blob():
            yield f"a `{desc.type_name}`"
    yield "used, in order:"
    for node, use in index.uses_of(name):
        how = f" as {use.usage}" if use.usage else ""
        how += f", {use.request.part}" if use.request.part != WHOLE else ""
        yield f"  number {index.numbers[node.id]}, `{node.id}`, {DOING[use.request.verb]} `{use.name}`{how}"
    yield from _history(index, name)
    if placed.kept:
        yield "keeps its contents until its writers run again, which is not in every frame"
    for number, part in enumerate(index.plan.pass_plan.passes):
        for attachment in part.attachments:
            if attachment.resource == name:
                yield f"in pass {number}, {attachment_line(index, part, attachment)}"
    yield from memory_lines(index, name)
    waits = list(waits_of_resource(index, name))
    yield "barriers:" if waits else "no barriers"
    yield from (f"  {line}" for line in waits)


def _history(index: PlanIndex, name: str) -> Iterator[str]:
    readers = dict.fromkeys(node.id for node, use in index.uses_of(name) if use.reads_history)
    if readers:
        gets = _FIRST_FRAMES[index.placed[name].first.value]
        who = some(f"`{reader}`" for reader in readers)
        yield f"history read by {who}; without a previous frame they get {gets}"
    else:
        yield "no node reads its history"


def missing_lines(index: PlanIndex, name: str) -> Iterator[str]:
    """Explains a name without a resource, which nodes request or removed nodes would have created."""
    yield f"resource `{name}`: not in the frame"
    makers = [node for node in index.declarations.values() if any(name == r.creates for r in node.requests)]
    for maker in makers:
        yield f"  `{maker.name}` of {owner_text(maker)} in {maker.source} would make it"
        if maker.name in index.removals:
            yield f"  {index.removals[maker.name].message}"
    if not makers:
        yield "  no node creates it"
    for node in index.declarations.values():
        for request in node.requests:
            if request.name == name and request.verb not in (Verb.CREATE, Verb.EXTERNAL):
                yield f"  `{node.name}` {DOING[request.verb]} it, asked for in {request.source}{_fate(index, node)}"


def _fate(index: PlanIndex, node: NodeDeclaration) -> str:
    if node.name in index.removals:
        return f"; {index.removals[node.name].message}"
    return "; the request is optional, and the node does without"
