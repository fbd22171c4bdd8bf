"""Uniform blocks that hold an element for each view that a node is drawn for."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from renderwright.render.graph.handles import BlobCell
from renderwright.render.shaders.module import ShaderBinding

OF_VIEW = "of_view"
"""The only member of such a block: an array of structs, of as many elements as there are views."""

_ELEMENT = re.compile(rf"{OF_VIEW}\[(\d+)\]\.")


def views_in(binding: ShaderBinding) -> int:
    """How many views a block has elements for; 0 for one that holds a single value."""
    found = [_ELEMENT.match(member.name) for member in binding.members]
    numbers = [int(match[1]) for match in found if match is not None]
    return 1 + max(numbers) if numbers and len(numbers) == len(found) else 0


def value_of_views(cells: Sequence[BlobCell], views: int) -> Callable[[], Any]:
    """What fills such a block: the value of each view, or the one that there is for all of them."""
    elements = [cells[min(view, len(cells) - 1)] for view in range(views)]
    return lambda: {OF_VIEW: [cell.value for cell in elements]}
