"""``renderwright bench deferred``: GPU time of a deferred frame of 20 passes, as a graph and written by hand.

Frames of the variants alternate on one device, and each waits for it. A frame's time is that between a timestamp at its
begin and one at its end. The runtime also writes two timestamps for each node; a variant without them tells their cost.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, replace
from typing import Any, Protocol

import click
import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table

from benchmarks.barriers import count_barriers
from benchmarks.deferred_by_hand import DeferredByHand
from benchmarks.deferred_frame import GLSL, RESULT, Load, deferred_graph
from renderwright.engine.cli import parameters
from renderwright.engine.garbage import calm_collector
from renderwright.render.backend.protocol import FRAMES_IN_FLIGHT
from renderwright.render.backend.vulkan.backend import VulkanBackend
from renderwright.render.compiler.values.options import CompileOptions
from renderwright.render.memory.policy import PackPolicy
from renderwright.render.runtime.runtime import Runtime
from renderwright.render.shaders.library import ShaderLibrary
from renderwright.render.sync.flags import Layout
from renderwright.render.sync.queues import ALL_QUEUES, GRAPHICS
from renderwright.render.types.fullscreen import Fullscreen
from renderwright.render.types.resources import Extent

WAYS = (Fullscreen.FRAGMENT, Fullscreen.COMPUTE)
BAR = 1.03
FRAMES = 200
WARM_UP = 12
"""Frames before those that count."""
BY_HAND = "by hand"
ONE_QUEUE = "graph"
UNTIMED = "graph, no times of nodes"
SEVERAL = "graph, several queues"


class NodeClock:
    """Leaves out timestamps of nodes, other than those with the numbers in ``kept`` (None: keeps all), and all labels.

    Recording calls the functions that it has wrapped, so ``kept`` has to be set before each frame that may record.
    """

    def __init__(self) -> None:
        self.kept: frozenset[int] | None = None

    def wrap(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """What a backend calls in place of a function."""
        if name in ("vkCmdBeginDebugUtilsLabelEXT", "vkCmdEndDebugUtilsLabelEXT"):
            return lambda *arguments: None
        if name != "vkCmdWriteTimestamp2":
            return function

        def write(buffer: Any, stage: int, pool: Any, number: int) -> None:
            if self.kept is None or number in self.kept:
                function(buffer, stage, pool, number)

        return write


class Variant(Protocol):
    """One way to draw the frame."""

    @property
    def memory(self) -> int:
        """Bytes of device memory of the textures."""

    @property
    def barriers(self) -> int:
        """The barriers of a frame."""

    @property
    def calls(self) -> int:
        """The commands that issue them."""

    def frame(self) -> float:
        """Draw a frame and wait for it; returns its seconds on the GPU."""

    def picture(self) -> NDArray[np.generic]:
        """The result of the last frame."""

    def close(self) -> None:
        """Destroy everything."""


class DeferredGraph:
    """The frame as a graph, with all timestamps of nodes or, by ``only_ends``, the first and last on each queue."""

    def __init__(
        self,
        backend: VulkanBackend,
        load: Load,
        options: CompileOptions,
        clock: NodeClock,
        *,
        only_ends: bool = False,
    ) -> None:
        graph = deferred_graph(load)
        self._runtime = Runtime(graph, backend, ShaderLibrary([GLSL]), options=options)
        self._runtime.times.every = 2**31  # never: the slots of the backend are those of all variants
        self._backend, self._clock = backend, clock
        plan = self._runtime.plan
        self._kept = ends(plan.queues.queues) if only_ends else None
        counts = count_barriers(plan)
        self.memory, self.barriers, self.calls = self._runtime.heap_bytes, counts.barriers, counts.calls
        filled = Layout.GENERAL if options.fullscreen is Fullscreen.COMPUTE else Layout.COLOR_ATTACHMENT
        self._layout = Layout.GENERAL if plan.sync.layouts.general(RESULT) else filled

    @property
    def queues(self) -> frozenset[str]:
        """The queues that nodes run on."""
        return frozenset(self._runtime.plan.queues.queues)

    def frame(self) -> float:
        """Draw a frame and wait for it; returns its seconds on the GPU."""
        slot = self._runtime.frame % FRAMES_IN_FLIGHT
        self._clock.kept = self._kept
        self._runtime.render(None)
        self._backend.wait_idle()
        times = [time for time in self._backend.timestamps(slot) if time]
        return (max(times) - min(times)) * 1e-9

    def picture(self) -> NDArray[np.generic]:
        """The result of the last frame."""
        found: Any = self._runtime.resource(RESULT)
        return self._backend.read_texture(found, self._layout)

    def close(self) -> None:
        """Destroy everything."""
        self._backend.wait_idle()
        self._runtime.close()


def ends(queues: Sequence[str]) -> frozenset[int]:
    """The numbers of the first and the last timestamp on each queue; each node has two, in order."""
    numbers = {queue: [number for number, own in enumerate(queues) if own == queue] for queue in queues}
    return frozenset(end for own in numbers.values() for end in (2 * own[0], 2 * own[-1] + 1))


@dataclass(frozen=True)
class Measured:
    """The median seconds of a frame on the GPU; ``same`` if its last picture is that of the first variant."""

    seconds: float
    memory: int
    barriers: int
    calls: int
    same: bool


def measured_costs(backend: VulkanBackend, load: Load, options: CompileOptions, clock: NodeClock) -> CompileOptions:
    """The options with the GPU times of nodes, by which nodes are assigned to queues."""
    clock.kept = None
    library = ShaderLibrary([GLSL])
    with closing(Runtime(deferred_graph(load), backend, library, options=options)) as runtime:
        runtime.times.every = 1
        for _ in range(WARM_UP):
            runtime.render(None)
            backend.wait_idle()
        runtime.adopt_measured_costs()
        return replace(options, costs=runtime.options.costs)


def measure(variants: Mapping[str, Variant], frames: int) -> dict[str, Measured]:
    """The variants' frames in turn, of which those after the warm-up count."""
    times: dict[str, list[float]] = {name: [] for name in variants}
    with calm_collector() as settle:
        for number in range(WARM_UP + frames):
            if number == WARM_UP:
                settle()
            for name, variant in variants.items():
                seconds = variant.frame()
                if number >= WARM_UP:
                    times[name].append(seconds)
    pictures = {name: variant.picture() for name, variant in variants.items()}
    first = next(iter(pictures.values()))
    return {
        name: Measured(
            statistics.median(times[name]),
            variant.memory,
            variant.barriers,
            variant.calls,
            np.array_equal(pictures[name], first),
        )
        for name, variant in variants.items()
    }


def variants(
    stack: ExitStack, backend: VulkanBackend, load: Load, way: Fullscreen, queues: tuple[str, ...], clock: NodeClock
) -> dict[str, Variant]:
    """The frame by hand and as a graph, which the ``stack`` closes."""
    one = CompileOptions(packing=PackPolicy.BALANCED, queues=(GRAPHICS,), fullscreen=way)
    found: dict[str, Variant] = {BY_HAND: stack.enter_context(closing(DeferredByHand(backend, load, way)))}
    found[ONE_QUEUE] = stack.enter_context(closing(DeferredGraph(backend, load, one, clock)))
    found[UNTIMED] = stack.enter_context(closing(DeferredGraph(backend, load, one, clock, only_ends=True)))
    usable = tuple(queue for queue in queues if queue in backend.capabilities.queues)
    if usable != (GRAPHICS,):
        options = replace(measured_costs(backend, load, one, clock), order="declared", queues=usable)
        several = stack.enter_context(closing(DeferredGraph(backend, load, options, clock, only_ends=True)))
        found[f"{SEVERAL}: {', '.join(sorted(several.queues))}"] = several
    return found


def table(title: str, results: Mapping[str, Measured]) -> Table:
    """A row for each variant, with the ratio to the first one's time."""
    found = Table(title=title)
    for column in ("", "ms", "ratio", "memory, MiB", "barriers", "calls", "picture"):
        found.add_column(column, justify="left" if column in ("", "picture") else "right")
    first = next(iter(results.values()))
    for name, one in results.items():
        times = f"{one.seconds * 1e3:.3f}", f"{one.seconds / first.seconds:.3f}"
        counts = f"{one.memory / 2**20:.1f}", str(one.barriers), str(one.calls)
        found.add_row(name, *times, *counts, "equal" if one.same else "DIFFERENT")
    return found


@click.command()
@click.option("--size", type=parameters.size, default="3840x2160", metavar="WxH", show_default=True)
@click.option("--shadow", type=click.IntRange(min=1), default=Load.shadow, show_default=True, help="Of shadow maps.")
@click.option("--boxes", type=click.IntRange(min=1), default=Load.boxes, show_default=True, help="Along each side.")
@click.option("--frames", type=click.IntRange(min=1), default=FRAMES, show_default=True, help="Of each variant.")
@click.option("--queues", type=parameters.queues, default=",".join(ALL_QUEUES), metavar="Q,..", show_default=True)
@click.option("--device", default="", help="Part of the name of the GPU to use.")
def command(size: Extent, shadow: int, boxes: int, frames: int, queues: tuple[str, ...], device: str) -> None:
    """Measure a deferred frame as a graph and written by hand."""
    console = Console()
    load, clock = Load(size, shadow, boxes), NodeClock()
    different = []
    with closing(VulkanBackend(device, wrap=clock.wrap)) as backend:
        for way in WAYS:
            with ExitStack() as stack:
                results = measure(variants(stack, backend, load, way, queues, clock), frames)
            different += [f"{way}, {name}" for name, one in results.items() if not one.same]
            name = backend.capabilities.device
            console.print(table(f"A deferred frame on {name}, full-screen passes as {way} shaders", results))
    console.print(f"The graph is to take {BAR} times as long as by hand, or less.")
    if different:
        raise click.ClickException(f"the picture is not that by hand: {'; '.join(different)}")
