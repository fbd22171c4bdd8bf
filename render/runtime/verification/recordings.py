"""Runs nodes so that their commands are kept, verified or always recorded."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from renderwright.render.backend.command_buffers import OpList
from renderwright.render.runtime.checks.frame_check import FrameCheck
from renderwright.render.runtime.failures import FailureHandler
from renderwright.render.runtime.lowering.lowered import LoweredFrame
from renderwright.render.runtime.lowering.node_run import NodeRun
from renderwright.render.runtime.recording import Recording

if TYPE_CHECKING:
    from renderwright.render.runtime.verification.comparisons import Comparisons

RunNode = Callable[[NodeRun, int, FrameCheck | None], OpList | None]


class Recordings:
    """The recordings of a runtime's nodes, in a ``mode``. ``run`` returns the commands of a node for a frame, after a
    check.

    ``report`` is called for nodes that are stable by mistake, if recordings are verified; ``comparisons`` says then
    which nodes were compared.
    """

    def __init__(self, mode: Recording, report: FailureHandler) -> None:
        self.run: RunNode = NodeRun.run
        self.comparisons: Comparisons | None = None
        self.mode = mode
        if mode is Recording.ALWAYS:
            self.run = _run_anew
        elif mode is Recording.VERIFIED:
            from renderwright.render.runtime.verification.kept_commands import KeptCommandsCheck

            check = KeptCommandsCheck(report)
            self.run, self.comparisons = check.run, check.comparisons

    def reopen(self, lowered: LoweredFrame) -> None:
        """Have all nodes of a frame run, unless their commands are kept."""
        if self.mode is not Recording.KEPT:
            lowered.reopen(record=self.mode is Recording.ALWAYS)


def _run_anew(item: NodeRun, frame: int, check: FrameCheck | None) -> OpList | None:
    item.forget()
    return item.run(frame, check)
