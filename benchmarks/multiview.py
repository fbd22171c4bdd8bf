"""``renderwright bench multiview``: the CPU time saved by multiview rendering of both eyes.

The two runs differ only in ``CompileOptions.views``. Their frames alternate, so that other load affects both. Times are
CPU times of this thread; a driver that renders on the CPU uses its own threads. The pictures are not compared, so
drivers that draw clipped triangles of several views wrong can be measured as well.
"""

from __future__ import annotations

import statistics
import time
from collections import Counter, deque
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, replace
from typing import Any

import click
from pyglm import glm
from rich.console import Console
from rich.table import Table

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
DRAWS = ("vkCmdDraw", "vkCmdDrawIndexed")
STEP = 1 / 60


class Crowd(Game):
    """A number of boxes, each with its own material, so that each is a separate draw."""

    plugins = ("tonemap", "vr")
    step = STEP
    objects = 10

    def setup(self, context: GameContext) -> None:
        """Build the scene."""
        scene = context.scene
        scene.cameras[:] = [Camera(glm.vec3(0.0, 1.0, 3.0), glm.vec3(0.0))]
        mesh = box(0.02)
        # Three, because the two frame slots would see two of them as they saw them last.
        self._colors = deque(Material(base_color=(0.5, 0.5, blue, 1.0)) for blue in (0.25, 0.5, 0.75))
        self._changing = scene.spawn(mesh, self._colors[0])
        for number in range(self.objects - 1):
            place = glm.vec3(number % 32 - 16, number // 32 % 32 - 16, 0.0) * 0.05
            scene.spawn(mesh, Material(base_color=(number / self.objects, 0.5, 0.5, 1.0)), Transform(place))

    def update(self, dt: float) -> None:
        """Change a material, so that the draws of the last frame cannot be kept."""
        self._colors.rotate()
        self._changing.material = self._colors[0]


class DrawLedger:
    """Counts Vulkan's draw calls."""

    def __init__(self) -> None:
        self.calls: Counter[str] = Counter()

    def wrap(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """The function, wrapped."""
        if name not in DRAWS:
            return function

        def call(*arguments: Any) -> Any:
            self.calls[name] += 1
            return function(*arguments)

        return call

    def take(self) -> int:
        """The draws since the last call."""
        count = self.calls.total()
        self.calls.clear()
        return count


@dataclass(frozen=True)
class Cost:
    """Medians of a frame: draws, seconds of this thread, and bytes of transient memory."""

    draws: float
    seconds: float
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
        found: list[list[tuple[int, float]]] = [[], []]
        for number in range(WARM_UP + frames):
            for run, costs in zip(runs, found, strict=True):
                cost = run.frame()
                if number >= WARM_UP:
                    costs.append(cost)
        medians = [
            Cost(
                statistics.median(draws for draws, _ in each),
                statistics.median(seconds for _, seconds in each),
                run.session.runtime.heap_bytes,
            )
            for run, each in zip(runs, found, strict=True)
        ]
    return Pair(*medians)


class _Run:
    def __init__(self, session: Session, ledger: DrawLedger, target: Any) -> None:
        self.session = session
        self._ledger = ledger
        self._target = target

    def frame(self) -> tuple[int, float]:
        """The draws of a frame, and seconds of this thread."""
        self.session.backend.wait_idle()
        self.session.step()
        self._ledger.take()
        start = time.thread_time()
        self.session.render(self._target)
        seconds = time.thread_time() - start
        return self._ledger.take(), seconds


@contextmanager
def _running(skeleton: str, objects: int, views: int, device: str) -> Iterator[_Run]:
    ledger = DrawLedger()
    game = type("Crowd", (Crowd,), {"skeleton": skeleton, "objects": objects})
    choice = PluginChoice(settings=(SettingChange("vr", "poses", "still"),))
    with closing(VulkanBackend(device, wrap=ledger.wrap)) as backend:
        session = Session(game, backend, EXTENT, choice=choice, clock=FixedStepClock(STEP, frame=STEP))
        session.runtime.options = replace(session.runtime.options, views=views)
        with closing(session), closing(backend.create_target(EXTENT)) as target:
            yield _Run(session, ledger, target)


def table(pairs: dict[tuple[str, int], Pair]) -> Table:
    """Draws and CPU time of both variants, and the ratios of multiview to one eye after the other."""
    found = Table(title="A frame in stereo: both eyes at once, beside one after the other (medians)")
    for name in ("skeleton", "objects", "draws", "at once", "ratio", "CPU ms", "at once", "ratio", "memory ratio"):
        found.add_column(name, justify="left" if name == "skeleton" else "right")
    for (skeleton, objects), pair in pairs.items():
        one, other = pair.apart, pair.at_once
        found.add_row(
            skeleton,
            str(objects),
            f"{one.draws:.0f}",
            f"{other.draws:.0f}",
            f"{other.draws / one.draws:.2f}",
            f"{one.seconds * 1e3:.2f}",
            f"{other.seconds * 1e3:.2f}",
            f"{other.seconds / one.seconds:.2f}",
            f"{other.memory / one.memory:.2f}",
        )
    return found


@click.command()
@click.option("--device", metavar="NAME", default="", help="Part of the GPU's name. [default: RENDERWRIGHT_DEVICE]")
@click.option("--frames", type=click.IntRange(min=1), default=FRAMES, show_default=True, help="Frames of each way.")
def command(device: str, frames: int) -> None:
    """Measure the CPU time saved by multiview rendering of both eyes."""
    pairs = {
        (skeleton, objects): measure(skeleton, objects, device, frames) for skeleton in SKELETONS for objects in OBJECTS
    }
    Console().print(table(pairs))
