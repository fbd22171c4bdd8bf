"""Load and store operations: what happens to an attachment when its render pass begins and ends."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set

from renderwright.render.compiler.passes.merging import MergedPass
from renderwright.render.compiler.resources.access_history import AccessHistory, Cell
from renderwright.render.compiler.values.resolved import LogicalResource
from renderwright.render.compiler.values.uses import Attached
from renderwright.render.types.attachments import Attachment, Load, Store
from renderwright.render.types.parts import Part
from renderwright.render.types.resources import ClearValue
from renderwright.render.types.usages import Usage

_NO_CLEAR: ClearValue = (0.0, 0.0, 0.0, 0.0)


def attachment(
    target: Attached,
    item: MergedPass,
    resources: Mapping[str, LogicalResource],
    histories: Mapping[str, AccessHistory],
    needed_later: Set[str],
) -> Attachment:
    """A target of a pass with its load and store operations. Contents of ``needed_later`` (by id) are needed after the
    frame."""
    name, usage, part = target
    resource, accessed = resources[name], histories[name]
    begin, end = _users(accessed.cells, part) if accessed.cells else (accessed.own[0].node, accessed.own[-1].node)
    is_wanted = end > item.last or accessed.presented or name in needed_later or resource.external
    load = _load(usage, resource.clear, is_new=begin >= item.first)
    return Attachment(name, usage, load, _store(usage, is_wanted=is_wanted), resource.clear or _NO_CLEAR, part)


def _users(cells: Sequence[Cell], part: Part) -> tuple[int, int]:
    """The first and the last node that accesses anything of a part."""
    accesses = [cell.own for cell in cells if cell.part.meets(part)]
    return min([own[0].node for own in accesses]), max([own[-1].node for own in accesses])


def _load(usage: Usage, clear: ClearValue | None, *, is_new: bool) -> Load:
    """``is_new`` says that no node before the pass accesses the attachment."""
    if usage is Usage.DEPTH_READ:
        return Load.LOAD
    if usage is Usage.RESOLVE:
        return Load.DISCARD  # every texel is overwritten
    if not is_new:
        return Load.LOAD
    return Load.DISCARD if clear is None else Load.CLEAR


def _store(usage: Usage, *, is_wanted: bool) -> Store:
    if usage is Usage.DEPTH_READ:
        return Store.NONE
    return Store.STORE if is_wanted else Store.DISCARD
