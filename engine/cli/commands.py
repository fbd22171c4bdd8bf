"""The ``renderwright`` command: its subcommands and its error reporting."""

from __future__ import annotations

import logging
import re
import sys
from collections.abc import Sequence

import click
from click.core import ParameterSource

from renderwright.engine.cli import EXIT_INTERRUPTED
from renderwright.engine.cli.bench import bench
from renderwright.engine.cli.capture import capture
from renderwright.engine.cli.failures import described, place_of
from renderwright.engine.cli.games import games
from renderwright.engine.cli.graph import graph
from renderwright.engine.cli.info import info
from renderwright.engine.cli.memory import memory
from renderwright.engine.cli.new import new
from renderwright.engine.cli.pack import pack
from renderwright.engine.cli.play import play
from renderwright.engine.cli.plugins import plugins
from renderwright.engine.cli.precompile import precompile
from renderwright.engine.cli.render import render
from renderwright.engine.cli.schema import schema
from renderwright.engine.cli.thumbnails import thumbnails
from renderwright.engine.cli.verify import verify
from renderwright.render.debugging import debugging
from renderwright.render.errors import CheckError, RenderwrightError

EXIT_GAME_FAILED = 1
EXIT_FOUND = 1
EXIT_WRONG_USE = 2


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="renderwright", prog_name="renderwright")
def commands() -> None:
    """A pluggable frame-graph renderer for games, on Vulkan and OpenGL.

    RENDERWRIGHT_DEBUG=1 shows tracebacks and debug messages.
    """


commands.add_command(play)
commands.add_command(games)
commands.add_command(graph)
commands.add_command(capture)
commands.add_command(new)
commands.add_command(plugins)
commands.add_command(precompile)
commands.add_command(schema)
commands.add_command(info)
commands.add_command(memory)
commands.add_command(pack)
commands.add_command(render)
commands.add_command(thumbnails)
commands.add_command(bench)
commands.add_command(verify)


def run(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit code; see ``renderwright.engine.cli.main``."""
    debug = debugging()
    logging.basicConfig(level=logging.DEBUG if debug else logging.WARNING, format="%(levelname)s: %(message)s")
    for level in (logging.DEBUG, logging.INFO, logging.WARNING, logging.ERROR, logging.CRITICAL):
        logging.addLevelName(level, logging.getLevelName(level).lower())
    for noisy in ("PIL", "asyncio", "pyglet"):
        logging.getLogger(noisy).setLevel(logging.WARNING)
    try:
        result = commands.main(
            args=None if arguments is None else list(arguments), prog_name="renderwright", standalone_mode=False
        )
        return result if isinstance(result, int) else 0
    except click.ClickException as error:
        variable = _variable(error)
        if variable:
            return _report(f"{variable}: {error.message}", "change that variable, or unset it")
        return _report(error.format_message(), _advice(error))
    except RenderwrightError as error:
        if debug:
            raise
        error.where = error.where or place_of(error)
        first, *rest = str(error).split("\n")
        _report(first, "\n".join(line.removeprefix("  ") for line in rest))
        return EXIT_FOUND if any(isinstance(one, CheckError) for one in (error, error.__cause__)) else EXIT_WRONG_USE
    except click.Abort:
        return EXIT_INTERRUPTED
    except Exception as error:
        if debug or (failure := described(error)) is None:
            raise
        _report(*failure)
        return EXIT_GAME_FAILED


def _report(message: str, hint: str) -> int:
    print(f"error: {message}", file=sys.stderr)
    for line in hint.splitlines():
        print(f"  {line}", file=sys.stderr)
    return EXIT_WRONG_USE


def _advice(error: click.ClickException) -> str:
    """What to do after a mistake; names behind --enable or --disable are further plugins."""
    context = getattr(error, "ctx", None)
    extra = re.fullmatch(r"Got unexpected extra arguments? \((.*)\)", error.message)
    if context is not None and extra is not None:
        for option in ("enable", "disable"):
            if groups := context.params.get(option):
                return f"separate plugins by commas: {','.join((*groups[-1], *extra[1].split()))}"
    return f"{_command_path(error)} --help lists the options"


def _command_path(error: click.ClickException) -> str:
    context = getattr(error, "ctx", None)
    return context.command_path if isinstance(context, click.Context) else "renderwright"


def _variable(error: click.ClickException) -> str:
    """The environment variable that a wrong value comes from, '' if it comes from the command line."""
    if not isinstance(error, click.BadParameter) or error.ctx is None or error.param is None:
        return ""
    source = error.ctx.get_parameter_source(error.param.name or "")
    return str(error.param.envvar) if source is ParameterSource.ENVIRONMENT else ""
