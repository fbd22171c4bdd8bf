"""The command line; one command a file. ``main`` is the entry point of ``renderwright``."""

from __future__ import annotations

from collections.abc import Sequence

EXIT_INTERRUPTED = 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit code: 0, 2 for anything a person has to put right, 130 for Ctrl-C."""
    try:
        # Imported in here, so that an early Ctrl-C ends like a late one.
        from renderwright.engine.cli.interrupts import Interrupts

        with Interrupts() as interrupts:
            try:
                from renderwright.engine.cli.commands import run

                return run(arguments)
            except Exception:
                # Compiled libraries turn a KeyboardInterrupt in their midst into errors of their own.
                if interrupts.seen:
                    return EXIT_INTERRUPTED
                raise
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED
