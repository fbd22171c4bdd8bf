"""``play --times``: what nodes and plugins take on the GPU and on the CPU."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from statistics import median
from typing import NamedTuple

from renderwright.engine.messages import say
from renderwright.engine.session import Session
from renderwright.engine.text_table import text_table
from renderwright.render.backend.target import Target
from renderwright.render.compiler.values.plan import Plan
from renderwright.render.runtime.frame_report import FrameReport

ENGINE = "(engine)"
"""Stands for a plugin in the table: nodes of the engine and of the skeleton."""
_HEADING = ("GPU ms", "longest", "CPU ms", "longest")


class _Key(NamedTuple):
    """A node, or with '' all nodes of a plugin."""

    plugin: str
    node: str = ""


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
        self._taken: dict[_Key, _Taken] = {}
        self._frames = _Taken()
        self._owners: dict[str, tuple[str, str]] = {}
        self._plan: Plan | None = None

    def begin(self, session: Session, target: Target) -> None:
        """Have the GPU's times read in each frame."""
        session.runtime.times.every = 1

    def see(self, session: Session, report: FrameReport) -> None:
        """Collect the times of a frame."""
        session.runtime.times.every = 1  # there is another runtime after a device loss
        if report.plan is not self._plan:
            self._plan = report.plan
            names = {node.id: node.declaration for node in report.plan.graph.nodes}
            self._owners.update({node: (each.name, each.plugin or ENGINE) for node, each in names.items()})
        self._frames.cpu.append(report.cpu_seconds)
        # Nodes that keep their commands take nothing.
        idle = {node.id: 0.0 for node in report.plan.graph.nodes if node.declaration.executes}
        for key, seconds in self._summed({**idle, **report.node_seconds}).items():
            self._taken.setdefault(key, _Taken()).cpu.append(seconds)
        if report.gpu_times:
            self._frames.gpu.append(report.gpu_seconds)
            for key, seconds in self._summed(report.gpu_times).items():
                self._taken.setdefault(key, _Taken()).gpu.append(seconds)

    def _summed(self, seconds: Mapping[str, float]) -> dict[_Key, float]:
        """Seconds by node, and by plugin, of all their instances."""
        sums: dict[_Key, float] = {}
        for instance, taken in seconds.items():
            name, plugin = self._owners.get(instance, ("", ""))
            for key in (_Key(plugin, name), _Key(plugin)) if name else ():
                sums[key] = sums.get(key, 0.0) + taken
        return sums

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
