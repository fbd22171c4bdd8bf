"""Whether requests suit what they ask for: kind, blob type, usage, format."""

from __future__ import annotations

import math
from collections.abc import Sequence

from renderwright.render.compiler.diagnostics.faults import Fault, error, invalid, quoted
from renderwright.render.compiler.resolve.checks.parts import wrong_request_part
from renderwright.render.compiler.resolve.draft import Ask, Draft
from renderwright.render.compiler.values.resolved import BoundNode, LogicalResource
from renderwright.render.formats import FORMATS, Aspect
from renderwright.render.graph.requests import Verb
from renderwright.render.suggest import did_you_mean
from renderwright.render.types.resources import Blob, Resolution, ResourceDesc, Texture
from renderwright.render.types.usages import ATTACHMENTS, Usage

_BOTH = frozenset(
    {Usage.STORAGE, Usage.STORAGE_READ, Usage.STORAGE_WRITE, Usage.COPY_SRC, Usage.COPY_DST, Usage.HOST_READ}
)
_USAGES = {
    "texture": _BOTH | ATTACHMENTS | {Usage.SAMPLED, Usage.PRESENT},
    "buffer": _BOTH | {Usage.UNIFORM, Usage.VERTEX, Usage.INDEX, Usage.INDIRECT},
    "blob": frozenset[Usage](),
}
_DEPTH_USAGES = frozenset({Usage.DEPTH, Usage.DEPTH_READ})
_COLOR_USAGES = frozenset({Usage.COLOR, Usage.RESOLVE})


def check_kinds(draft: Draft) -> list[Fault]:
    """Every request asks for what its resource is, and uses it in a way that such a resource can be used."""
    found = draft.parts.of(kind_faults).all(draft.names, draft.nodes, draft.used)
    return [fault for faults, _ in found for fault in faults] or [fault for _, faults in found for fault in faults]


def kind_faults(node: BoundNode, used: Sequence[LogicalResource | None]) -> tuple[tuple[Fault, ...], tuple[Fault, ...]]:
    """What is wrong with each request, and with all of the node's together; ``used`` has the resource of each."""
    return _check_requests(node, used), _check_depths(node, used)


def _check_requests(node: BoundNode, used: Sequence[LogicalResource | None]) -> tuple[Fault, ...]:
    found = [
        _check((node.declaration, bound), resource)
        for bound, resource in zip(node.requests, used, strict=True)
        if resource is not None
    ]
    return tuple([fault for fault in found if fault])


def _check(ask: Ask, resource: LogicalResource) -> Fault | None:
    declaration, bound = ask
    request, made = bound.request, resource.desc
    node, name, creator = declaration.name, bound.name, resource.creator
    own = request.verb in (Verb.CREATE, Verb.EXTERNAL)
    code = "kind"
    if own and isinstance(made, Texture) and made.format not in FORMATS:
        code = "format"
        message = f"`{node}` creates `{name}` with the unknown format `{made.format}`"
        hint = did_you_mean(made.format, FORMATS)
    elif own and isinstance(made, Texture) and (wrong := _wrong_numbers(made)):
        code = "description"
        message = f"`{node}` creates `{name}` with {wrong}"
        hint = (
            "mips, layers and samples are 1 or more (samples a power of two), a scale is more than 0; "
            "a cube has a size in texels, as wide as high, 6 layers or a multiple, and one sample"
        )
    elif request.desc is not None and request.desc.kind != made.kind:
        message = (
            f"`{node}` asks for `{name}` as a {_what(request.desc)}, but `{creator}` creates it as a {_what(made)}"
        )
        hint = f"ask for a {made.kind}, or for another name"
    elif isinstance(made, Blob) and isinstance(request.desc, Blob) and request.desc.type_name != made.type_name:
        code = "blob-type"
        message = (
            f"`{node}` asks for `{name}` as a {_what(request.desc)}, but `{creator}` creates it as a {_what(made)}"
        )
        hint = f"ask for a `{made.type_name}`"
    elif request.usage is not None and request.usage not in _USAGES[made.kind]:
        code = "usage"
        message = f"`{node}` wants to use `{name}` as {request.usage}, but `{creator}` creates it as a {_what(made)}"
        allowed = ", ".join(sorted(_USAGES[made.kind])) or "a plain value, with no usage"
        hint = f"a {made.kind} can be used as: {allowed}"
    elif request.verb is Verb.HISTORY and resource.external and not isinstance(made, Blob):
        code = "history"
        message = (
            f"`{node}` asks for the history of `{name}`, which is external (`{creator}`): the graph keeps no copy of it"
        )
        hint = f"copy `{name}` into a resource that a node creates, and ask for that one's history"
    elif request.verb in (Verb.HISTORY, Verb.GATHER) and request.usage in ATTACHMENTS:
        code = "usage"
        past = request.verb is Verb.HISTORY
        wish = "the history of" if past else "to gather"
        message = (
            f"`{node}` wants {wish} `{name}` as {request.usage}, but a render pass takes one resource of its own frame"
        )
        hint = "read it as sampled, or copy it into a resource of this frame" if past else "gather it as sampled"
    elif isinstance(made, Texture) and not resource.external and _wrong_aspect(request.usage, made):
        code = "usage"
        message = (
            f"`{node}` wants to use `{name}` as {request.usage}, but `{creator}` gives it the format `{made.format}`"
        )
        hint = "depth usages need a depth format, color usages a color format"
    elif (wrong_part := wrong_request_part(request, made)) is not None:
        code = "part"
        ending, hint = wrong_part
        message = f"`{node}` asks for `{name}`, {ending}"
    else:
        return None
    return invalid(node, error(code, message, hint, [request.source, resource.source]))


def _check_depths(node: BoundNode, used: Sequence[LogicalResource | None]) -> tuple[Fault, ...]:
    """A render pass has one depth attachment."""
    pairs = zip(node.requests, used, strict=True)
    depths = {
        (b.root, b.request.part): b
        for b, resource in pairs
        if b.request.usage in _DEPTH_USAGES and resource is not None
    }
    if len(depths) < 2:
        return ()
    name = node.declaration.name
    roots = quoted(sorted({root for root, _ in depths}))
    message = f"`{name}` uses {roots} as depth buffers, but a render pass has one"
    where = [bound.request.source for bound in depths.values()]
    return (invalid(name, error("usage", message, "draw in one node for each", where)),)


def _wrong_aspect(usage: Usage | None, texture: Texture) -> bool:
    format = FORMATS.get(texture.format)
    return format is not None and usage in (_DEPTH_USAGES if format.aspect is Aspect.COLOR else _COLOR_USAGES)


def _wrong_numbers(texture: Texture) -> str:
    """The numbers of a description that no texture can have, in words."""
    wrong = [f"{number} {what}" for what, number in (("mips", texture.mips), ("layers", texture.layers)) if number < 1]
    if texture.samples < 1 or texture.samples & (texture.samples - 1):
        wrong.append(f"{texture.samples} samples")
    if isinstance(texture.size, Resolution):
        if not 0 < texture.size.scale < math.inf:
            wrong.append(f"the scale {texture.size.scale}")
    elif min(texture.size) < 1:
        wrong.append(f"{texture.size[0]} x {texture.size[1]} texels")
    if texture.cube and (not _is_square(texture) or texture.layers % 6 or texture.samples != 1):
        wrong.append("a cube that is not squares in six layers each")
    return ", ".join(wrong)


def _is_square(texture: Texture) -> bool:
    return not isinstance(texture.size, Resolution) and texture.size[0] == texture.size[1]


def _what(desc: ResourceDesc) -> str:
    return f"blob of type `{desc.type_name}`" if isinstance(desc, Blob) else desc.kind
