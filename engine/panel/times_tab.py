"""What nodes and plugins take, now and over the last frames."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from statistics import fmean

import numpy as np
from slimgui import imgui

from renderwright.engine.node_owners import NodeKey, NodeOwners
from renderwright.engine.panel.tab import Edit
from renderwright.engine.panel.texts import note
from renderwright.engine.session import Session
from renderwright.render.runtime.frame_report import FrameReport

_MEAN_OF = 30
"""Frames of which the table shows the mean."""
_PLOTTED = 240
"""Frames of the plot."""
_MILLI = 1e3

Sums = dict[NodeKey, float]


class TimesTab:
    """The times that ``see`` has collected: a plot of whole frames, and tables of plugins and nodes."""

    name = "times"

    def __init__(self) -> None:
        self._owners = NodeOwners()
        self._frames: deque[float] = deque(maxlen=_PLOTTED)
        self._gpu_frames: deque[float] = deque(maxlen=_PLOTTED)
        self._cpu: deque[Sums] = deque(maxlen=_MEAN_OF)
        self._gpu: deque[Sums] = deque(maxlen=_MEAN_OF)
        self._by_node = False

    def see(self, report: FrameReport) -> None:
        """Collect the times of a frame."""
        self._owners.follow(report.plan)
        self._frames.append(report.cpu_seconds * _MILLI)
        self._cpu.append(self._owners.summed(report.node_seconds))
        if report.gpu_times:
            self._gpu_frames.append(report.gpu_seconds * _MILLI)
            self._gpu.append(self._owners.summed(report.gpu_times))

    def forget(self) -> None:
        """Begin anew, after frames that were not seen."""
        for times in (self._frames, self._gpu_frames, self._cpu, self._gpu):
            times.clear()

    def draw(self, session: Session) -> Iterable[Edit]:
        """See ``Tab``."""
        _plot("GPU", self._gpu_frames)
        _plot("CPU", self._frames)
        if not self._gpu_frames:
            note("this device has not measured a node on the GPU yet")
        self._by_node = imgui.checkbox("nodes", self._by_node)[1]
        imgui.set_item_tooltip("a row for each node instead of each plugin")
        cpu, gpu = _means(self._cpu), _means(self._gpu)
        keys = [key for key in {**gpu, **cpu} if bool(key.node) == self._by_node]
        flags = imgui.TableFlags.ROW_BG | imgui.TableFlags.BORDERS_INNER_V | imgui.TableFlags.SIZING_STRETCH_PROP
        if imgui.begin_table("times", 3, flags):
            for heading in ("node" if self._by_node else "plugin", "GPU ms", "CPU ms"):
                imgui.table_setup_column(heading)
            imgui.table_headers_row()
            for key in sorted(keys, key=lambda key: (-gpu.get(key, 0.0), -cpu.get(key, 0.0), key)):
                cells = (key.node or key.plugin, *(f"{each.get(key, 0.0) * _MILLI:.3f}" for each in (gpu, cpu)))
                for cell in cells:
                    imgui.table_next_column()
                    imgui.text(cell)
            imgui.end_table()
        note(f"means of {len(self._cpu)} frames; kept commands take nothing on the CPU")
        return ()


def _means(frames: Iterable[Sums]) -> Sums:
    """The mean of each time over the frames; a time that a frame does not have is 0 in it."""
    every = list(frames)
    keys = {key for frame in every for key in frame}
    return {key: fmean(frame.get(key, 0.0) for frame in every) for key in keys}


def _plot(label: str, milliseconds: Iterable[float]) -> None:
    values = np.fromiter(milliseconds, np.float32)
    if len(values):
        imgui.text(f"{label}: median {np.median(values):.2f} ms, longest {values.max():.2f} ms")
        size = imgui.get_content_region_avail()[0], 48.0
        imgui.plot_lines(f"##{label}", values, "", 0.0, float(values.max()) * 1.1 + 1e-6, size)
