"""The render pass that the next node might join, as far as that can be told before resources have places."""

from __future__ import annotations

from renderwright.render.compiler.order.facts import Item, NodeFacts
from renderwright.render.compiler.values.uses import Attached
from renderwright.render.types.usages import Usage


class OpenPass:
    """The nodes since the last change of targets.

    The rule is that of ``neighbours.PassMerging`` without layouts and shared memory: both need later stages.
    """

    def __init__(self) -> None:
        self.targets: tuple[Attached, ...] = ()
        self._shaded: list[tuple[Item, bool]] = []  # not among the items yet
        # All that is used and whether any node writes it; made for the first node that has to know.
        self._items: dict[Item, bool] | None = None

    def takes(self, node: NodeFacts) -> bool:
        """Whether the node renders to the same targets and shares no other resource that one of both sides writes."""
        if not node.targets or node.targets != self.targets:
            return False
        if not node.shaded:
            return True
        items = self._used()
        for item, writes in node.shaded:
            written = items.get(item)
            if written is not None and (written or writes):
                return False
        return True

    def add(self, node: NodeFacts) -> None:
        """The node comes next; it joins the pass or begins a new one."""
        if not node.records:
            return
        if not self.takes(node):
            self.targets = node.targets
            self._shaded, self._items = [], None
        self._shaded += node.shaded

    def _used(self) -> dict[Item, bool]:
        items = self._items
        if items is None:
            items = self._items = {(name, False): usage is not Usage.DEPTH_READ for name, usage, _ in self.targets}
        for item, writes in self._shaded:
            items[item] = items.get(item, False) or writes
        self._shaded.clear()
        return items
