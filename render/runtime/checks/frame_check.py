"""The checks of a runtime's frames, and their findings."""

from __future__ import annotations

from collections.abc import Set

import numpy as np
from numpy.typing import NDArray

from renderwright.render.compiler.values.instances import NodeInstance
from renderwright.render.compiler.values.plan import Plan
from renderwright.render.errors import CheckError
from renderwright.render.runtime.checks.nonfinite import NonFiniteNodes
from renderwright.render.runtime.checks.undefined import NodeRecord, undefined
from renderwright.render.runtime.checks.watched_recorder import NodeCommands
from renderwright.render.runtime.failures import FailureHandler, FailurePhase, NodeFailure


class FrameCheck:
    """Judges every run of every node, and passes each finding to ``report`` once, at the end of its frame.

    An exception of ``report`` ends the frame. With ``texels`` the runtime counts NaN and infinite texels as well.
    """

    def __init__(self, report: FailureHandler, *, texels: bool = False) -> None:
        self.texels = texels
        self._report = report
        self._nonfinite = NonFiniteNodes()
        self._active: set[str] = set()  # nodes (by id) whose last run has recorded commands that write
        self._said: set[tuple[str, str]] = set()
        self._found: list[NodeFailure] = []
        self._plan: Plan | None = None

    def judge(self, record: NodeRecord) -> None:
        """Look at the commands of a node that has run."""
        commands, node = record.commands, record.instance.id
        self._active.discard(node)
        if commands.used or commands.targets:
            self._active.add(node)
        for error in undefined(record):
            self._add(record.instance, error, error.message)

    def end_frame(
        self, frame: int, plan: Plan, skipped: Set[str], failed: Set[str], counts: NDArray[np.uint32] | None
    ) -> None:
        """Report the findings of a frame of the plan, whose ``skipped`` nodes (by id) have not run.

        ``failed`` nodes (by name) have raised. ``counts`` are those of ``TexelCounter.read``, if texels are counted.
        """
        if counts is not None:
            idle = {
                node.id for node in plan.graph.nodes if node.id not in self._active or node.declaration.name in failed
            }
            for node, error in self._nonfinite.makers(frame, plan, skipped, idle, counts):
                self._add(node, error, "texels")
        if plan is not self._plan:
            self._plan = plan
            self._judge_idle_nodes(plan)
        found, self._found = self._found, []
        for finding in found:
            self._report(finding)

    def _judge_idle_nodes(self, plan: Plan) -> None:
        """Nodes without an execute function record nothing."""
        for node in plan.graph.nodes:
            if not node.declaration.executes:
                self.judge(NodeRecord(node, {}, (), NodeCommands()))

    def _add(self, node: NodeInstance, error: CheckError, subject: str) -> None:
        """Add a finding, unless there has been one about the same subject of the same node."""
        name, plugin = node.declaration.name, node.declaration.plugin
        if (name, subject) not in self._said:
            self._said.add((name, subject))
            self._found.append(NodeFailure(name, plugin, FailurePhase.CHECK, error))
