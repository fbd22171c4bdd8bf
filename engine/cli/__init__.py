"""The command line, one command per file. ``main`` is the entry point of ``renderwright``."""

from __future__ import annotations

from collections.abc import Sequence

EXIT_INTERRUPTED = 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit code.

    It is 0, 1 if the code of a game raises or a check finds something, 2 for other errors that the user can correct,
    3 if frames of a job could not be rendered, 130 for Ctrl-C, 143 for SIGTERM, 141 if the output has no reader any
    more.
    """
    try:
        # Imported here, so that Ctrl-C during imports is handled as well.
        from renderwright.engine.cli.interrupts import Interrupts
        from renderwright.engine.garbage import calm_collector

        with Interrupts() as interrupts, calm_collector():
            try:
                from renderwright.engine.cli.commands import run
                from renderwright.engine.cli.output import with_output

                code = with_output(lambda: run(arguments))
                return interrupts.exit_code if code == EXIT_INTERRUPTED else code
            except KeyboardInterrupt:
                return interrupts.exit_code
            except Exception:
                # Compiled libraries may turn a KeyboardInterrupt into errors of their own.
                if interrupts.seen:
                    return interrupts.exit_code
                raise
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED
