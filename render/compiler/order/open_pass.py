"""The render pass that the next node might join, as far as that can be told before resources have memory."""

from __future__ import annotations

from renderwright.render.compiler.order.node_facts import Copy, NodeFacts
from renderwright.render.compiler.values.uses import Attached
from renderwright.render.types.usages import Usage


class OpenPass:
    """The recording nodes since the last change of targets.

    The rule is that of ``passes.merging`` without layouts and aliased memory, which later stages decide.
    """

    def __init__(self) -> None:
        self._targets: tuple[Attached, ...] = ()
        self._written: dict[Copy, bool] = {}  # what the pass uses, and whether it writes it

    def takes(self, node: NodeFacts) -> bool:
        """Whether the node renders to the same targets and shares no other resource that either side writes."""
        if not node.targets or node.targets != self._targets:
            return False
        return not any(copy in self._written and (writes or self._written[copy]) for copy, writes in node.unattached)

    def add(self, node: NodeFacts) -> None:
        """The recording node comes next; it joins the pass or begins a new one."""
        if not self.takes(node):
            self._targets = node.targets
            self._written = {(name, False): usage is not Usage.DEPTH_READ for name, usage, _ in node.targets}
        for copy, writes in node.unattached:
            self._written[copy] = writes or self._written.get(copy, False)
