"""Attachments whose contents need never leave a render pass: some devices keep these on the chip, without memory."""

from __future__ import annotations

from collections.abc import Sequence

from renderwright.render.compiler.passes.load_store import attachments_of
from renderwright.render.compiler.resources.access_history import Timeline, records
from renderwright.render.compiler.values.instances import NodeInstance


def lives_in_one_pass(nodes: Sequence[NodeInstance], time: Timeline) -> bool:
    """Whether a texture that is nothing but an attachment is one of nodes that can be one render pass.

    These are neighbours with the same attachments. Whether they do become one pass depends on what shares memory with
    what, and so on the answer; where they do not, the device stores the contents after all when it is told to.
    """
    spans = time.spans
    first, last = min([first for first, _ in spans]), max([last for _, last in spans])
    targets = attachments_of(nodes[first])
    return all(attachments_of(node) == targets for node in nodes[first + 1 : last + 1] if records(node))
