"""``play --times``: what nodes and plugins take on the GPU and on the CPU."""

from __future__ import annotations

from dataclasses import dataclass, field
from statistics import median

from renderwright.engine.messages import say
from renderwright.engine.node_owners import NodeKey, NodeOwners
from renderwright.engine.session import Session
from renderwright.engine.text_table import text_table
from renderwright.render.backend.target import Target
from renderwright.render.runtime.frame_report import FrameReport

_HEADING = ("GPU ms", "longest", "CPU ms", "longest")


@dataclass
class _Taken:
    """Seconds of a node or a plugin, one for each frame that was measured."""

    gpu: list[float] = field(default_factory=list)
    cpu: list[float] = field(default_factory=list)

    def cells(self) -> tuple[str, ...]:
        return (*_in_words(self.gpu), *_in_words(self.cpu))

    @property
    def largest(self) -> float:
        return median(self.gpu or [0.0]) + median(self.cpu or [0.0])


class NodeTimes:
    """A ``FrameWatcher`` that prints a table at the end.

    A node's time in a frame is that of all its instances. The GPU's times are read in each frame, two frames later.
    """

    def __init__(self) -> None:
        self._taken: dict[NodeKey, _Taken] = {}
        self._frames = _Taken()
        self._owners = NodeOwners()

    def begin(self, session: Session, target: Target) -> None:
        """Have the GPU's times read in each frame."""
        session.runtime.times.every = 1

    def see(self, session: Session, report: FrameReport) -> None:
        """Collect the times of a frame."""
        session.runtime.times.every = 1  # there is another runtime after a device loss
        self._owners.follow(report.plan)
        self._frames.cpu.append(report.cpu_seconds)
        # Nodes that keep their commands take nothing.
        idle = {node.id: 0.0 for node in report.plan.graph.nodes if node.declaration.executes}
        for key, seconds in self._owners.summed({**idle, **report.node_seconds}).items():
            self._taken.setdefault(key, _Taken()).cpu.append(seconds)
        if report.gpu_times:
            self._frames.gpu.append(report.gpu_seconds)
            for key, seconds in self._owners.summed(report.gpu_times).items():
                self._taken.setdefault(key, _Taken()).gpu.append(seconds)

    def finish(self, session: Session) -> None:
        """Print the table."""
        say(self.table())
        if not self._frames.gpu:
            device = session.backend.capabilities.device
            say(f"{device} has measured no node on the GPU: it has no timestamps, or the game ended within two frames.")

    def table(self) -> str:
        """Nodes and plugins, those that take longest first."""
        order = sorted(self._taken.items(), key=lambda item: -item[1].largest)
        nodes = [(key.node, key.plugin, *taken.cells()) for key, taken in order if key.node]
        plugins = [(key.plugin, "", *taken.cells()) for key, taken in order if not key.node]
        whole = ("whole frame", "", *self._frames.cells())
        blank = ("",) * len(whole)
        rows = [("node", "plugin", *_HEADING), *nodes, blank, ("plugin", "", *_HEADING), *plugins, blank, whole]
        gpu, cpu = len(self._frames.gpu), len(self._frames.cpu)
        return f"{text_table(rows, names=2)}\nMedian and longest; frames measured: {gpu} on the GPU, {cpu} on the CPU."


def _in_words(seconds: list[float]) -> tuple[str, str]:
    """Median and longest in milliseconds; dashes where nothing was measured."""
    if not seconds:
        return "-", "-"
    return f"{median(seconds) * 1e3:.3f}", f"{max(seconds) * 1e3:.3f}"
