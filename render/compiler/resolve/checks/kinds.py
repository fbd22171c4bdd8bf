"""Whether requests suit their resources: kind, blob type, usage, format, part."""

from __future__ import annotations

import math
from collections.abc import Callable

from renderwright.render.compiler.diagnostics.faults import Fault, error, invalid, quoted
from renderwright.render.compiler.resolve.bind import BoundGraph, ResourceUse
from renderwright.render.compiler.resolve.checks.parts import wrong_request_part
from renderwright.render.formats import FORMATS, Aspect
from renderwright.render.graph.requests import Request, Verb
from renderwright.render.suggest import did_you_mean
from renderwright.render.types.parts import Part
from renderwright.render.types.resources import Blob, Resolution, ResourceDesc, Texture
from renderwright.render.types.usages import ATTACHMENTS, Usage

_COMMON_USAGES = frozenset(
    {Usage.STORAGE, Usage.STORAGE_READ, Usage.STORAGE_WRITE, Usage.COPY_SRC, Usage.COPY_DST, Usage.HOST_READ}
)
_USAGES = {
    "texture": _COMMON_USAGES | ATTACHMENTS | {Usage.SAMPLED, Usage.PRESENT},
    "buffer": _COMMON_USAGES | {Usage.UNIFORM, Usage.VERTEX, Usage.INDEX, Usage.INDIRECT},
    "blob": frozenset[Usage](),
}
_DEPTH_USAGES = frozenset({Usage.DEPTH, Usage.DEPTH_READ})
_COLOR_USAGES = frozenset({Usage.COLOR, Usage.RESOLVE})


def check_kinds(bound: BoundGraph) -> list[Fault]:
    """Every request uses its resource in a way that such a resource can be used."""
    faults = [fault for use in bound.uses if (fault := _first_fault(use))]
    return faults or _check_depth_attachments(bound)


def _first_fault(use: ResourceUse) -> Fault | None:
    for rule in _RULES:
        if fault := rule(use):
            return fault
    return None


def _unknown_format(use: ResourceUse) -> Fault | None:
    desc = use.resource.desc
    if not _creates(use) or not isinstance(desc, Texture) or desc.format in FORMATS:
        return None
    message = f"`{use.node.name}` creates `{use.bound.name}` with the unknown format `{desc.format}`"
    return use.fault("format", message, did_you_mean(desc.format, FORMATS))


def _impossible_numbers(use: ResourceUse) -> Fault | None:
    desc = use.resource.desc
    wrong = _wrong_numbers(desc) if _creates(use) and isinstance(desc, Texture) else ""
    if not wrong:
        return None
    message = f"`{use.node.name}` creates `{use.bound.name}` with {wrong}"
    hint = (
        "mips, layers and samples are 1 or more (samples a power of two), a scale is more than 0; "
        "a cube has a size in texels, as wide as high, 6 layers or a multiple, and one sample"
    )
    return use.fault("description", message, hint)


def _another_kind(use: ResourceUse) -> Fault | None:
    wanted, made = use.bound.request.desc, use.resource.desc
    if wanted is None or wanted.kind == made.kind:
        return None
    return use.fault("kind", _expected(use, wanted), f"ask for a {made.kind}, or for another name")


def _another_blob_type(use: ResourceUse) -> Fault | None:
    wanted, made = use.bound.request.desc, use.resource.desc
    if not isinstance(made, Blob) or not isinstance(wanted, Blob) or wanted.type_name == made.type_name:
        return None
    return use.fault("blob-type", _expected(use, wanted), f"ask for a `{made.type_name}`")


def _usage_of_another_kind(use: ResourceUse) -> Fault | None:
    usage, made = use.bound.request.usage, use.resource.desc
    if usage is None or usage in _USAGES[made.kind]:
        return None
    message = (
        f"`{use.node.name}` wants to use `{use.bound.name}` as {usage}, but `{use.resource.creator}` creates it as a "
        f"{_described(made)}"
    )
    allowed = ", ".join(sorted(_USAGES[made.kind])) or "a plain value, with no usage"
    return use.fault("usage", message, f"a {made.kind} can be used as: {allowed}")


def _history_of_external(use: ResourceUse) -> Fault | None:
    resource, name = use.resource, use.bound.name
    if use.bound.request.verb is not Verb.HISTORY or not resource.external or isinstance(resource.desc, Blob):
        return None
    message = (
        f"`{use.node.name}` asks for the history of `{name}`, which is external (`{resource.creator}`): "
        "the graph keeps no copy of it"
    )
    hint = f"copy `{name}` into a resource that a node creates, and ask for that one's history"
    return use.fault("history", message, hint)


def _attachment_of_another_frame_or_several(use: ResourceUse) -> Fault | None:
    request = use.bound.request
    if request.verb not in (Verb.HISTORY, Verb.GATHER) or request.usage not in ATTACHMENTS:
        return None
    past = request.verb is Verb.HISTORY
    message = (
        f"`{use.node.name}` wants {'the history of' if past else 'to gather'} `{use.bound.name}` as {request.usage}, "
        "but a render pass takes one resource of its own frame"
    )
    hint = "read it as sampled, or copy it into a resource of this frame" if past else "gather it as sampled"
    return use.fault("usage", message, hint)


def _wrong_aspect(use: ResourceUse) -> Fault | None:
    usage, made = use.bound.request.usage, use.resource.desc
    if not isinstance(made, Texture) or use.resource.external or made.format not in FORMATS:
        return None
    if usage not in (_DEPTH_USAGES if FORMATS[made.format].aspect is Aspect.COLOR else _COLOR_USAGES):
        return None
    message = (
        f"`{use.node.name}` wants to use `{use.bound.name}` as {usage}, but `{use.resource.creator}` gives it the "
        f"format `{made.format}`"
    )
    return use.fault("usage", message, "depth usages need a depth format, color usages a color format")


def _wrong_part(use: ResourceUse) -> Fault | None:
    wrong = wrong_request_part(use.bound.request, use.resource.desc)
    if wrong is None:
        return None
    return use.fault("part", f"`{use.node.name}` asks for `{use.bound.name}`, {wrong.ending}", wrong.hint)


_RULES: tuple[Callable[[ResourceUse], Fault | None], ...] = (
    _unknown_format,
    _impossible_numbers,
    _another_kind,
    _another_blob_type,
    _usage_of_another_kind,
    _history_of_external,
    _attachment_of_another_frame_or_several,
    _wrong_aspect,
    _wrong_part,
)
"""The first rule that a request breaks is reported. A rule may rely on the rules before it."""


def _creates(use: ResourceUse) -> bool:
    return use.bound.request.verb in (Verb.CREATE, Verb.EXTERNAL)


def _expected(use: ResourceUse, wanted: ResourceDesc) -> str:
    return (
        f"`{use.node.name}` asks for `{use.bound.name}` as a {_described(wanted)}, but `{use.resource.creator}` "
        f"creates it as a {_described(use.resource.desc)}"
    )


def _described(desc: ResourceDesc) -> str:
    return f"blob of type `{desc.type_name}`" if isinstance(desc, Blob) else desc.kind


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


def _check_depth_attachments(bound: BoundGraph) -> list[Fault]:
    """A render pass has one depth attachment."""
    faults = []
    for node in bound.nodes:
        depths: dict[tuple[str, Part], Request] = {}
        for own in node.requests:
            if own.request.usage in _DEPTH_USAGES and own.root in bound.resources:
                depths[own.root, own.request.part] = own.request
        if len(depths) > 1:
            roots = quoted(sorted({root for root, _ in depths}))
            message = f"`{node.name}` uses {roots} as depth buffers, but a render pass has one"
            where = [request.source for request in depths.values()]
            faults.append(invalid(node.name, error("usage", message, "draw in one node for each", where)))
    return faults
