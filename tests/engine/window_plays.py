"""Plays scenarios in windows, one after the other. Each is named behind its module, which has ``play_scenario``.

Run by ``test_window.py`` in a process of its own: pyglet binds to one display.
"""

from __future__ import annotations

import re
import sys
import traceback
from collections.abc import Sequence
from importlib import import_module

END = re.compile(r"^=== ended with (\d+)\n", re.MULTILINE)
"""The line that both outputs have behind each scenario, with its exit code."""


def main(scenarios: Sequence[str]) -> None:
    """Play scenarios. One that raises ends no other."""
    for scenario in scenarios:
        module, _, name = scenario.partition(":")
        try:
            code = import_module(module).play_scenario(name)
        except Exception:
            traceback.print_exc()
            code = 1  # as a process would
        for output in (sys.stdout, sys.stderr):
            print(f"=== ended with {code}", file=output, flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
