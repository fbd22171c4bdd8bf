"""Takes failed nodes out of the graph."""

from __future__ import annotations

from collections.abc import Iterable

from renderwright.render.graph.frame_graph import FrameGraph
from renderwright.render.runtime.failures import FailureHandler, FailurePhase, NodeFailure, log_failure
from renderwright.render.runtime.plans.trial import Trial
from renderwright.render.types.shader_parts import ShaderPart


class FailingNodes:
    """Tells ``on_failure`` of each failed node; without it, failures are logged.

    The node then leaves the graph unless the handler has removed it. Edits on ``trial`` are taken back instead.
    """

    def __init__(self, graph: FrameGraph, trial: Trial, on_failure: FailureHandler | None) -> None:
        self._graph = graph
        self._trial = trial
        self._on_failure = on_failure or log_failure

    @property
    def are_logged(self) -> bool:
        """Whether nobody else is told of them."""
        return self._on_failure is log_failure

    def take_out(self, failures: Iterable[NodeFailure]) -> None:
        """Report failed nodes and remove them.

        Nodes stay that fail because of a part of a shader, if the handler changes the graph so that none has it.
        """
        failures = list(failures)
        if self._trial.refuse(failures):
            return
        withdrawn: set[ShaderPart] = set()
        for failure in failures:
            if failure.part in withdrawn:
                continue
            revision = self._graph.revision
            self._on_failure(failure)
            if failure.part is not None and self._graph.revision != revision:
                withdrawn.add(failure.part)
            elif failure.node in self._graph.node_names:
                self._graph.remove_node(failure.node)

    def take_out_breaking(self, failure: NodeFailure | None, error: Exception) -> None:
        """Report and remove the node that makes the compiler raise what no rule of ours foresees. Raises the ``error``
        if no plugin is at fault."""
        if failure is not None:
            self.take_out([failure])
        elif not self._trial.refuse([NodeFailure("", "", FailurePhase.COMPILE, error)]):
            raise error
