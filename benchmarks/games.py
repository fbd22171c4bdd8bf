"""``renderwright bench games``: what frames of each game take on the CPU, still and in action, and plugins on the GPU.

In action a game plays its own replay, some seconds of which have gone by. A frame is then the game's steps of 1/60 s
and what renders them; still, it is the rendering alone, in which no time passes. What counts is the CPU time of the
render thread, which is Python's; the device has finished before each frame, so that no wait for it is in there.

The GPU's times are those of the same frames of another run, in which they are read.
"""

from __future__ import annotations

import statistics
import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass

import click
from rich.console import Console
from rich.table import Table

from benchmarks.measure import frame_times
from renderwright.engine.cli import parameters
from renderwright.engine.clock import HEADLESS_FRAME, FixedStepClock
from renderwright.engine.game import Game
from renderwright.engine.games import find_game, game_folder, game_names
from renderwright.engine.garbage import calm_collector
from renderwright.engine.input import InputMap
from renderwright.engine.input.replay import Replay, ReplaySource, load_replay
from renderwright.engine.node_owners import NodeOwners
from renderwright.engine.session import Session
from renderwright.render.backend.protocol import Backend
from renderwright.render.backend.target import Target
from renderwright.render.backend.vulkan.backend import VulkanBackend
from renderwright.render.errors import UsageError
from renderwright.render.types.resources import Extent

EXTENT: Extent = (160, 90)
"""The work of the CPU does not depend on it."""
SECONDS = 3.2
"""Of the replay before the first frame, so that titles and countdowns end while frames settle."""
SETTLING = 24
"""Frames before those that count."""
FRAMES = 120
MOST_FRAMES = 140
"""Behind these the first level of ``marbles`` is decided, and nothing rolls any more."""


@dataclass(frozen=True)
class GameCost:
    """CPU seconds of the render thread for each of some frames: of a ``still`` game, and of one in action, which are
    those of its ``steps`` and of what ``rendered`` them. ``gpu`` has the median seconds of each plugin on the GPU,
    nothing where the device measures none."""

    name: str
    still: Sequence[float]
    steps: Sequence[float]
    rendered: Sequence[float]
    gpu: Mapping[str, float]

    @property
    def playing(self) -> Sequence[float]:
        """Seconds of whole frames in action."""
        return [step + render for step, render in zip(self.steps, self.rendered, strict=True)]


def measure(backend: Backend, name: str, extent: Extent = EXTENT, frames: int = FRAMES) -> GameCost:
    """One game, by a name that ``find_game`` takes, with its own plugins and one player."""
    with (
        closing(backend.create_target(extent)) as target,
        closing(_in_action(name, backend, extent, target)) as session,
        calm_collector() as settle,
    ):
        settle()
        steps, rendered = [], []
        for _ in range(frames):
            backend.wait_idle()
            start = time.thread_time()
            session.step()
            stepped = time.thread_time()
            session.render(target)
            steps.append(stepped - start)
            rendered.append(time.thread_time() - stepped)
        still = frame_times(lambda: session.render(target), backend.wait_idle, frames)
    return GameCost(name, still, steps, rendered, _gpu_seconds(name, backend, extent, frames))


def replay_of(game: type[Game]) -> Replay | None:
    """The game's own replay: ``replays/demo.yaml``, or else the first; None if it has none."""
    folder = game_folder(game)
    files = sorted((folder / "replays").glob("*.yaml")) if folder is not None else []
    file = min(files, key=lambda file: file.stem != "demo", default=None)
    return load_replay(file, InputMap.from_dict(game.controls)) if file is not None else None


def _in_action(name: str, backend: Backend, extent: Extent, target: Target) -> Session:
    """A game some seconds after the begin of its replay, if it has one, with settled frames."""
    game = find_game(name)
    replay = replay_of(game)
    session = Session(
        game,
        backend,
        extent,
        clock=FixedStepClock(game.step, frame=HEADLESS_FRAME),
        seed=replay.seed or 0 if replay is not None else 0,
        source=ReplaySource(replay, game.step) if replay is not None else None,
    )
    for _ in range(round(SECONDS / HEADLESS_FRAME)):
        session.step()
    for _ in range(SETTLING):
        session.step()
        session.render(target)
    return session


def _gpu_seconds(name: str, backend: Backend, extent: Extent, frames: int) -> dict[str, float]:
    """The median seconds of each plugin on the GPU, in the same frames of another run."""
    taken: dict[str, list[float]] = defaultdict(list)
    owners = NodeOwners()
    with (
        closing(backend.create_target(extent)) as target,
        closing(_in_action(name, backend, extent, target)) as session,
    ):
        session.runtime.times.every = 1
        for _ in range(frames):
            session.step()
            report = session.render(target)
            if report is None:
                continue
            owners.follow(report.plan)
            for key, seconds in owners.summed(report.gpu_times or {}).items():
                if not key.node:
                    taken[key.plugin].append(seconds)
    return {plugin: statistics.median(seconds) for plugin, seconds in taken.items()}


def cpu_table(costs: Sequence[GameCost], title: str) -> Table:
    """Milliseconds a frame, and the share of a frame of 1/60 s."""
    table = Table(title=title, caption="milliseconds of the render thread, medians; share: of a frame of 1/60 s")
    table.add_column("game", no_wrap=True)
    for head in ("still", "share", "in action", "p99", "its steps", "rendering", "share"):
        table.add_column(head, justify="right", no_wrap=True)
    for cost in costs:
        still, playing = statistics.median(cost.still), statistics.median(cost.playing)
        table.add_row(
            cost.name,
            _ms(still),
            _share(still),
            _ms(playing),
            _ms(sorted(cost.playing)[len(cost.playing) * 99 // 100]),
            _ms(statistics.median(cost.steps)),
            _ms(statistics.median(cost.rendered)),
            _share(playing),
        )
    return table


def gpu_table(costs: Sequence[GameCost], title: str) -> Table:
    """Milliseconds a frame by game and plugin, those that take longest first."""
    table = Table(title=title, caption="medians of nodes' times; a software driver's are those of its threads")
    for head in ("game", "plugin"):
        table.add_column(head, no_wrap=True)
    table.add_column("ms", justify="right", no_wrap=True)
    for cost in costs:
        for plugin, seconds in sorted(cost.gpu.items(), key=lambda item: -item[1]):
            table.add_row(cost.name, plugin, _ms(seconds))
    return table


def _ms(seconds: float) -> str:
    return f"{seconds * 1e3:.2f}"


def _share(seconds: float) -> str:
    return f"{seconds / HEADLESS_FRAME:.1%}"


@click.command()
@click.argument("games", nargs=-1)
@click.option(
    "--frames", type=click.IntRange(5, MOST_FRAMES), default=FRAMES, show_default=True, help="That count, each kind."
)
@click.option(
    "--size",
    type=parameters.size,
    default="{}x{}".format(*EXTENT),
    metavar="WxH",
    show_default=True,
    help="Of the picture.",
)
def command(games: tuple[str, ...], frames: int, size: Extent) -> None:
    """Measure frames of games, still and in action.

    GAMES are all installed ones if none is named.
    """
    if min(size) < 1:
        raise UsageError(f"there is no picture of {size[0]} x {size[1]}", hint="give a width and a height from 1 on")
    with closing(VulkanBackend()) as backend:
        costs = [measure(backend, name, size, frames) for name in games or game_names()]
        able = backend.capabilities
    console = Console()
    console.print(cpu_table(costs, f"CPU time of frames, {frames} each, {size[0]} x {size[1]}"))
    if able.timestamps:
        console.print(gpu_table(costs, f"GPU time by plugin on {able.device}, {size[0]} x {size[1]}"))
    else:
        console.print(f"{able.device} has no timestamps: what plugins take on it is not known.")
