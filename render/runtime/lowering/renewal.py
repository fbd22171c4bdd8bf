"""Lowered frames of a plan some of whose nodes have been declared anew.

An edit of a setting declares a few nodes anew, which do something else with the same resources. To lower a frame with
them takes about as long as to play one. So these nodes alone are bound, and the command buffers that they are in made
anew.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from renderwright.render.backend.protocol import Backend
from renderwright.render.compiler.values.operations import Submission
from renderwright.render.runtime.lowering.lowered import LoweredFrame, LoweredNode, LoweredSubmission
from renderwright.render.runtime.lowering.node_lowering import NodeLowering
from renderwright.render.runtime.lowering.node_run import NodeRun
from renderwright.render.runtime.lowering.segments import LoweredItem, Segment, new_segment


@dataclass
class Renewal:
    """Makes a frame of a ``slot`` from ``frame``, whose nodes are perhaps declared anew since.

    It shares what is the same with both ``frame`` and ``donor``, another frame of the slot, until these are destroyed.
    Use it once.
    """

    frame: LoweredFrame
    donor: LoweredFrame | None
    lowering: NodeLowering
    backend: Backend
    slot: int
    _nodes: dict[str, LoweredNode] = field(default_factory=dict)
    _runs: dict[str, NodeRun] = field(default_factory=dict)
    _instead: dict[LoweredItem, NodeRun] = field(default_factory=dict)
    _submissions: list[tuple[Submission, list[Segment]]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._known = {segment.items: segment for segment in self.donor.segments} if self.donor is not None else {}

    def renewed(self) -> LoweredFrame | None:
        """The frame, None if ``frame`` lacks nodes that had failed. Raises what keeps a node from being bound."""
        if self.frame.failures:
            return None
        try:
            for name, node in self.frame.nodes.items():
                self._renew_node(name, node, self.frame.runs[name])
            for one in self.frame.submissions:
                segments: list[Segment] = []
                self._submissions.append((one.submission, segments))
                for segment in one.segments:
                    segments.append(self._renewed_segment(segment, one.submission.queue))
        except BaseException:
            self._finished().destroy(self.backend)
            raise
        return self._finished()

    def _finished(self) -> LoweredFrame:
        submissions = tuple(LoweredSubmission(one, tuple(segments)) for one, segments in self._submissions)
        return LoweredFrame(submissions, self.frame.timed, (), self._nodes, self._runs, self.frame.op_lists)

    def _renew_node(self, name: str, node: LoweredNode, run: NodeRun) -> None:
        if self.lowering.is_current(node, run.instance):
            node.users += 1
        else:
            outdated = run
            node, run = self._of_donor(name, node, run) or self.lowering.bound_anew(node, run)
            self._instead[outdated] = run
        self._nodes[name], self._runs[name] = node, run

    def _of_donor(self, name: str, node: LoweredNode, run: NodeRun) -> tuple[LoweredNode, NodeRun] | None:
        """The node in ``donor``, if it is there as it has to be here."""
        if self.donor is None or name not in self.donor.runs:
            return None
        known, known_run = self.donor.nodes[name], self.donor.runs[name]
        is_current = known.users and self.lowering.is_current(known, run.instance)
        if not is_current or known.bound is not node.bound or not known_run.runs_like(run):
            return None
        known.users += 1
        return known, known_run

    def _renewed_segment(self, segment: Segment, queue: str) -> Segment:
        """The segment, or one of the renewed nodes: another frame's or a new one."""
        items = tuple(self._instead.get(item, item) for item in segment.items)
        known = segment if items == segment.items else self._known.pop(items, None)
        if known is None or not known.users:
            return new_segment(items, self.backend, self.slot, queue)
        known.users += 1
        return known
