"""Recording of input as a script that replays it exactly."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

from renderwright.engine.input.script_format import MAX_BYTES, VERSION
from renderwright.engine.input.state import InputState
from renderwright.render.files.writing import replacing

_HEAD_BYTES = 1000
"""What a script has beside its entries, at most."""


class Recorder:
    """Records the changes of an input state step by step. ``text`` and ``save`` produce the script.

    It begins with the first step of a game with ``players``, and its length is the number of steps that were watched. A
    step without input takes no memory. When the script is as long as scripts may be, nothing more is recorded, and
    ``full`` is true.
    ``seconds`` is the time of the last input.
    """

    def __init__(self, step_seconds: float, seed: int | None = None, players: int | None = None) -> None:
        self.step_seconds = step_seconds
        self.seed = seed
        self.players = players
        self.full = False
        self.seconds = 0.0
        self._steps = 0
        self._lines: list[str] = []
        self._room = MAX_BYTES - _HEAD_BYTES
        self._axes: dict[str, float] = {}
        self._position = (0.0, 0.0)
        self._shown_players = players

    def watch(self, state: InputState, step: int, players: int | None = None) -> None:
        """Record the changes of fixed step ``step``, in which the game has so many ``players``."""
        if state.changed or players != self._shown_players:
            self._record(state, step, players)
        if not self.full:
            self._steps = step + 1

    def text(self) -> str:
        """The script so far."""
        head = [f"version: {VERSION}\n", f"step_seconds: {_number(self.step_seconds)}\n", f"length: {self._steps}\n"]
        head += [f"{key}: {value}\n" for key in ("seed", "players") if (value := getattr(self, key)) is not None]
        return "".join([*head, "steps:\n" if self._lines else "steps: []\n", *self._lines])

    def save(self, path: str | Path) -> None:
        """Write the script to a file, whole or not at all. Raises ``OSError``."""
        with replacing(Path(path)) as file:
            file.write(self.text().encode())

    def _record(self, state: InputState, step: int, players: int | None) -> None:
        entry = self._input(state) if state.changed else []
        if players != self._shown_players:
            self._shown_players = players
            entry.append(f"players: {players}")
        if entry and not self.full:
            line = f"  - {{{', '.join([f'step: {step}', *entry])}}}\n"
            self._room -= len(line)
            self.full = self._room < 0
            if not self.full:
                self._lines.append(line)
                self.seconds = step * self.step_seconds

    def _input(self, state: InputState) -> list[str]:
        entry = []
        if state.pressed_keys:
            entry.append(f"press: {json.dumps(sorted(state.pressed_keys))}")
        if state.released_keys:
            entry.append(f"release: {json.dumps(sorted(state.released_keys))}")
        axes = {name: max(-1.0, min(1.0, value)) for name, value in state.raw_axes.items()}
        changed = [name for name, value in sorted(axes.items()) if self._axes.get(name, 0.0) != value]
        if changed:
            entry.append(f"axis: {{{', '.join(f'{json.dumps(name)}: {_number(axes[name])}' for name in changed)}}}")
        mouse = state.mouse
        moved = []
        if mouse.position != self._position:
            moved.append(f"position: {_numbers(mouse.position)}")
        if mouse.delta != (0.0, 0.0):
            moved.append(f"delta: {_numbers(mouse.delta)}")
        if mouse.scroll:
            moved.append(f"scroll: {_number(mouse.scroll)}")
        if moved:
            entry.append(f"mouse: {{{', '.join(moved)}}}")
        self._axes, self._position = axes, mouse.position
        return entry


def _numbers(values: Iterable[float]) -> str:
    return f"[{', '.join(map(_number, values))}]"


def _number(value: float) -> str:
    """``value`` exactly. YAML takes 1e-05 for a text, and 1.0e-05 for a number."""
    digits, exponent, power = repr(float(value)).partition("e")
    return f"{digits if '.' in digits else f'{digits}.0'}{exponent}{power}"
