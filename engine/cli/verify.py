"""``renderwright verify``: check a recorded command stream against Vulkan's synchronisation rules."""

from __future__ import annotations

from pathlib import Path

import click

EXIT_FINDINGS = 1


@click.command(short_help="Check the synchronisation of a recorded frame.")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@click.option("--limit", type=click.IntRange(min=1), default=20, show_default=True, help="Show at most N findings.")
def verify(file: Path, limit: int) -> int:
    """Check the command stream in FILE, written by `renderwright play --record FILE`.

    The exit code is 1 if there are findings and 2 if the file is not a stream (docs/stream-format.md).
    """
    from renderwright.render.sync.oracle import check, read_stream

    report = check(read_stream(file))
    for finding in report.findings[:limit]:
        print(f"{finding}\n")
    hidden = len(report.findings) - limit
    if hidden > 0:
        print(f"... and {hidden} more; --limit shows them\n")
    print(report)
    return EXIT_FINDINGS if report.findings else 0
