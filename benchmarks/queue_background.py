"""The effect of long background work on frames: submitted at once, or in slices."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from benchmarks.queue_frame import Load, queue_frame, running
from renderwright.render.backend.vulkan.backend import VulkanBackend
from renderwright.render.compiler.values.options import CompileOptions
from renderwright.render.graph.frame_graph import FrameGraph
from renderwright.render.graph.registry import Registry
from renderwright.render.runtime.background import Background
from renderwright.render.types.resources import Buffer


@dataclass(frozen=True)
class Beside:
    """Seconds of a frame by the host's clock, median and longest; and the number of finished runs of the long work."""

    median: float
    longest: float
    runs: int


@dataclass(frozen=True)
class _Work:
    count: int


def long_graph(load: Load, slices: int) -> FrameGraph:
    """A simulation in ``slices`` steps; ``state`` is its result."""
    graph = FrameGraph()

    def begin(reg: Registry) -> Callable[[Any], None]:
        target = reg.create("state 0", Buffer(4 * load.values)).copy_dst()
        return lambda cmd: cmd.recorder.fill_buffer(target.buffer)

    def simulate(step: int, reg: Registry) -> Callable[[Any], None]:
        made = "state" if step == slices else f"state {step}"
        reg.create(made, Buffer(4 * load.values)).storage_write("compute").bind("Next")
        reg.read(f"state {step - 1}").storage_read("compute").bind("Last")
        reg.uniform("work", lambda: _Work(load.simulate))
        program = reg.compute("simulate.comp")
        return lambda cmd: cmd.dispatch(program, (load.values, 1, 1))

    graph.add_node("begin", begin)
    for step in range(1, slices + 1):
        graph.add_node(f"simulate {step}", partial(simulate, step))
    return graph


def measure_background(
    backend: VulkanBackend, options: CompileOptions, load: Load, frames: int, slices: int
) -> dict[str, Beside]:
    """Play the frame without long work, with all of its slices submitted at once, and with one slice a frame."""
    found = {}
    for way, at_once in (("no work", 0), ("all at once", slices + 2), ("a slice a frame", 1)):
        with running(queue_frame(load), backend, options) as runtime:
            background = Background(runtime, long_graph(load, slices), ["state"], slices=at_once or 1)
            if at_once:
                # The first run compiles the graph and creates its resources.
                background.start()
                background.wait()
            for _ in range(16):
                runtime.render(None)
            backend.wait_idle()
            before = background.runs
            times = []
            for _ in range(frames):
                start = time.perf_counter()
                if at_once:
                    if not background.running:
                        background.start()
                    background.advance()
                runtime.render(None)
                times.append(time.perf_counter() - start)
            backend.wait_idle()
            found[way] = Beside(statistics.median(times), max(times), background.runs - before)
            background.close()
    return found
