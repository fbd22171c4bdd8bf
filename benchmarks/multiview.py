"""``renderwright bench multiview``: what multiview rendering of both eyes saves.

The two runs differ only in ``CompileOptions.views``. Their frames alternate, so that other load affects both. CPU times
are those of this thread; a driver that renders on the CPU uses its own threads. The pictures are not compared, so
drivers that draw clipped triangles of several views wrong can be measured as well.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, replace
from typing import Any

import click
from pyglm import glm

from benchmarks.printed_rows import Column, PrintedRows
from renderwright.engine.clock import FixedStepClock
from renderwright.engine.game import Game, GameContext
from renderwright.engine.options import PluginChoice, SettingChange
from renderwright.engine.scene import Camera
from renderwright.engine.scene.material import Material
from renderwright.engine.scene.primitives import box
from renderwright.engine.scene.transform import Transform
from renderwright.engine.session import Session
from renderwright.render.backend.vulkan.backend import VulkanBackend
from renderwright.render.types.resources import Extent
from renderwright.render.types.views import LEAST_VIEWS

EXTENT: Extent = (64, 48)
OBJECTS = (10, 100, 1000)
SKELETONS = ("deferred", "forward")
FRAMES = 41
WARM_UP = 8
SCENE_NODES = ("opaque", "depth_only", "forward_opaque")
"""The engine's nodes that draw the whole scene."""
STEP = 1 / 60


class Crowd(Game):
    """A number of boxes, each with its own mesh, so that each is a separate draw."""

    plugins = ("tonemap", "vr")
    step = STEP
    objects = 10

    def setup(self, context: GameContext) -> None:
        """Build the scene."""
        scene = context.scene
        scene.cameras[:] = [Camera(glm.vec3(0.0, 1.0, 3.0), glm.vec3(0.0))]
        material = Material(base_color=(0.5, 0.5, 0.5, 1.0))
        for number in range(self.objects):
            place = glm.vec3(number % 32 - 16, number // 32 % 32 - 16, 0.0) * 0.05
            scene.spawn(box(0.02 + 1e-6 * number), material, Transform(place))


@dataclass(frozen=True)
class Cost:
    """A frame: the scene's draws on the device, medians of the seconds of the device and of this thread, and bytes of
    transient memory."""

    draws: int
    gpu: float
    cpu: float
    memory: int


@dataclass(frozen=True)
class Pair:
    """The eyes drawn one after the other, and at once."""

    apart: Cost
    at_once: Cost


def measure(skeleton: str, objects: int, device: str = "", frames: int = FRAMES) -> Pair:
    """Measure both variants, each on its own device."""
    with ExitStack() as stack:
        runs = [stack.enter_context(_running(skeleton, objects, views, device)) for views in (1, LEAST_VIEWS)]
        for number in range(WARM_UP + frames):
            for run in runs:
                run.frame(counts=number >= WARM_UP)
        return Pair(*[run.cost() for run in runs])


class _Run:
    def __init__(self, session: Session, target: Any) -> None:
        self.session = session
        self._target = target
        self._gpu: list[float] = []
        self._cpu: list[float] = []

    def frame(self, *, counts: bool) -> None:
        """Render a frame, whose times may count."""
        self.session.backend.wait_idle()
        self.session.step()
        start = time.thread_time()
        report = self.session.render(self._target)
        seconds = time.thread_time() - start
        if counts and report is not None and report.gpu_intervals:
            self._cpu.append(seconds)
            self._gpu.append(report.gpu_seconds)

    def cost(self) -> Cost:
        """What the frames have cost."""
        runtime = self.session.runtime
        drawn = [node for node in runtime.plan.graph.nodes if node.declaration.name in SCENE_NODES]
        objects = len(self.session.context.scene)
        gpu, cpu = statistics.median(self._gpu), statistics.median(self._cpu)
        return Cost(len(drawn) * objects, gpu, cpu, runtime.heap_bytes)


@contextmanager
def _running(skeleton: str, objects: int, views: int, device: str) -> Iterator[_Run]:
    game = type("Crowd", (Crowd,), {"skeleton": skeleton, "objects": objects})
    choice = PluginChoice(settings=(SettingChange("vr", "poses", "still"),))
    with closing(VulkanBackend(device)) as backend:
        session = Session(game, backend, EXTENT, choice=choice, clock=FixedStepClock(STEP, frame=STEP))
        session.runtime.options = replace(session.runtime.options, views=views)
        session.runtime.times.every = 1
        with closing(session), closing(backend.create_target(EXTENT)) as target:
            yield _Run(session, target)


COLUMNS = (
    Column("skeleton", left=True),
    Column("boxes"),
    Column("draws"),
    Column("at once"),
    Column("GPU ms", 7),
    Column("at once"),
    Column("ratio"),
    Column("CPU ms", 7),
    Column("at once"),
    Column("ratio"),
    Column("memory ratio"),
)


def cells(skeleton: str, objects: int, pair: Pair) -> tuple[str, ...]:
    """Draws and times of both variants, and the ratios of multiview to one eye after the other."""
    one, other = pair.apart, pair.at_once
    return (
        skeleton,
        str(objects),
        str(one.draws),
        str(other.draws),
        f"{one.gpu * 1e3:.2f}",
        f"{other.gpu * 1e3:.2f}",
        f"{other.gpu / one.gpu:.2f}",
        f"{one.cpu * 1e3:.2f}",
        f"{other.cpu * 1e3:.2f}",
        f"{other.cpu / one.cpu:.2f}",
        f"{other.memory / one.memory:.2f}",
    )


@click.command()
@click.option("--device", metavar="NAME", default="", help="Part of the GPU's name. [default: RENDERWRIGHT_DEVICE]")
@click.option("--frames", type=click.IntRange(min=1), default=FRAMES, show_default=True, help="Frames of each way.")
def command(device: str, frames: int) -> None:
    """Measure the gain of multiview rendering for both eyes."""
    with closing(VulkanBackend(device)) as backend:
        name = backend.capabilities.device
    rows = PrintedRows(
        f"A frame in stereo on {name}, output of {EXTENT[0]} x {EXTENT[1]} texels, medians of {frames}:\n"
        "both eyes at once, beside one after the other",
        COLUMNS,
    )
    for skeleton in SKELETONS:
        for objects in OBJECTS:
            rows.add(*cells(skeleton, objects, measure(skeleton, objects, device, frames)))
    rows.end("A ratio is that of both at once to one after the other: below 1, both at once are cheaper.")
