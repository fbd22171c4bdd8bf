"""``renderwright bench startup``: CPU and wall time from the start of a process to a game's first frame, headless.

Each run is a process of its own. Its Python finds bytecode of all modules, in a folder that an untimed run has filled.
"Warm" runs share a cache folder (RENDERWRIGHT_CACHE_DIR), "cold" ones have an empty one each. The driver's own caches
stay as they are. CPU time is that of all threads and of tools such as ``glslc``, so a software driver's drawing is part
of it; the table shows the share of the main thread beside it. The peers run in turn with the game.
"""

from __future__ import annotations

import json
import os
import statistics
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import click
from rich.console import Console
from rich.table import Table

from benchmarks.peers.peer import Peer, python_path, run_python

GAME = "marbles"
RUNS = 7
PROBE = "benchmarks.startup_probe"
WARM, COLD, PEERS = "warm", "cold (an empty cache folder)", "peers"
_CACHES = "RENDERWRIGHT_CACHE_DIR"
_OURS = ("RENDERWRIGHT_", "PYTHON")
"""Variables that a start sets, or that change one."""


@dataclass(frozen=True)
class Cost:
    """Seconds of CPU of a process and the tools that it ran, of its main thread (None: unknown), and of wall time."""

    cpu: float
    main: float | None
    wall: float


ALL_PEERS = (
    Peer("bare imports: numpy, pyglet, vulkan", "startup_imports", "vulkan"),
    Peer("pygfx: the first frame of a box", "startup_pygfx", "pygfx"),
    Peer("Panda3D: the first frame of a box", "startup_panda3d", "panda3d"),
)


class Processes:
    """Starts the measured processes. ``bytecode`` is the folder of their bytecode."""

    def __init__(self, bytecode: Path) -> None:
        self._environment = {name: value for name, value in os.environ.items() if not name.startswith(_OURS)} | {
            "PYTHONPYCACHEPREFIX": str(bytecode),
            "PYTHONPATH": python_path(),
        }

    def stages(self, game: str, caches: Path) -> dict[str, Cost]:
        """The cost of each stage until the game's first frame is drawn, and ``sum``."""
        begin = time.monotonic()
        ends = json.loads(self._run(["-m", PROBE, game], {_CACHES: str(caches)}).splitlines()[-1])
        costs: dict[str, Cost] = {}
        before = (0.0, 0.0, begin)
        for stage, end in ends.items():
            cpu, main, wall = (now - then for now, then in zip(end, before, strict=True))
            costs[stage] = Cost(cpu, main, wall)
            before = end
        return costs | {"sum": Cost(before[0], before[1], before[2] - begin)}

    def command(self, game: str, caches: Path) -> Cost:
        """The cost of ``renderwright play`` for one frame, with the picture that it writes, from begin to end."""
        picture = str(caches / "picture.png")
        play = ["play", game, "--no-preferences", "--headless", "--frames", "1", "--screenshot", picture]
        return self.whole(["-m", "renderwright.engine.cli", *play], {_CACHES: str(caches)})

    def whole(self, arguments: Sequence[str], variables: Mapping[str, str]) -> Cost:
        """The cost of a Python process from begin to end."""
        children = os.times()
        begin = time.monotonic()
        self._run(arguments, variables)
        wall = time.monotonic() - begin
        after = os.times()
        cpu = after.children_user + after.children_system - children.children_user - children.children_system
        return Cost(cpu, None, wall)

    def _run(self, arguments: Sequence[str], variables: Mapping[str, str]) -> str:
        return run_python([*arguments], {**self._environment, **variables})


def measure(game: str = GAME, runs: int = RUNS, peers: Sequence[Peer] = ALL_PEERS) -> dict[str, dict[str, Cost]]:
    """Medians by row, in three groups. One round of all processes goes before, untimed: it fills the caches."""
    with TemporaryDirectory(prefix="renderwright-") as folder:
        processes = Processes(Path(folder) / "bytecode")
        warm = Path(folder) / "caches"
        rounds = [_round(processes, game, warm, peers) for _ in range(1 + runs)]
    return {group: _medians([costs[group] for costs in rounds[1:]]) for group in rounds[0]}


def _round(processes: Processes, game: str, warm: Path, peers: Sequence[Peer]) -> dict[str, dict[str, Cost]]:
    warm.mkdir(exist_ok=True)
    whole = "renderwright play, saving a picture"
    with _empty_folder() as one, _empty_folder() as other:
        return {
            WARM: processes.stages(game, warm) | {whole: processes.command(game, warm)},
            COLD: processes.stages(game, one) | {whole: processes.command(game, other)},
            PEERS: {peer.title: _of_peer(processes, peer) for peer in peers if peer.installed},
        }


def _of_peer(processes: Processes, peer: Peer) -> Cost:
    return processes.whole([str(peer.file)], {})


@contextmanager
def _empty_folder() -> Iterator[Path]:
    with TemporaryDirectory(prefix="renderwright-") as folder:
        yield Path(folder)


def _medians(costs: Sequence[Mapping[str, Cost]]) -> dict[str, Cost]:
    return {row: _median([cost[row] for cost in costs]) for row in costs[0]}


def _median(costs: Sequence[Cost]) -> Cost:
    main = [cost.main for cost in costs if cost.main is not None]
    return Cost(
        statistics.median(cost.cpu for cost in costs),
        statistics.median(main) if main else None,
        statistics.median(cost.wall for cost in costs),
    )


def table_of(costs: Mapping[str, Mapping[str, Cost]], missing: Iterable[Peer], title: str) -> Table:
    """A row for each stage and each peer."""
    table = Table(title=title, title_justify="left")
    table.add_column("seconds")
    for column in ("CPU", "of it main thread", "wall"):
        table.add_column(column, justify="right")
    for group, rows in costs.items():
        table.add_row(group, style="bold")
        for row, cost in rows.items():
            main = "-" if cost.main is None else f"{cost.main:.2f}"
            table.add_row(f"  {row}", f"{cost.cpu:.2f}", main, f"{cost.wall:.2f}")
    for peer in missing:
        table.add_row(f"  {peer.title}", "not installed", "-", "-")
    return table


@click.command()
@click.option("--game", default=GAME, show_default=True, help="The game whose first frame is measured.")
@click.option("--runs", type=click.IntRange(min=1), default=RUNS, show_default=True, help="Processes a row.")
def command(game: str, runs: int) -> None:
    """Measure the time from process start to a first frame."""
    costs = measure(game, runs)
    missing = [peer for peer in ALL_PEERS if not peer.installed]
    Console().print(table_of(costs, missing, f"{game}, headless, {runs} runs: medians"))
