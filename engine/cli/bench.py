"""``renderwright bench``: run a benchmark of the checkout."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

import click

FOLDER = Path(__file__).resolve().parents[2] / "benchmarks"
TITLE = '"""``renderwright bench {}``: '
"""How the file of a benchmark begins. Other files of the folder are parts of benchmarks."""


class Benchmarks(click.Group):
    """Each benchmark of the folder is a command: its module's ``command``, or else its ``run`` with a console."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Names of the benchmarks."""
        modules = {file.stem: file for file in FOLDER.glob("*.py")}
        packages = {file.parent.name: file for file in FOLDER.glob("*/__init__.py")}
        return sorted(name for name, file in (modules | packages).items() if _is_benchmark(name, file))

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
        words = (module.__doc__ or "").partition(": ")[2]
        return click.Command(cmd_name, callback=run, help=words[:1].upper() + words[1:])


def _is_benchmark(name: str, file: Path) -> bool:
    with file.open(encoding="utf-8") as lines:
        return lines.readline().startswith(TITLE.format(name))


@click.command(cls=Benchmarks, subcommand_metavar="NAME [OPTIONS]", no_args_is_help=False)
def bench() -> None:
    """Run the benchmark NAME and print its tables. Benchmarks come with a checkout, not with an installed package."""
