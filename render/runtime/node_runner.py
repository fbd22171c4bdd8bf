"""Runs the nodes of one frame."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

from renderwright.render.backend.command_buffers import OpList
from renderwright.render.backend.protocol import Backend
from renderwright.render.errors import CODE_FAILURES, DeviceLostError
from renderwright.render.runtime.checks.frame_check import FrameCheck
from renderwright.render.runtime.failures import FailurePhase, NodeFailure
from renderwright.render.runtime.lowering.lowered import LoweredFrame
from renderwright.render.runtime.lowering.node_run import NodeRun
from renderwright.render.runtime.times.node_notices import NodeNotices
from renderwright.render.runtime.verification.recordings import Recordings


@dataclass
class NodeRunner:
    """Collects the ``failures`` of nodes that raise; their commands are left out of the frame.

    ``seconds`` are those of the CPU by node instance (id), of nodes that have run, and ``begins`` when they did.
    """

    frame: int
    check: FrameCheck | None
    notices: NodeNotices
    recordings: Recordings
    failures: list[NodeFailure] = field(default_factory=list)
    seconds: dict[str, float] = field(default_factory=dict)
    begins: dict[str, float] = field(default_factory=dict)

    def run(self, item: NodeRun, lists: list[OpList]) -> None:
        """Execute a node and append its commands."""
        start = time.perf_counter()
        try:
            recorded = self.recordings.run(item, self.frame, self.check)
        except DeviceLostError:
            raise  # not the node's fault
        except CODE_FAILURES as error:
            declaration = item.instance.declaration
            failure = NodeFailure(declaration.name, declaration.plugin, FailurePhase.EXECUTE, error)
            self.failures.append(failure)
            return
        self.begins[item.instance.id] = start
        self.seconds[item.instance.id] = seconds = time.perf_counter() - start
        self.notices.executed(item.instance, item.pipelines, seconds)
        if recorded is not None and recorded.ops:
            lists.append(recorded)

    def update(self, lowered: LoweredFrame, backend: Backend) -> None:
        """Bring the command buffers of a frame up to date."""
        self.recordings.reopen(lowered)
        lowered.update(self.run, backend)

    @property
    def failed(self) -> set[str]:
        """Names of the nodes that raised."""
        return {failure.node for failure in self.failures}
