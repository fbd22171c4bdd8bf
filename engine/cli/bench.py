"""``renderwright bench``: run a benchmark of the checkout."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

import click

FOLDER = Path(__file__).resolve().parents[2] / "benchmarks"
SUPPORT = {
    "__init__",
    "by_hand",
    "deferred_by_hand",
    "deferred_frame",
    "measure",
    "human_rig",
    "memory_ledger",
    "model_outcomes",
    "packing_cases",
    "packing_runs",
    "exact_orders",
    "frame_by_hand",
    "frame_of_game",
    "queue_frame",
    "peers",
    "printed_rows",
    "random_graphs",
    "restless_game",
    "scene_lights",
    "scene_peers",
    "startup_probe",
    "synthetic_frame",
}


class Benchmarks(click.Group):
    """Each module or package of the folder is a command: its ``command``, or else its ``run`` with a console."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Names of the benchmarks."""
        modules = {file.stem for file in FOLDER.glob("*.py")} | {
            file.parent.name for file in FOLDER.glob("*/__init__.py")
        }
        return sorted(modules - SUPPORT)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command:
        """The benchmark with that name. Raises UsageError if there is none."""
        from renderwright.render.errors import UsageError
        from renderwright.render.suggest import did_you_mean

        known = self.list_commands(ctx)
        if cmd_name not in known:
            raise UsageError(
                f'there is no benchmark "{cmd_name}"',
                hint=did_you_mean(cmd_name, known) if known else "run this in a checkout of the project",
            )
        if str(FOLDER.parent) not in sys.path:
            sys.path.insert(0, str(FOLDER.parent))
        module = importlib.import_module(f"benchmarks.{cmd_name}")
        if isinstance(command := getattr(module, "command", None), click.Command):
            return command

        def run() -> None:
            from rich.console import Console

            module.run(Console())

        # The docstring starts with the name of the command, which the help page shows anyway.
        return click.Command(cmd_name, callback=run, help=(module.__doc__ or "").partition(": ")[2].capitalize())


@click.command(cls=Benchmarks, subcommand_metavar="NAME [OPTIONS]", no_args_is_help=False)
def bench() -> None:
    """Run the benchmark NAME and print its tables. Benchmarks come with a checkout, not with an installed package."""
