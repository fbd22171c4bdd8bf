"""The render pass that the next node might join, as far as that can be told before resources have places."""

from __future__ import annotations

from render.compiler.ordering.facts import Item, NodeFacts
from render.compiler.uses import Attached
from render.sync.usages import Usage


class OpenPass:
    """The nodes since the last change of targets.

    The rule is that of ``neighbours.PassMerging`` without layouts and shared memory: both need later stages.
    """

    def __init__(self) -> None:
        self.targets: tuple[Attached, ...] = ()
        self._items: dict[Item, bool] = {}

    def takes(self, node: NodeFacts) -> bool:
        """Whether the node renders to the same targets and shares no other resource that one of both sides writes."""
        if not node.targets or node.targets != self.targets:
            return False
        for item, writes in node.shaded:
            written = self._items.get(item)
            if written is not None and (written or writes):
                return False
        return True

    def add(self, node: NodeFacts) -> None:
        """The node comes next; it joins the pass or begins a new one."""
        if not node.records:
            return
        if not self.takes(node):
            self.targets = node.targets
            self._items = {(name, False): usage is not Usage.DEPTH_READ for name, usage, _ in node.targets}
        for item, writes in node.shaded:
            self._items[item] = self._items.get(item, False) or writes
