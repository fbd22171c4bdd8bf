"""Why neighbours are not one render pass: told in words when somebody asks, since nearly every pass has a reason."""

from __future__ import annotations

from collections.abc import Sequence

from renderwright.render.compiler.values.uses import Attached
from renderwright.render.types.parts import WHOLE

Obstacle = tuple[tuple[Attached, ...], tuple[Attached, ...]] | str
"""Why a node cannot join the pass before it: what it renders to and what other targets that pass has, or else in words;
'' if it can."""


def in_words(obstacle: Obstacle) -> str:
    """What a report says of it."""
    if isinstance(obstacle, str):
        return obstacle
    own, before = obstacle
    return f"it renders to {_words(own)}, the pass before it to {_words(before)}"


def _words(targets: Sequence[Attached]) -> str:
    return ", ".join(f'{f"{part} of " if part != WHOLE else ""}"{name}" as {usage}' for name, usage, part in targets)
