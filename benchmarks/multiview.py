"""``renderwright bench multiview``: what drawing both eyes at once saves the CPU, beside one after the other.

Everything is the same but ``CompileOptions.views``; frames of the two runs alternate, so that what else the machine
does meets both. Times are this thread's: a driver that renders on the CPU does so on threads of its own. The pictures
are not looked at, so drivers that draw clipped triangles of several views wrong are measured as well.
"""

from __future__ import annotations

import statistics
import time
from collections import Counter
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
    """So many boxes, each of a material of its own, so that none is drawn together with another."""

    plugins = ("tonemap", "vr")
    step = STEP
    objects = 10

    def setup(self, context: GameContext) -> None:
        """Build the scene."""
        scene = context.scene
        scene.cameras[:] = [Camera(glm.vec3(0.0, 1.0, 3.0), glm.vec3(0.0))]
        mesh = box(0.02)
        for number in range(self.objects):
            place = glm.vec3(number % 32 - 16, number // 32 % 32 - 16, 0.0) * 0.05
            scene.spawn(mesh, Material(base_color=(number / self.objects, 0.5, 0.5, 1.0)), Transform(place))


class DrawLedger:
    """Counts the draws that Vulkan is asked for."""

    def __init__(self) -> None:
        self.calls: Counter[str] = Counter()

    def wrap(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """What is called in place of the function."""
        if name not in DRAWS:
            return function

        def call(*arguments: Any) -> Any:
            self.calls[name] += 1
            return function(*arguments)

        return call

    def take(self) -> int:
        """The draws since the last time."""
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
    """Both ways, each on a device of its own."""
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
    """Each way's draws and CPU time, and the ratios of both eyes at once to one after the other."""
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
    """What drawing both eyes at once saves the CPU."""
    pairs = {
        (skeleton, objects): measure(skeleton, objects, device, frames) for skeleton in SKELETONS for objects in OBJECTS
    }
    Console().print(table(pairs))
