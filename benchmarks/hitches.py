"""``renderwright bench hitches``: the longest frame in a window while plugins, views, a headset and sizes come and go.

A frame lasts from one turn of the game's loop to the next one, without the game's own step: ``marbles`` builds another
level when players come. While the old plan runs, frames are compared with the median of those before the change; those
of the new plan with the median of those behind; its first frames with that before if it is longer, since the device has
to finish the old plan's frames first. The first row changes nothing: it shows what the machine alone does to frames.

RENDERWRIGHT_CACHE_DIR is an empty folder at first. The driver's own caches stay as they are: lavapipe compiles shaders
when they are drawn with for the first time, for seconds, and nothing but a draw makes it do so.

With ``--game`` each plugin is switched over and back, once, in that game's replay.
"""

from __future__ import annotations

import os
import shutil
import statistics
import subprocess
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, field
from functools import partial
from tempfile import TemporaryDirectory
from typing import Any

import click
from rich.console import Console
from rich.table import Table

from benchmarks.games import replay_of
from renderwright.engine.brief_turns import brief_turns
from renderwright.engine.cli import parameters
from renderwright.engine.clock import FixedStepClock
from renderwright.engine.games import find_game
from renderwright.engine.garbage import calm_collector
from renderwright.engine.input.replay import ReplaySource
from renderwright.engine.options import PluginChoice
from renderwright.engine.session import Session
from renderwright.engine.window import GameWindow, has_display
from renderwright.render.backend.protocol import FRAMES_IN_FLIGHT
from renderwright.render.backend.target import Target
from renderwright.render.backend.vulkan.backend import VulkanBackend
from renderwright.render.disk_cache import cache_folder
from renderwright.render.errors import UsageError
from renderwright.render.runtime.plans.beside import ThreadWorker
from renderwright.render.types.resources import Extent

GAME = "marbles"
SEVEN = ("bloom", "depth_of_field", "fog", "fxaa", "outline", "shadows", "ssao")
SIZE: Extent = (320, 180)
LARGER: Extent = (400, 220)
FRAMES = 30
REPEATS = 3
MOST_FRAMES = 2000
"""Frames after which a change is taken never to show."""

_CACHES = "RENDERWRIGHT_CACHE_DIR"


@dataclass(frozen=True)
class Step:
    """A change: ``frames`` until it shows, and seconds a frame.

    ``before`` and ``after`` are medians. ``waiting`` is the longest frame of the old plan since the change (0 if there
    is none), ``shown`` the longest of the new plan's first ones, ``later`` the longest one behind these.

    ``compiled`` counts pipelines that were made on the thread that renders.
    """

    name: str
    frames: int
    before: float
    waiting: float
    shown: float
    later: float
    after: float
    compiled: int = 0

    @property
    def ratio(self) -> float:
        """The longest frame in medians."""
        shown = self.shown / max(self.before, self.after)
        return max(self.waiting / self.before, shown, self.later / self.after)


@dataclass
class Pipelines:
    """A dispatch wrapper that counts pipelines by the thread that makes them."""

    made: Counter[str] = field(default_factory=Counter)

    def wrap(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """What is called in place of the function."""
        if name not in ("vkCreateGraphicsPipelines", "vkCreateComputePipelines"):
            return function

        def counted(*arguments: Any) -> Any:
            self.made[threading.current_thread().name] += 1
            return function(*arguments)

        return counted


class Playing:
    """A game in a window, frame by frame."""

    def __init__(self, session: Session, target: Target, window: GameWindow, pipelines: Pipelines) -> None:
        self.session = session
        self.pipelines = pipelines
        self._target = target
        self._window = window

    def frame(self, change: Callable[[], object] | None = None) -> float:
        """Seconds of a frame, and of the change before it."""
        start = time.perf_counter()
        if change is not None:
            change()
        changed = time.perf_counter() - start
        self.session.step()
        start = time.perf_counter()
        self._window.dispatch()
        if self._window.extent != self._target.extent:
            self._target.resize(self._window.extent)
        while self.session.render(self._target) is None:
            pass
        return changed + time.perf_counter() - start

    def frames(self, count: int) -> list[float]:
        """Seconds of each."""
        return [self.frame() for _ in range(count)]

    def change(self, name: str, change: Callable[[], object], frames: int = FRAMES) -> Step:
        """Measure a change, and say so on stderr: all of them take minutes.

        Other frames' work beside them is over before, such as the search for packings.
        """
        self.session.runtime.finish_repacking()
        self.frames(4)
        before = statistics.median(self.frames(frames))
        made = self.pipelines.made[threading.current_thread().name]
        waiting: list[float] = []
        seconds = self.frame(change)
        while self.session.runtime.behind or (self.session.arrivals is not None and self.session.arrivals.names):
            waiting.append(seconds)
            if len(waiting) > MOST_FRAMES:
                raise UsageError(f"{name}: nothing of it is seen after {MOST_FRAMES} frames", hint="see the log")
            seconds = self.frame()
        made = self.pipelines.made[threading.current_thread().name] - made
        after = [seconds, *self.frames(frames)]
        waited = max(waiting, default=0.0)
        first, behind = after[: 1 + FRAMES_IN_FLIGHT], after[1 + FRAMES_IN_FLIGHT :]
        step = Step(name, len(waiting), before, waited, max(first), max(behind), statistics.median(behind), made)
        click.echo(f"{name}: {step.ratio:.1f}", err=True)
        return step

    def resize(self, extent: Extent) -> None:
        """Make the window larger or smaller."""
        self._window.window.set_size(*extent)
        deadline = time.monotonic() + 10.0
        while self._window.extent != extent and time.monotonic() < deadline:
            self._window.dispatch()
        self._target.resize(extent)

    def switch(self, plugins: Sequence[str], *, on: bool) -> None:
        """Switch plugins on or off, as a function key does."""
        for plugin in plugins:
            if self.session.plugins.is_enabled(plugin) is not on:
                self.session.toggle(plugin)


@contextmanager
def playing(size: Extent = SIZE, game: str = "") -> Iterator[Playing]:
    """A game's replay in a window as ``renderwright play`` shows it; without a name ``GAME`` without the seven plugins,
    and without a replay."""
    found = find_game(game or GAME)
    bare = PluginChoice(enable=("split_screen", "tonemap"), disable=SEVEN)
    replay = replay_of(found) if game else None
    pipelines = Pipelines()
    with ExitStack() as stack:
        window = stack.enter_context(closing(GameWindow(found.title, size)))
        backend = stack.enter_context(
            closing(VulkanBackend(wrap=pipelines.wrap, cache_folder=cache_folder("pipelines")))
        )
        target = backend.create_target(window.extent, window.window)
        session = Session(
            found,
            backend,
            target.extent,
            choice=PluginChoice() if game else bare,
            seed=replay.seed or 0 if replay is not None else 0,
            source=ReplaySource(replay, found.step) if replay is not None else None,
            clock=FixedStepClock(found.step, frame=found.step),
            repack=True,
            worker=ThreadWorker("renderwright compile"),
            stream=True,
        )
        stack.enter_context(closing(session))
        settle = stack.enter_context(calm_collector())
        stack.enter_context(brief_turns())
        play = Playing(session, target, window, pipelines)
        play.frames(4)
        settle()
        yield play


def cold_steps(play: Playing, frames: int = FRAMES) -> list[Step]:
    """What is measured with empty caches."""
    return [
        play.change("nothing", lambda: None, frames),
        play.change("7 plugins, cold", lambda: play.switch(SEVEN, on=True), frames),
    ]


def warm_steps(play: Playing, size: Extent = SIZE, larger: Extent = LARGER, frames: int = FRAMES) -> list[Step]:
    """What is measured with the caches that another run has left."""
    session = play.session
    return [
        play.change("7 plugins, warm", lambda: play.switch(SEVEN, on=True), frames),
        play.change("7 plugins off", lambda: play.switch(SEVEN, on=False), frames),
        play.change("1 to 2 views", lambda: session.set_players(2), frames),
        play.change("2 to 4 views", lambda: session.set_players(4), frames),
        play.change("4 views to 1", lambda: session.set_players(1), frames),
        play.change("VR on", lambda: play.switch(["vr"], on=True), frames),
        play.change("VR off", lambda: play.switch(["vr"], on=False), frames),
        play.change("resize", lambda: play.resize(larger), frames),
        play.change("resized back", lambda: play.resize(size), frames),
    ]


def toggle_steps(play: Playing, frames: int = FRAMES) -> Iterator[Step]:
    """Each plugin switched over, and back."""
    for plugin in play.session.plugins.plugins():
        was_on = play.session.plugins.is_enabled(plugin.name)
        for on in (not was_on, was_on):
            word = "on" if on else "off"
            yield play.change(f"{plugin.name} {word}", partial(play.switch, [plugin.name], on=on), frames)


@contextmanager
def empty_caches() -> Iterator[None]:
    """Have shaders and pipelines kept in a folder that is empty at first."""
    before = os.environ.get(_CACHES)
    with TemporaryDirectory() as folder:
        os.environ[_CACHES] = folder
        try:
            yield
        finally:
            if before is None:
                del os.environ[_CACHES]
            else:
                os.environ[_CACHES] = before


@contextmanager
def some_display() -> Iterator[None]:
    """The display that there is, else an X server without a screen."""
    if has_display():
        yield
        return
    if shutil.which("Xvfb") is None:
        raise UsageError("there is no display to open a window on", hint="set DISPLAY, or install Xvfb")
    reading, writing = os.pipe()
    arguments = ["Xvfb", "-displayfd", str(writing), "-screen", "0", "1280x800x24", "-nolisten", "tcp"]
    server = subprocess.Popen(arguments, pass_fds=[writing], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    os.close(writing)
    try:
        with os.fdopen(reading) as numbers:
            os.environ["DISPLAY"] = f":{numbers.readline().strip()}"
        yield
    finally:
        os.environ.pop("DISPLAY", None)
        server.terminate()
        server.wait(timeout=10)


def measure(size: Extent = SIZE, larger: Extent = LARGER, frames: int = FRAMES) -> list[Step]:
    """Every step once, from empty caches on."""
    with empty_caches():
        with playing(size) as play:
            steps = cold_steps(play, frames)
        with playing(size) as play:
            return steps + warm_steps(play, size, larger, frames)


def measure_toggles(size: Extent, game: str, frames: int = FRAMES) -> list[Step]:
    """Each plugin in a game once, from empty caches on."""
    with empty_caches(), playing(size, game) as play:
        return list(toggle_steps(play, frames))


def middle(runs: Sequence[Sequence[Step]]) -> list[Step]:
    """The median of each number over several runs."""
    found = []
    for steps in zip(*runs, strict=True):
        numbers = {
            name: statistics.median_low([getattr(step, name) for step in steps])
            for name in ("frames", "before", "waiting", "shown", "later", "after", "compiled")
        }
        found.append(Step(steps[0].name, **numbers))
    return found


def table_of(steps: Sequence[Step], title: str) -> Table:
    """Milliseconds a frame."""
    caption = (
        "frames: until the change shows; before, after: medians; waiting: the longest frame of the old plan since the "
        "change; shown: the longest of the new plan's first three, later: behind these; ratio: the longest in medians"
    )
    table = Table(title=title, caption=caption)
    table.add_column("step", no_wrap=True)
    for name in ("frames", "before", "waiting", "shown", "later", "after", "ratio"):
        table.add_column(name, justify="right", no_wrap=True)
    for step in steps:
        times = (step.before, step.waiting, step.shown, step.later, step.after)
        cells = [f"{seconds * 1e3:.1f}" if seconds else "-" for seconds in times]
        table.add_row(step.name, str(step.frames), *cells, f"{step.ratio:.1f}")
    return table


@click.command()
@click.option("--frames", type=click.IntRange(min=5), default=FRAMES, show_default=True, help="Before and after each.")
@click.option("--repeats", type=click.IntRange(min=1), default=REPEATS, show_default=True)
@click.option(
    "--size",
    type=parameters.size,
    default="{}x{}".format(*SIZE),
    metavar="WxH",
    show_default=True,
    help="Of the window.",
)
@click.option("--game", default="", metavar="NAME", help="Switch each plugin over and back in this game's replay.")
def command(frames: int, repeats: int, size: Extent, game: str) -> None:
    """Measure the longest frame while plugins and views change."""
    larger = (size[0] * 5 // 4, size[1] * 5 // 4)
    with some_display():
        if game:
            steps = middle([measure_toggles(size, game, frames) for _ in range(repeats)])
        else:
            steps = middle([measure(size, larger, frames) for _ in range(repeats)])
    whose = f" of {game}" if game else ""
    title = f"Milliseconds a frame in a window{whose} of {size[0]} x {size[1]} (medians of {repeats} runs)"
    Console().print(table_of(steps, title))
