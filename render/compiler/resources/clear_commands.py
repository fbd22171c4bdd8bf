"""Which textures a clear command has to clear, because no attachment load can."""

from __future__ import annotations

from renderwright.render.compiler.resources.access_history import AccessHistory
from renderwright.render.compiler.values.instances import ResourceInstance
from renderwright.render.types.parts import Part
from renderwright.render.types.resources import Texture
from renderwright.render.types.usages import Usage

_NEEDS_NO_CLEAR_COMMAND = frozenset({Usage.COLOR, Usage.DEPTH, Usage.RESOLVE})
"""The attachments whose load can clear, and those that a resolve overwrites as a whole."""


def needs_clear_command(item: ResourceInstance, accessed: AccessHistory) -> bool:
    """Whether the texture, or a part of it, has a clear value that no attachment load can give it."""
    if item.resource.clear is None or item.resource.external or not isinstance(item.resource.desc, Texture):
        return False
    if accessed.cells:
        return bool(cells_to_clear(item, accessed))
    return bool(accessed.own) and not accessed.own[0].usages & _NEEDS_NO_CLEAR_COMMAND


def cells_to_clear(item: ResourceInstance, accessed: AccessHistory) -> frozenset[Part]:
    """The cells of a texture that a command has to clear: also those that only the next frame reads.

    An attachment's load clears all that is attached or nothing. A command therefore clears what a node renders to
    unless all of it is new.
    """
    if item.resource.clear is None or item.resource.external:
        return frozenset()
    old = {access.node for cell in accessed.cells for access in cell.own[1:] if access.usages & _NEEDS_NO_CLEAR_COMMAND}
    return frozenset(
        cell.part
        for cell in accessed.cells
        if (cell.own and (not cell.own[0].usages & _NEEDS_NO_CLEAR_COMMAND or cell.own[0].node in old))
        or (cell.history_reads and not cell.own)
    )
