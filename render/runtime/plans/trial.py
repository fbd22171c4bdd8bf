"""Edits of a graph on trial: a failure takes them back instead of removing nodes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from renderwright.render.backend.protocol import FRAMES_IN_FLIGHT
from renderwright.render.compiler.values.plan import Plan
from renderwright.render.errors import RenderwrightError
from renderwright.render.runtime.failures import FailurePhase, NodeFailure, NodesFailedError

TakeBack = Callable[[Sequence[NodeFailure]], None]
"""Undoes edits of a graph because of failures. The graph has another revision afterwards."""

Object = Callable[[Plan], RenderwrightError | None]
"""What speaks against a plan, None if nothing does."""


@dataclass
class _Edits:
    take_back: TakeBack
    keep: Callable[[], None]
    object: Object
    frames: int = 0


class Trial:
    """The edits of a graph that are on trial, if any.

    Until enough frames have shown them, a failure of any node takes the edits back, and no node leaves the graph for
    it; so does an objection to the plan. A frame in which a node fails is not shown: it is rendered again without the
    edits. After ``FRAMES_IN_FLIGHT`` frames without a failure, which is one of each slot, the edits are kept.
    """

    def __init__(self) -> None:
        self._edits: _Edits | None = None

    @property
    def active(self) -> bool:
        """Whether edits are on trial."""
        return self._edits is not None

    def begin(self, take_back: TakeBack, keep: Callable[[], None], object: Object = lambda plan: None) -> None:
        """Put the edits that the graph has now, and had not before, on trial. ``take_back`` undoes them; ``keep`` is
        called when they are kept, ``object`` before a plan runs."""
        assert self._edits is None, "one trial at a time"
        self._edits = _Edits(take_back, keep, object)

    def judge_plan(self, plan: Plan) -> None:
        """Raise ``NodesFailedError`` for an objection to a plan, so that it does not run."""
        error = self._edits.object(plan) if self._edits is not None else None
        if error is not None:
            raise NodesFailedError([NodeFailure("", "", FailurePhase.COMPILE, error)])

    def judge(self, failures: Sequence[NodeFailure]) -> None:
        """Raise ``NodesFailedError`` for failures in a frame on trial, so that it is not shown."""
        if self._edits is not None and failures:
            raise NodesFailedError(list(failures))

    def refuse(self, failures: Sequence[NodeFailure]) -> bool:
        """Take the edits back; False if there are none."""
        edits, self._edits = self._edits, None
        if edits is None:
            return False
        edits.take_back(failures)
        return True

    def shown(self) -> None:
        """A frame has shown the edits."""
        if self._edits is None:
            return
        self._edits.frames += 1
        if self._edits.frames == FRAMES_IN_FLIGHT:
            edits, self._edits = self._edits, None
            edits.keep()
