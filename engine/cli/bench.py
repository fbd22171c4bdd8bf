"""``framewright bench``: run a benchmark of the checkout."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

import click

FOLDER = Path(__file__).resolve().parents[2] / "benchmarks"
SUPPORT = {"__init__", "measure", "synthetic_frame"}


@click.command()
@click.argument("name")
def bench(name: str) -> int:
    """Run the benchmark NAME and print its tables. Benchmarks come with a checkout, not with an installed package."""
    from rich.console import Console

    from render.errors import UsageError
    from render.suggest import did_you_mean

    known = {file.stem for file in FOLDER.glob("*.py")} - SUPPORT
    if name not in known:
        raise UsageError(
            f'there is no benchmark "{name}"',
            hint=did_you_mean(name, known) if known else "run this in a checkout of the project",
        )
    sys.path.insert(0, str(FOLDER.parent))
    importlib.import_module(f"benchmarks.{name}").run(Console())
    return 0
