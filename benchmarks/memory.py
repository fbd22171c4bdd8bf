"""``renderwright bench memory``: sizes and costs of packings, compared with published methods.

Makespans are divided by the least known makespan, of the folder's index or of this run. Without an entry in the index
they are divided by the lower bound, the larger of load and clique.
"""

from __future__ import annotations

import functools
import importlib.util
import statistics
import subprocess
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import click
from rich.box import SIMPLE
from rich.console import Console
from rich.progress import track
from rich.table import Table

from benchmarks.measure import median_seconds
from benchmarks.packing_cases import (
    CYCLIC,
    ENLISTED,
    FOLDER,
    LETTERED,
    TRACES,
    Case,
    enlisted_cases,
    read_cases,
)
from benchmarks.packing_runs import (
    Method,
    Outcome,
    baseline_methods,
    outcome_of,
    policy_method,
    summary,
)
from renderwright.render.memory.baselines import BASELINES
from renderwright.render.memory.packing import PackPolicy, pack, warm_up

ENLISTED_RESOURCES = 100
REPEATS = 5
CHILD = """\
import sys
from benchmarks import memory
print(*memory.times(sys.argv[1], int(sys.argv[2]), sys.argv[3] == "with"))
"""


@dataclass(frozen=True)
class Effort:
    """The effort: the most items of a problem, the number of draws, seconds of ``thorough`` on one problem."""

    most_items: int
    draws: int
    seconds: float


FULL = Effort(10**6, 100, 20.0)
QUICK = Effort(400, 20, 1.0)


@click.command("memory")
@click.option(
    "--instances",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    default=FOLDER,
    metavar="DIR",
    help="A folder with CSV files instead of the benchmark's own.",
)
@click.option(
    "--quick", is_flag=True, help="Smaller problems, fewer draws and less time: half a minute instead of seven."
)
def command(instances: Path, quick: bool) -> None:
    """Sizes and costs of packings, compared with published methods.

    Makespans are divided by the least known makespan, or by the lower bound where none is known.
    """
    run(Console(), instances, QUICK if quick else FULL)


def run(console: Console, folder: Path = FOLDER, effort: Effort = FULL) -> None:
    """Measure and print."""
    cases = read_cases(folder, effort.most_items)
    warm_up()
    quick_methods = {policy.value: policy_method(policy) for policy in (PackPolicy.FAST, PackPolicy.BALANCED)}
    all_methods = quick_methods | {"thorough": policy_method(PackPolicy.THOROUGH, effort.seconds)}
    outcomes = _outcomes(console, "instances", cases, all_methods | baseline_methods())
    drawn = list(enlisted_cases(effort.draws, ENLISTED_RESOURCES))
    outcomes += _outcomes(console, "Enlisted", drawn, quick_methods | baseline_methods())
    for table in tables(outcomes):
        console.print(table)
    console.print(speed_table())
    console.print(baseline_notes(), highlight=False)


def _outcomes(console: Console, what: str, cases: Sequence[Case], methods: dict[str, Method]) -> list[Outcome]:
    return [outcome_of(case, methods) for case in track(cases, what, console=console, transient=True)]


def tables(outcomes: Sequence[Outcome]) -> list[Table]:
    """A table of each family, and one of the cyclic problems by number of items."""
    families = (CYCLIC, LETTERED, TRACES, ENLISTED)
    groups = {family: [outcome for outcome in outcomes if outcome.case.family == family] for family in families}
    found = [_family_table(family, group) for family, group in groups.items() if group]
    if groups[CYCLIC]:
        found.insert(1, _size_table(groups[CYCLIC]))
    return found


def _methods(outcomes: Iterable[Outcome]) -> list[str]:
    return list(dict.fromkeys(name for outcome in outcomes for name in outcome.answers))


def _family_table(family: str, outcomes: Sequence[Outcome]) -> Table:
    against = "the least known, else the bound" if any(one.case.best_known for one in outcomes) else "the bound"
    table = Table(title=f"{family} ({len(outcomes)}): makespan over {against}")
    table.add_column("method", no_wrap=True)
    for name in ("mean", "max", "optimal", "median ms", "max ms"):
        table.add_column(name, justify="right")
    for method in _methods(outcomes):
        if row := summary(outcomes, method):
            times = (f"{row.median_seconds * 1e3:.1f}", f"{row.most_seconds * 1e3:.1f}")
            table.add_row(method, f"{row.mean:.4f}", f"{row.most:.4f}", str(row.proved), *times)
    return table


def _size_table(outcomes: Sequence[Outcome]) -> Table:
    sizes = sorted({len(outcome.case.items) for outcome in outcomes})
    table = Table(
        title=f"{CYCLIC}: mean makespan over the least known, by number of items", box=SIMPLE, padding=(0, 1, 0, 0)
    )
    table.add_column("method", no_wrap=True)
    for size in sizes:
        table.add_column(str(size), justify="right", no_wrap=True)
    for method in _methods(outcomes):
        rows = [summary([one for one in outcomes if len(one.case.items) == size], method) for size in sizes]
        table.add_row(method, *("" if row is None else f"{row.mean:.3f}" for row in rows))
    return table


def speed_table() -> Table:
    """The cost of one packing of the benchmark's own cyclic problems, with and without numba."""
    table = Table(title="milliseconds of one packing (medians): median and largest of the circles")
    for name in ("policy", "items", "numba"):
        table.add_column(name)
    table.add_column("median", justify="right")
    table.add_column("max", justify="right")
    installed = importlib.util.find_spec("numba") is not None
    for policy, items in (("balanced", 100), ("fast", 400)):
        for numba in ("with", "without") if installed else ("without",):
            seconds = _times_in_child(policy, items, numba)
            cells = (f"{1e3 * statistics.median(seconds):.2f}", f"{1e3 * max(seconds):.2f}")
            table.add_row(policy, str(items), numba, *cells)
    return table


def _times_in_child(policy: str, items: int, numba: str) -> list[float]:
    """``times`` in a child process, because a process cannot return to interpreted loops."""
    done = subprocess.run(
        [sys.executable, "-c", CHILD, policy, str(items), numba],
        cwd=Path(__file__).parents[1],
        check=True,
        stdout=subprocess.PIPE,
        text=True,
    )
    return [float(word) for word in done.stdout.split()]


def times(policy: str, items: int, compiled: bool) -> list[float]:
    """Median seconds of packing each of the benchmark's own cyclic problems with this number of items."""
    if compiled:
        warm_up()
    cases = [case for case in read_cases(FOLDER, items) if case.family == CYCLIC and len(case.items) == items]
    return [
        median_seconds(functools.partial(pack, case.items, case.period, PackPolicy(policy)), REPEATS) for case in cases
    ]


def baseline_notes() -> str:
    """The origin of each baseline, one a line."""
    return "\n".join(f"{name}: {baseline.origin}" for name, baseline in BASELINES.items())
