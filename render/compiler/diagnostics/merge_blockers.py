"""Merge blockers in words: why a node cannot join the render pass before it."""

from __future__ import annotations

from collections.abc import Sequence, Set

from renderwright.render.compiler.values.uses import Attached
from renderwright.render.types.parts import WHOLE
from renderwright.render.types.usages import Usage

NO_ATTACHMENT = "it renders to no attachment"
CROSS_FRAME_WAIT = "it waits for what another queue does since the frame before"


def no_attachment_before(earlier: str) -> str:
    """Node ``earlier``, the last of the pass before, renders to nothing."""
    return f'"{earlier}" before it renders to no attachment'


def other_attachments(own: Sequence[Attached], before: Sequence[Attached]) -> str:
    """The pass before has other attachments."""
    return f"it renders to {_attachments(own)}, the pass before it to {_attachments(before)}"


def other_views(own: int, before: int) -> str:
    """The pass before draws another number of views at once."""
    return f"it is drawn for {own} views at once, the pass before it for {before}"


def semaphore_wait(other: str, queue: str) -> str:
    """The node waits for node ``other`` of another queue."""
    return f'it waits for "{other}" on the {queue} queue'


def semaphore_signal(earlier: str) -> str:
    """Another queue waits for node ``earlier``, the last of the pass before."""
    return f'another queue waits for "{earlier}" before it'


def read_after_write(resource: str, usages: Set[Usage], earlier: str) -> str:
    """The node uses a resource that node ``earlier`` of the pass before writes."""
    return f'it uses "{resource}" as {_usages(usages)}, and "{earlier}" in the pass before it writes that'


def write_after_read(resource: str, usages: Set[Usage], earlier: str) -> str:
    """The node writes a resource that node ``earlier`` of the pass before reads."""
    return f'it writes "{resource}" as {_usages(usages)}, and "{earlier}" in the pass before it reads that'


def other_layout(resource: str, usages: Set[Usage], earlier: str, before: Set[Usage]) -> str:
    """The node reads a texture in another layout than node ``earlier`` of the pass before."""
    return f'it uses "{resource}" as {_usages(usages)}, and "{earlier}" in the pass before it as {_usages(before)}'


def aliased_memory(resource: str, other: str) -> str:
    """A resource of the node takes over memory of a resource of the pass before."""
    return f'"{resource}" lies in memory that "{other}" gives up in the pass before it'


def _usages(usages: Set[Usage]) -> str:
    return " and ".join(sorted(usages))


def _attachments(targets: Sequence[Attached]) -> str:
    return ", ".join([f'{f"{part} of " if part != WHOLE else ""}"{name}" as {usage}' for name, usage, part in targets])
