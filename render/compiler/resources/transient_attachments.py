"""Transient attachments: their contents never leave a render pass, so that tiled GPUs need no memory for them."""

from __future__ import annotations

from collections.abc import Sequence

from renderwright.render.compiler.resources.access_history import AccessHistory
from renderwright.render.compiler.values.instances import NodeInstance


def fits_one_pass(nodes: Sequence[NodeInstance], time: AccessHistory) -> bool:
    """Whether all users of a texture that is only an attachment can be one render pass.

    They can if all recording nodes from the first user to the last have the same attachments. Whether they do become
    one pass depends on aliasing, and so on the answer. Where they do not, passes store and load the contents.
    """
    first, last = time.nodes[0], time.nodes[-1]
    targets = nodes[first].attached
    return all(node.attached == targets for node in nodes[first + 1 : last + 1] if node.records)
