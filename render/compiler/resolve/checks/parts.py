"""The part of a texture that a request is for: whether it exists and can be used so."""

from __future__ import annotations

from typing import NamedTuple

from renderwright.render.graph.requests import Request
from renderwright.render.types.parts import WHOLE, wrong_part
from renderwright.render.types.resources import ResourceDesc, Texture
from renderwright.render.types.usages import ONE_MIP_USAGES, Usage


class WrongPart(NamedTuple):
    """A part that cannot be used: the end of a sentence about the request, and a hint."""

    ending: str
    hint: str


def wrong_request_part(request: Request, made: ResourceDesc) -> WrongPart | None:
    """The fault in the request's part of a resource with the description ``made``, if there is one."""
    part = request.part
    if part == WHOLE:
        return None
    if not isinstance(made, Texture):
        return WrongPart(f"of which it wants {part}; it is a {made.kind}", "only textures have mips and layers")
    lacks = wrong_part(part, made.mips, made.layers)
    if lacks:
        return WrongPart(f"which has {lacks}", "numbers count from 0")
    if request.usage is Usage.PRESENT or request.usage is None:
        return WrongPart(f"of which it wants {part}", "what is renamed or shown is the whole texture")
    if part.mips is not None and part.mips[1] > 1 and request.usage in ONE_MIP_USAGES:
        hint = "a shader writes to one mip, and so does a render pass"
        return WrongPart(f"and {part} of it as {request.usage}", hint)
    return None
