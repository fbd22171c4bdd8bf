"""Recording of input as a script that replays it exactly."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

from renderwright.engine.input.replay import VERSION
from renderwright.engine.input.state import InputState
from renderwright.render.files.writing import replacing


class Recorder:
    """Records the changes of an input state step by step. ``text`` and ``save`` produce the script."""

    def __init__(self, step_seconds: float, seed: int | None = None) -> None:
        self.step_seconds = step_seconds
        self.seed = seed
        self._entries: list[dict[str, Any]] = []
        self._axes: dict[str, float] = {}
        self._position = (0.0, 0.0)

    def watch(self, state: InputState, step: int) -> None:
        """Record the changes of fixed step ``step``."""
        entry: dict[str, Any] = {"step": step}
        if state.pressed_keys:
            entry["press"] = sorted(state.pressed_keys)
        if state.released_keys:
            entry["release"] = sorted(state.released_keys)
        axes = {name: _clamped(value) for name, value in state.raw_axes.items()}
        changed = {name: value for name, value in sorted(axes.items()) if self._axes.get(name, 0.0) != value}
        if changed:
            entry["axis"] = changed
        mouse = self._mouse_changes(state)
        if mouse:
            entry["mouse"] = mouse
        if len(entry) > 1:
            self._entries.append(entry)
        self._axes = axes
        self._position = state.mouse.position

    def text(self) -> str:
        """The script so far."""
        lines = [f"version: {VERSION}", f"step_seconds: {self.step_seconds!r}"]
        if self.seed is not None:
            lines.append(f"seed: {self.seed}")
        lines.append("steps:" if self._entries else "steps: []")
        for entry in self._entries:
            flow = yaml.safe_dump(entry, default_flow_style=True, sort_keys=False, width=float("inf"))
            lines.append(f"  - {flow.strip()}")
        return "\n".join(lines) + "\n"

    def save(self, path: str | Path) -> None:
        """Write the script to a file. Raises ``OSError``."""
        with replacing(Path(path)) as file:
            file.write(self.text().encode())

    def _mouse_changes(self, state: InputState) -> dict[str, Any]:
        mouse = state.mouse
        changes: dict[str, Any] = {}
        if mouse.position != self._position:
            changes["position"] = list(mouse.position)
        if mouse.delta != (0.0, 0.0):
            changes["delta"] = list(mouse.delta)
        if mouse.scroll:
            changes["scroll"] = mouse.scroll
        return changes


def _clamped(value: float) -> float:
    return max(-1.0, min(1.0, value))
