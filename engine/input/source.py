"""Interfaces of sources and watchers of input."""

from __future__ import annotations

from typing import Protocol

from renderwright.engine.input.state import InputState


class InputSource(Protocol):
    """Feeds input of devices or scripts to an input state."""

    def feed(self, state: InputState, step: int) -> None:
        """Called right before fixed step ``step`` begins (0 is the first)."""


class InputWatcher(Protocol):
    """Observes the input of every step."""

    def watch(self, state: InputState, step: int) -> None:
        """Called right after the input of fixed step ``step`` has become visible."""
