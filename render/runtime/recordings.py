"""Runs nodes so that their commands are kept, verified or always recorded."""

from __future__ import annotations

from typing import TYPE_CHECKING

from renderwright.render.backend.command_buffers import OpList
from renderwright.render.runtime.checks.frame_check import FrameCheck
from renderwright.render.runtime.failures import FailureHandler
from renderwright.render.runtime.lowered import LoweredFrame
from renderwright.render.runtime.node_run import NodeRun
from renderwright.render.runtime.recording import Recording

if TYPE_CHECKING:
    from renderwright.render.runtime.checks.kept_commands import KeptCommandsCheck


class Recordings:
    """The recordings of a runtime's nodes. ``report`` is called for nodes that are stable by mistake, if verified."""

    def __init__(self, mode: Recording, report: FailureHandler) -> None:
        self._mode = mode
        self._check: KeptCommandsCheck | None = None
        if mode is Recording.VERIFIED:
            from renderwright.render.runtime.checks.kept_commands import KeptCommandsCheck

            self._check = KeptCommandsCheck(report)

    def run(self, item: NodeRun, frame: int, check: FrameCheck | None) -> OpList | None:
        """The commands of a node for a frame."""
        if self._check is not None:
            return self._check.run(item, frame, check)
        if self._mode is Recording.ALWAYS:
            item.forget()
        return item.run(frame, check)

    def reopen(self, lowered: LoweredFrame) -> None:
        """Have all nodes of a frame run, unless their commands are kept."""
        if self._mode is not Recording.KEPT:
            lowered.reopen(record=self._mode is Recording.ALWAYS)
