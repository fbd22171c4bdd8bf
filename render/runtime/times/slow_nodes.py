"""Tells which nodes make frames slow."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping

from renderwright.render.compiler.values.instances import NodeInstance
from renderwright.render.runtime.failures import node_in_words
from renderwright.render.runtime.times.gpu_clock import GpuInterval

SECONDS = 1.0
"""A node that alone takes longer makes every frame late, on any machine."""

log = logging.getLogger("renderwright.runtime")


class SlowNodes:
    """Warns of each slow node once, of its execute function and of its work on the GPU.

    A node is slow on the GPU if it also takes most of the frame there: on a slow machine all of them take long.
    """

    def __init__(self) -> None:
        self._told: set[tuple[str, str]] = set()

    def executed(self, node: NodeInstance, seconds: float) -> None:
        """A node has recorded its commands."""
        if seconds > SECONDS:
            what = f"takes {seconds:.1f} s in its execute function"
            self._tell(node, "execute", what, "frames wait for it")

    def measured(self, nodes: Iterable[NodeInstance], intervals: Mapping[str, GpuInterval]) -> None:
        """The GPU has finished a frame with these ``intervals`` by node instance."""
        slow = {name: each.seconds for name, each in intervals.items() if each.seconds > SECONDS}
        if not slow:
            return
        frame = sum(interval.seconds for interval in intervals.values())
        for node in nodes:
            seconds = slow.get(node.id, 0.0)
            if seconds > frame / 2:
                self._tell(node, "gpu", f"takes {seconds:.1f} s on the GPU", f"of {frame:.1f} s for all nodes")

    def _tell(self, node: NodeInstance, where: str, what: str, more: str) -> None:
        key = node.declaration.name, where
        if key not in self._told:
            self._told.add(key)
            log.warning("%s %s; %s", node_in_words(node.declaration.name, node.declaration.plugin), what, more)
