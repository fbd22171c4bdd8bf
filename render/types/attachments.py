"""Attachments of a pass, with their load and store operations."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from renderwright.render.types.parts import WHOLE, Part
from renderwright.render.types.resources import ClearValue
from renderwright.render.types.usages import Usage


class Load(StrEnum):
    """Load operation of an attachment, at the begin of a pass."""

    LOAD = "load"
    CLEAR = "clear"
    DISCARD = "discard"


class Store(StrEnum):
    """Store operation of an attachment, at the end of a pass; NONE does not access memory and is not a write."""

    STORE = "store"
    DISCARD = "discard"
    NONE = "none"


class Attachment(NamedTuple):
    """A render target of a pass, or a ``part`` of it; ``usage`` is color, depth, depth_read or resolve."""

    resource: str
    usage: Usage
    load: Load
    store: Store
    clear: ClearValue
    part: Part = WHOLE
