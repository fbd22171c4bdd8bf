"""The accesses of rendering to its attachments: at its begin, in each draw and at its end.

Source: the specification's chapter "Render Pass", on load and store operations and their stages. Accesses to one
attachment within one rendering are ordered by rasterisation order.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from renderwright.render.sync.oracle.names import ACCESSES, STAGES
from renderwright.render.sync.oracle.stream import Access, Attachment, Work

_OUTPUT = STAGES["COLOR_ATTACHMENT_OUTPUT"]
_EARLY = STAGES["EARLY_FRAGMENT_TESTS"]
_LATE = STAGES["LATE_FRAGMENT_TESTS"]
_COLOR_READ, _COLOR_WRITE = ACCESSES["COLOR_ATTACHMENT_READ"], ACCESSES["COLOR_ATTACHMENT_WRITE"]
_DEPTH_READ, _DEPTH_WRITE = ACCESSES["DEPTH_STENCIL_ATTACHMENT_READ"], ACCESSES["DEPTH_STENCIL_ATTACHMENT_WRITE"]
_READ_ONLY = frozenset({"DEPTH_STENCIL_READ_ONLY_OPTIMAL", "DEPTH_READ_ONLY_OPTIMAL", "READ_ONLY_OPTIMAL"})


@dataclass(frozen=True, slots=True)
class Touch:
    """An access, which may discard the contents."""

    access: Access
    discards: bool = False


@dataclass(frozen=True, slots=True)
class Rendering:
    """The rendering in progress."""

    number: int
    attachments: Sequence[Attachment]


def begin(rendering: Rendering) -> list[Touch]:
    """The load operations."""
    touches = []
    for attachment in rendering.attachments:
        color = attachment.aspect == "color"
        if attachment.load == "none":
            continue
        if attachment.load == "load":
            access = _COLOR_READ if color else _DEPTH_READ
        else:
            access = _COLOR_WRITE if color else _DEPTH_WRITE
        touches.append(_touch(attachment, _OUTPUT if color else _EARLY, access, attachment.load == "dont_care"))
    return touches


def draw(rendering: Rendering | None, work: Work) -> list[Touch]:
    """The accesses of a draw to the attachments."""
    if rendering is None:
        return []
    touches = []
    for attachment in rendering.attachments:
        if attachment.aspect == "color":
            touches.append(_touch(attachment, _OUTPUT, _COLOR_WRITE | (_COLOR_READ if work.blends else 0)))
        elif work.depth != "none":
            reads = work.depth == "read" or attachment.layout in _READ_ONLY
            touches.append(_touch(attachment, _EARLY | _LATE, _DEPTH_READ | (0 if reads else _DEPTH_WRITE)))
    return touches


def end(rendering: Rendering | None) -> list[Touch]:
    """The resolve and store operations."""
    touches = []
    for attachment in rendering.attachments if rendering is not None else ():
        color = attachment.aspect == "color"
        if attachment.resolve:
            touches.append(_touch(attachment, _OUTPUT, _COLOR_READ))
            target = (attachment.resolve, _OUTPUT, _COLOR_WRITE, attachment.resolve_layout, attachment.resolve_range)
            touches.append(Touch(Access(*target)))
        if attachment.store != "none":
            stage, access = (_OUTPUT, _COLOR_WRITE) if color else (_LATE, _DEPTH_WRITE)
            touches.append(_touch(attachment, stage, access, attachment.store == "dont_care"))
    return touches


def _touch(attachment: Attachment, stage: int, access: int, discards: bool = False) -> Touch:
    return Touch(Access(attachment.resource, stage, access, attachment.layout, attachment.range), discards)
