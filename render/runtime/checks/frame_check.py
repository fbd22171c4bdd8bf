"""The checks of a runtime's frames, and their findings."""

from __future__ import annotations

from renderwright.render.compiler.values.instances import NodeInstance
from renderwright.render.compiler.values.plan import Plan
from renderwright.render.errors import CheckError
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
        self._said: set[tuple[str, str]] = set()
        self._found: list[NodeFailure] = []
        self._plan: Plan | None = None

    def judge(self, record: NodeRecord) -> None:
        """Look at the commands of a node that has run."""
        for error in undefined(record):
            self._add(record.instance, error)

    def end_frame(self, plan: Plan) -> None:
        """Report the findings of a frame of the plan."""
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

    def _add(self, node: NodeInstance, error: CheckError) -> None:
        name, plugin = node.declaration.name, node.declaration.plugin
        if (name, error.message) not in self._said:
            self._said.add((name, error.message))
            self._found.append(NodeFailure(name, plugin, FailurePhase.CHECK, error))
