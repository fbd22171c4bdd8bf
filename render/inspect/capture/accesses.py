"""The accesses of a capture: who reads and writes what, and an estimate of the bytes that this moves."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from renderwright.render.compiler.values.instances import NodeInstance
from renderwright.render.compiler.values.uses import Use
from renderwright.render.formats import format_named
from renderwright.render.graph.requests import Verb
from renderwright.render.inspect.plan_index import PlanIndex
from renderwright.render.types.attachments import Attachment, Load, Store
from renderwright.render.types.parts import WHOLE, Part, clipped
from renderwright.render.types.physical import BufferInfo, PhysicalInfo, TextureInfo, mip_extent
from renderwright.render.types.usages import ATTACHMENTS, READ_ONLY_USAGES, Usage

_MAKES = (Verb.CREATE, Verb.EXTERNAL)
_TOUCHES_NOTHING = (None, Usage.PRESENT)


def accesses_of(index: PlanIndex, unread: Sequence[Mapping[str, Any]] = ()) -> Iterator[dict[str, Any]]:
    """All accesses, in the order of the nodes; a request of several resources is one access of each.

    Attachments are read where a pass loads them, and written where it stores them. Anything else counts as one read or
    write of each texel or byte of the part. What is ``unread``, rows as in the document, moves nothing.
    """
    idle = {(one["node"], one["resource"], one["binding"], one["verb"]) for one in unread}
    for number, node in enumerate(index.nodes):
        for use in node.uses:
            for resource in use.resources:
                access = _access(index, number, node, use, resource)
                if (node.id, resource, use.request.binding, use.request.verb.value) in idle:
                    access |= {"unread": True, "bytes_read": 0, "bytes_written": 0}
                yield access


def part_bytes(info: PhysicalInfo | None, part: Part = WHOLE) -> int:
    """The bytes of a part of a texture without padding, or of a buffer; 0 for None."""
    if isinstance(info, BufferInfo):
        return info.size
    if info is None:
        return 0
    first, count = clipped(part.mips, info.mips) or (0, info.mips)
    texels = sum(_texels(info, mip) for mip in range(first, first + count))
    layers = part.layers[1] if part.layers is not None else info.layers
    return texels * layers * info.samples * format_named(info.format).texel_bytes


def _texels(info: TextureInfo, mip: int) -> int:
    width, height = mip_extent(info.extent, Part((mip, 1)))
    return width * height


def _access(index: PlanIndex, number: int, node: NodeInstance, use: Use, resource: str) -> dict[str, Any]:
    request = use.request
    reads, writes = _direction(use)
    read, written = _moved(index, number, use, resource, reads, writes)
    return {
        "node": node.id,
        "resource": resource,
        "name": use.name,
        **({"to": use.to} if use.to else {}),
        "verb": request.verb.value,
        "usage": use.usage.value if use.usage is not None else None,
        "stage": _stage(use) if use.usage is not None else None,
        **{what: list(span) for what, span in (("mips", request.part.mips), ("layers", request.part.layers)) if span},
        **({"binding": request.binding} if request.binding else {}),
        **({"frames_ago": request.frames} if use.reads_history else {}),
        "reads": reads,
        "writes": writes,
        "bytes_read": read,
        "bytes_written": written,
        "source": str(request.source),
    }


def _stage(use: Use) -> str | list[str]:
    """The stage of a use, a list if there are several."""
    words = [stage.value for stage in use.stages]
    return words[0] if len(words) == 1 else words


def _direction(use: Use) -> tuple[bool, bool]:
    """Whether a use reads and whether it writes."""
    verb, usage = use.request.verb, use.usage
    if verb in (Verb.READ, Verb.HISTORY, Verb.GATHER):
        return True, False
    if usage is None:
        return verb not in _MAKES, verb is not Verb.RENAME
    if usage in READ_ONLY_USAGES:
        return True, False
    if usage in (Usage.RESOLVE, Usage.STORAGE_WRITE, Usage.COPY_DST):
        return False, True
    return verb not in _MAKES, True


def _moved(index: PlanIndex, number: int, use: Use, resource: str, reads: bool, writes: bool) -> tuple[int, int]:
    """The bytes that a use reads and writes in memory."""
    if use.usage in _TOUCHES_NOTHING:
        return 0, 0
    size = part_bytes(index.placed[resource].info, _drawn(use) if use.usage in ATTACHMENTS else use.request.part)
    if use.usage not in ATTACHMENTS or use.reads_history:
        return size * reads, size * writes
    item = index.plan.pass_plan.passes[index.passes[number]]
    attachment = _attachment(item.attachments, resource, use.request.part)
    if attachment is None:
        return 0, 0
    users = [at for at in range(item.first, item.last + 1) if _attaches(index.nodes[at], resource, use.request.part)]
    loads = attachment.load is Load.LOAD and number == users[0]
    stores = attachment.store is Store.STORE and number == users[-1]
    return size * loads, size * stores


def _drawn(use: Use) -> Part:
    """The part that an attachment covers: one mip."""
    return Part(use.request.part.mips or (0, 1), use.request.part.layers)


def _attachment(attachments: tuple[Attachment, ...], resource: str, part: Part) -> Attachment | None:
    return next((one for one in attachments if one.resource == resource and one.part == part), None)


def _attaches(node: NodeInstance, resource: str, part: Part) -> bool:
    return any(name == resource and own == part for name, _, own in node.attached)
