"""``renderwright bench resolution``: CPU time and memory of dynamic-resolution steps and resizes.

The time of a change is that of its frame less that of a frame without a change. The second half plays the restless game
under validation: aliasing must change no picture, and memory must return to its initial size.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import click
from rich.console import Console
from rich.table import Table

from benchmarks.memory_ledger import MemoryLedger
from benchmarks.restless_game import Restless, play_restlessly, restless
from renderwright.engine.dynamic_resolution import scale_steps
from renderwright.render.backend.null.backend import NullBackend
from renderwright.render.backend.protocol import Backend
from renderwright.render.backend.vulkan.backend import VulkanBackend
from renderwright.render.compiler.pipeline import Compiler
from renderwright.render.graph.resolutions import scaled
from renderwright.render.runtime.plans.succession import SETTLED_FRAMES
from renderwright.render.types.resources import Extent

FULL: Extent = (64, 48)
REPEATS = 31
STEPS = 1000
FRAMES = 300


@dataclass(frozen=True)
class Walk:
    """The CPU time that each step of the controller's scales adds to its frame, in seconds, in step order.

    ``calls`` counts Vulkan calls of all frames together, including those without a step.
    """

    steps: tuple[float, ...]
    calls: dict[str, int]


COUNTED: tuple[str, ...] = ("vkAllocateMemory", "vkFreeMemory", "vkDeviceWaitIdle", "vkQueueWaitIdle")
COUNTED += ("vkCreateGraphicsPipelines", "vkCreateComputePipelines", "vkCreateImage")


def walk(steps: int, device: str = "") -> Walk:
    """Walk up and down the scales, a step in every other frame, after each scale has been used once."""
    ledger = MemoryLedger()
    backend = VulkanBackend(device, wrap=ledger.wrap)
    try:
        with restless(backend) as running:
            timer = _Timer(running, backend)
            graph = running.session.graph
            scales = scale_steps()
            there_and_back = [*range(1, len(scales)), *range(len(scales) - 2, -1, -1)]
            sizes = [None if step == 0 else scaled(FULL, scales[step]) for step in there_and_back]
            changes = [partial(graph.set_dynamic_resolution, "main_view", size) for size in sizes]
            for change in (*changes, *changes):
                timer.frame(change)
                timer.frame()
            before = ledger.calls.copy()
            added = []
            for step in range(steps):
                added.append(timer.frame(changes[step % len(changes)]) - timer.frame())
            made = ledger.calls - before
    finally:
        backend.close()
    return Walk(tuple(added), {name: made[name] for name in COUNTED})


@dataclass(frozen=True)
class Costs:
    """Seconds of a frame without changes, of compiling a step, and of each change in addition to its frame."""

    steady: float
    compile_step: float
    changes: dict[str, float]


def measure(backend: Backend, repeats: int = REPEATS) -> Costs:
    """Medians over ``repeats`` of each change."""
    with restless(backend) as running:
        timer = _Timer(running, backend)
        for _ in range(8):
            timer.frame()
        steady = statistics.median(timer.frame() for _ in range(repeats))
        sides = iter(range(10**6))

        def new_size() -> Extent:
            number = next(sides)
            return 16 + number % 48, 12 + number // 48 % 36

        def known(number: int) -> Extent:
            return 60 - 4 * (number % 4), 40

        graph, session = running.session.graph, running.session
        changes: dict[str, Callable[[int], object]] = {
            "step to a new size": lambda number: graph.set_dynamic_resolution("main_view", new_size()),
            "step to a known size": lambda number: graph.set_dynamic_resolution("main_view", known(number)),
            "resize to a new size": lambda number: graph.set_resolution("main_view", new_size()),
            "resize to a known size": lambda number: graph.set_resolution("main_view", known(number)),
            "switch a plugin": lambda number: session.toggle("bloom"),
        }
        costs = {}
        for name, change in changes.items():
            graph.set_resolution("main_view", FULL)
            times = [timer.frame(partial(change, number)) for number in range(16 + repeats)]
            costs[name] = statistics.median(times[16:]) - steady
            graph.set_dynamic_resolution("main_view", None)
        graph.set_resolution("main_view", FULL)
        compiler = Compiler(backend)
        _compile_step(running, compiler, None)
        compile_step = statistics.median(_compile_step(running, compiler, new_size()) for _ in range(repeats))
    return Costs(steady, compile_step, costs)


class _Timer:
    def __init__(self, running: Restless, backend: Backend) -> None:
        self._running = running
        self._backend = backend

    def frame(self, change: Callable[[], object] | None = None) -> float:
        """CPU seconds of this thread for a frame, including the change before it."""
        self._backend.wait_idle()
        self._running.session.step()
        start = time.thread_time()
        if change is not None:
            change()
        self._running.session.render(self._running.target)
        return time.thread_time() - start


def _compile_step(running: Restless, compiler: Compiler, extent: Extent | None) -> float:
    graph = running.session.graph
    start = time.thread_time()
    graph.set_dynamic_resolution("main_view", extent)
    graph.declare()
    compiler.compile(graph.snapshot(), graph.sizes(), running.session.runtime.options)
    return time.thread_time() - start


def allocations(steps: int, device: str = "") -> dict[str, int]:
    """Calls of Vulkan's memory functions during ``steps`` steps of the dynamic resolution, one in each frame."""
    ledger = MemoryLedger()
    backend = VulkanBackend(device, wrap=ledger.wrap)
    try:
        with restless(backend) as running:
            for _ in range(4):
                running.frame()
            before = ledger.calls.copy()
            for _ in range(steps):
                running.step()
                running.frame()
            made = ledger.calls - before
    finally:
        backend.close()
    return {name: made[name] for name in COUNTED}


def _walk_text(walked: Walk) -> str:
    in_order = sorted(walked.steps)
    median, late, worst = (in_order[int(share * (len(in_order) - 1))] * 1e3 for share in (0.5, 0.95, 1.0))
    calls = ", ".join(f"{count} {name}" for name, count in walked.calls.items())
    return (
        f"{len(in_order)} steps of the controller's scales: {median:.3f} ms of CPU time a step (median; 95 % below "
        f"{late:.3f}, at most {worst:.3f}), with {calls}."
    )


def _cost_table(device: str) -> Table:
    table = Table(title="What a change adds to the CPU time of its frame, milliseconds (medians)")
    table.add_column("change", no_wrap=True)
    results: list[Costs] = []
    vulkan = VulkanBackend(device)
    for backend in (NullBackend(), vulkan):
        try:
            table.add_column(backend.capabilities.device, justify="right")
            results.append(measure(backend))
        finally:
            backend.close()
    for name in results[0].changes:
        table.add_row(name, *(f"{result.changes[name] * 1e3:.2f}" for result in results))
    table.add_row("(the compiler's part of a step)", *(f"{result.compile_step * 1e3:.3f}" for result in results))
    table.add_row("(a frame without a change)", *(f"{result.steady * 1e3:.2f}" for result in results))
    return table


def _restless_table(device: str, frames: int) -> Table:
    settle = frames - SETTLED_FRAMES - 2
    aliased = play_restlessly(alias=True, frames=frames, settle=settle, device=device)
    unaliased = play_restlessly(alias=False, frames=frames, settle=settle, device=device)
    table = Table(title=f"{frames} frames with plugins, sizes and resolutions coming and going, under validation")
    table.add_column("", no_wrap=True)
    for name in ("shared memory", "--no-alias"):
        table.add_column(name, justify="right")
    same = sum(one == other for one, other in zip(aliased.pictures, unaliased.pictures, strict=True))
    for name, values in (
        ("objections of the validation layer", [len(one.messages) for one in (aliased, unaliased)]),
        ("bytes of device memory in frame 3", [one.first_bytes for one in (aliased, unaliased)]),
        ("bytes of device memory in the last frame", [one.last_bytes for one in (aliased, unaliased)]),
        ("waits for the whole device", [one.waits for one in (aliased, unaliased)]),
        ("objects left in the end", [sum(one.left.values()) for one in (aliased, unaliased)]),
        ("different pictures", [len(set(one.pictures)) for one in (aliased, unaliased)]),
        ("frames with equal pictures", [same, same]),
    ):
        table.add_row(name, *(f"{value:,}" for value in values))
    return table


@click.command()
@click.option("--device", metavar="NAME", default="", help="Part of the GPU's name.")
@click.option("--frames", type=click.IntRange(min=SETTLED_FRAMES + 20), default=FRAMES, show_default=True)
@click.option("--steps", type=click.IntRange(min=1), default=STEPS, show_default=True)
def command(device: str, frames: int, steps: int) -> None:
    """Measure dynamic resolution and resizes.

    Memory and pictures are checked in between.
    """
    console = Console()
    console.print(_cost_table(device))
    calls = ", ".join(f"{count} {name}" for name, count in allocations(steps, device).items())
    console.print(f"{steps} steps to any size, one a frame: {calls}.", highlight=False)
    console.print(_walk_text(walk(steps, device)), highlight=False)
    console.print(_restless_table(device, frames))
