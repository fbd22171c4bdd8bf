"""Why neighbours are not one render pass: told in words when somebody asks, since nearly every pass has a reason."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from render.compiler.uses import Attached
from render.sync.ranges import WHOLE


class OtherTargets(NamedTuple):
    """A node renders to its ``own`` targets, and the pass ``before`` it to others."""

    own: tuple[Attached, ...]
    before: tuple[Attached, ...]

    def __str__(self) -> str:
        return f"it renders to {_words(self.own)}, the pass before it to {_words(self.before)}"


Obstacle = OtherTargets | str
"""Why a node cannot join the pass before it: ``str`` of it says so; '' if it can."""


def _words(targets: Sequence[Attached]) -> str:
    return ", ".join(f'{f"{part} of " if part != WHOLE else ""}"{name}" as {usage}' for name, usage, part in targets)
