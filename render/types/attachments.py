"""Render targets of a pass, and what happens to them when it begins and ends."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from renderwright.render.types.parts import WHOLE, Part
from renderwright.render.types.resources import ClearValue
from renderwright.render.types.usages import Usage


class Load(StrEnum):
    """What happens to an attachment when a pass begins."""

    LOAD = "load"
    CLEAR = "clear"
    DISCARD = "discard"


class Store(StrEnum):
    """What happens to an attachment when a pass ends; NONE leaves memory untouched and does not count as a write."""

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
