"""Whether requests suit what they ask for: kind, blob type, usage, format."""

from __future__ import annotations

from render.compiler.draft import Ask, Draft
from render.compiler.faults import Fault, error, invalid, quoted
from render.compiler.stages import LogicalResource
from render.formats import FORMATS, Aspect
from render.graph.requests import Verb
from render.graph.resources import Blob, ResourceDesc, Texture
from render.suggest import did_you_mean
from render.sync.usages import ATTACHMENTS, Usage

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
    faults = []
    for node in draft.nodes:
        for bound in node.requests:
            resource = draft.resources.get(bound.root)
            if resource is not None:
                fault = _check((node.declaration, bound), resource)
                if fault:
                    faults.append(fault)
    return faults or _two_depths(draft)


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
    else:
        return None
    return invalid(node, error(code, message, hint, [request.source, resource.source]))


def _two_depths(draft: Draft) -> list[Fault]:
    """A render pass has one depth attachment."""
    faults = []
    for node in draft.nodes:
        depths = {b.root: b for b in node.requests if b.request.usage in _DEPTH_USAGES and b.root in draft.resources}
        if len(depths) > 1:
            name = node.declaration.name
            message = f"`{name}` uses {quoted(sorted(depths))} as depth buffers, but a render pass has one"
            where = [bound.request.source for bound in depths.values()]
            faults.append(invalid(name, error("usage", message, "draw in one node for each", where)))
    return faults


def _wrong_aspect(usage: Usage | None, texture: Texture) -> bool:
    format = FORMATS.get(texture.format)
    return format is not None and usage in (_DEPTH_USAGES if format.aspect is Aspect.COLOR else _COLOR_USAGES)


def _what(desc: ResourceDesc) -> str:
    return f"blob of type `{desc.type_name}`" if isinstance(desc, Blob) else desc.kind
