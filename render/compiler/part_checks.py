"""Whether a texture has the part that a request asks for, and the part can be used so."""

from __future__ import annotations

from render.graph.requests import Request
from render.graph.resources import ResourceDesc, Texture
from render.sync.ranges import WHOLE, wrong_part
from render.sync.usages import ATTACHMENTS, Usage

_ONE_MIP = ATTACHMENTS | {Usage.STORAGE, Usage.STORAGE_READ, Usage.STORAGE_WRITE}


def wrong_request_part(request: Request, made: ResourceDesc) -> tuple[str, str] | None:
    """What is wrong with the part of ``made`` that is asked for, as the end of a sentence, and a hint."""
    part = request.part
    if part == WHOLE:
        return None
    if not isinstance(made, Texture):
        return f"of which it wants {part}; it is a {made.kind}", "only textures have mips and layers"
    lacks = wrong_part(part, made.mips, made.layers)
    if lacks:
        return f"which has {lacks}", "numbers count from 0"
    if request.usage is Usage.PRESENT or request.usage is None:
        return f"of which it wants {part}", "what is renamed or shown is the whole texture"
    if part.mips is not None and part.mips[1] > 1 and request.usage in _ONE_MIP:
        return f"and {part} of it as {request.usage}", "a shader writes to one mip, and so does a render pass"
    return None
