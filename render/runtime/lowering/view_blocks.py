"""Uniform blocks with one element per view of a multiview node."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from renderwright.render.graph.blob_cell import BlobCell
from renderwright.render.runtime.lowering.uniforms import BlockSource
from renderwright.render.shaders.module import ShaderBinding
from renderwright.render.shaders.packing import ZEROS

OF_VIEW = "of_view"
"""The only member of such a block: an array of structs with one element per view."""

_ELEMENT = re.compile(rf"{OF_VIEW}\[(\d+)\]\.")


def views_in(binding: ShaderBinding) -> int:
    """The number of views that a block has elements for; 0 for a block with a single value."""
    found = [_ELEMENT.match(member.name) for member in binding.members]
    numbers = [int(match[1]) for match in found if match is not None]
    return 1 + max(numbers) if numbers and len(numbers) == len(found) else 0


def source_of_views(cells: Sequence[BlobCell], views: int, *, past: bool) -> BlockSource:
    """The source of such a block: the value of each view, or one value shared by all; ``past`` as in ``value_of``."""
    elements = tuple([cells[min(view, len(cells) - 1)] for view in range(views)])

    def values() -> dict[str, list[Any]] | None:
        found = [value_of(cell, past=past) for cell in elements]
        return None if any(value is None for value in found) else {OF_VIEW: found}

    return BlockSource(values, elements, past=past)


def value_of(cell: BlobCell, *, past: bool) -> Any:
    """The value of a blob for a block. In the ``past``, where there may have been none, it is zeros."""
    return ZEROS if past and cell.value is None else cell.value
