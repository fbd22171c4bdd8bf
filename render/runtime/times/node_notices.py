"""Notices of nodes that have run: they go on, and their author is told once."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping
from pathlib import Path

from renderwright.render.compiler.values.instances import NodeInstance
from renderwright.render.errors import ShaderError, SourceLocation
from renderwright.render.graph.bound_pipeline import BoundPipeline
from renderwright.render.runtime.failures import FailureHandler, FailurePhase, NodeFailure, node_in_words
from renderwright.render.runtime.times.gpu_clock import GpuInterval
from renderwright.render.runtime.times.slow_nodes import SlowNodes

log = logging.getLogger("renderwright.runtime")


class NodeNotices:
    """Slow nodes, which are logged, and push constants that no shader uses, which ``report`` is called for, as for
    notices that are added.

    Without ``report`` these are logged, too. It is called between frames and may raise.
    """

    def __init__(self, report: FailureHandler | None) -> None:
        self._report = report or (lambda notice: log.warning("%s", notice.error))
        self._slow = SlowNodes()
        self._seen: set[tuple[str, str]] = set()
        self._found: list[NodeFailure] = []

    def executed(self, node: NodeInstance, pipelines: Iterable[BoundPipeline], seconds: float) -> None:
        """A node has recorded its commands with its ``pipelines``."""
        self._slow.executed(node, seconds)
        for bound in pipelines:
            if bound.unused:
                self._see_unused(node, bound)

    def measured(self, nodes: Iterable[NodeInstance], intervals: Mapping[str, GpuInterval]) -> None:
        """The GPU has finished a frame with these ``intervals`` by node instance."""
        self._slow.measured(nodes, intervals)

    def add(self, notice: NodeFailure) -> None:
        """Report a notice at the end of the frame."""
        self._found.append(notice)

    def end_frame(self) -> None:
        """Report the notices of the frame."""
        found, self._found = self._found, []
        for notice in found:
            self._report(notice)

    def _see_unused(self, node: NodeInstance, bound: BoundPipeline) -> None:
        name, plugin = node.declaration.name, node.declaration.plugin
        for constant, where in bound.unused.items():
            if (name, constant) not in self._seen:
                self._seen.add((name, constant))
                error = _unused(node, bound, constant, where)
                self.add(NodeFailure(name, plugin, FailurePhase.EXECUTE, error))


def _unused(node: NodeInstance, bound: BoundPipeline, constant: str, where: SourceLocation) -> ShaderError:
    files = [f"`{Path(module.file).name}`" for module in bound.pipeline.desc.modules]
    verb = "does" if len(files) == 1 else "do"
    words = node_in_words(node.declaration.name, node.declaration.plugin)
    return ShaderError(
        f'{words}: {" and ".join(files)} {verb} not use "{constant}"',
        hint="remove it from the call, or use it in the shader",
        where=where,
    )
