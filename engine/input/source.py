"""What feeds and what watches an input state."""

from __future__ import annotations

from typing import Protocol

from renderwright.engine.input.state import InputState


class InputSource(Protocol):
    """Tells an input state what people (or a script) do."""

    def feed(self, state: InputState, step: int) -> None:
        """Called right before fixed step ``step`` begins (0 is the first)."""


class InputWatcher(Protocol):
    """Sees the input of every step."""

    def watch(self, state: InputState, step: int) -> None:
        """Called right after the input of fixed step ``step`` became visible."""
