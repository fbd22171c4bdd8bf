"""``renderwright verify``: check a recorded command stream against Vulkan's synchronisation rules."""

from __future__ import annotations

import sys
import traceback
from pathlib import Path

import click

from renderwright.engine.cli.whole_number import WholeNumber
from renderwright.render.errors import RenderwrightError

EXIT_FINDINGS = 1
EXIT_CRASHED = 70
"""EX_SOFTWARE of sysexits.h: a fault of this program."""


@click.command(short_help="Check the synchronisation of a recorded frame.")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@click.option(
    "--limit", type=WholeNumber(min=1), default=20, metavar="N", show_default=True, help="Show at most N findings."
)
def verify(file: Path, limit: int) -> int:
    """Check the command stream in FILE, written by `renderwright play --record FILE`.

    The exit code is 1 if there are findings, 2 if the file is not a stream (page "The command
    stream" of the documentation), and 70 if the check itself fails.
    """
    from renderwright.render.sync.oracle import check, read_stream

    try:
        report = check(read_stream(file))
    except RenderwrightError:
        raise
    except Exception:
        traceback.print_exc()
        print(f"error: the check of {file} failed: this is a fault of renderwright", file=sys.stderr)
        print("  report it with the stream and the lines above", file=sys.stderr)
        return EXIT_CRASHED
    for finding in report.findings[:limit]:
        print(f"{finding}\n")
    hidden = len(report.findings) - limit
    if hidden > 0:
        print(f"... and {hidden} more; --limit shows them\n")
    print(report)
    return EXIT_FINDINGS if report.findings else 0
