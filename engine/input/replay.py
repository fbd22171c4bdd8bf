"""Input scripts: timed input events that make runs repeatable.

::

    version: 1
    seed: 7                                   # of the game's random numbers; optional
    players: 2                                # at the beginning; optional
    length: 480                               # in fixed steps; optional: until the last entry
    steps:
      - {at: 0.5, press: [right]}             # seconds, or `step: 60` in fixed steps
      - {at: 1.25, release: [right], axis: {move_x: 0.5}}
      - {at: 2.0, mouse: {position: [0.1, -0.2]}}
      - {at: 3.0, players: 1}

Keys, mouse and gamepad buttons have the names of ``renderwright.engine.input.keys``; the game's own actions and axes
can be used like them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from renderwright.engine.input.keys import BUTTONS, PAD_AXES
from renderwright.engine.input.mapping import InputMap
from renderwright.engine.input.script_format import MAX_BYTES, VERSION
from renderwright.engine.input.state import InputState
from renderwright.engine.skeleton.document import Document, read_document
from renderwright.render.errors import AssetError, SourceLocation
from renderwright.render.files.reading import read_text
from renderwright.render.suggest import did_you_mean


class _Model(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


class ReplayMouse(_Model):
    """A change of the mouse, in the units of ``renderwright.engine.input.state.Mouse``."""

    position: tuple[float, float] | None = None
    delta: tuple[float, float] = (0.0, 0.0)
    scroll: float = 0.0


class ReplayEvent(_Model):
    """The events of one time: ``at`` seconds, or fixed step ``step``."""

    at: float | None = Field(default=None, ge=0.0)
    step: int | None = Field(default=None, ge=0)
    press: tuple[str, ...] = ()
    release: tuple[str, ...] = ()
    axis: dict[str, float] = {}
    mouse: ReplayMouse | None = None
    players: int | None = Field(default=None, ge=1)

    @field_validator("press", "release", mode="before")
    @classmethod
    def _digits_are_keys(cls, names: Any) -> Any:
        # A digit key is written `1` in YAML, which is a number.
        if not isinstance(names, (list, tuple)):
            return names
        return tuple(str(name) if isinstance(name, int) and not isinstance(name, bool) else name for name in names)

    @field_validator("axis")
    @classmethod
    def _within_one(cls, axes: dict[str, float]) -> dict[str, float]:
        for name, value in axes.items():
            if not -1.0 <= value <= 1.0:
                raise ValueError(f'axis "{name}" is {value}; give -1 to 1')
        return axes

    def step_index(self, step_seconds: float) -> int:
        """The fixed step of the event in a game with steps of ``step_seconds``."""
        return self.step if self.step is not None else round((self.at or 0.0) / step_seconds)


class _Script(_Model):
    version: Literal[1]
    seed: int | None = None
    players: int | None = Field(default=None, ge=1)
    step_seconds: float | None = Field(default=None, gt=0.0)
    length: int | None = Field(default=None, ge=0)
    steps: tuple[ReplayEvent, ...] = ()


@dataclass(frozen=True)
class Replay:
    """A validated input script. ``step_seconds`` is the step length of the recording, ``players`` their number at the
    beginning, ``length`` the number of fixed steps until the end, each if given."""

    file: str
    events: tuple[ReplayEvent, ...]
    seed: int | None = None
    step_seconds: float | None = None
    players: int | None = None
    length: int | None = None


class ReplaySource:
    """Feeds a replay's events to an input state, each at its fixed step. ``set_players`` is told of changes of the
    number of players."""

    def __init__(self, replay: Replay, step_seconds: float) -> None:
        """``step_seconds`` is the game's step length. Raises AssetError if the script was recorded with another one, or
        has an event behind its end."""
        self.replay = replay
        self.set_players: Callable[[int], None] = lambda players: None
        recorded = replay.step_seconds
        if recorded is not None and abs(recorded - step_seconds) > 1e-9:
            raise AssetError(
                f"recorded with steps of {recorded} s, the game has steps of {step_seconds} s",
                hint="record again, or remove step_seconds and give times as `at`",
                where=SourceLocation(replay.file),
            )
        indexed = [(event.step_index(step_seconds), event) for event in replay.events]
        self._events = sorted(indexed, key=lambda entry: entry[0])
        self._next = 0
        if self.length <= self.last_step:
            raise AssetError(
                f"step {self.last_step} has an entry, and the script ends after {self.length} steps",
                hint=f"write `length: {self.last_step + 1}` or more, or remove it to end with the last entry",
                where=SourceLocation(replay.file),
            )

    @property
    def length(self) -> int:
        """The number of fixed steps until the end: that of the script, else until the last event."""
        return self.last_step + 1 if self.replay.length is None else self.replay.length

    @property
    def last_step(self) -> int:
        """The step of the last event; -1 for an empty script."""
        return self._events[-1][0] if self._events else -1

    @property
    def finished(self) -> bool:
        """Whether all events have been fed."""
        return self._next == len(self._events)

    def feed(self, state: InputState, step: int) -> None:
        """Feed all events up to ``step`` to ``state``."""
        while self._next < len(self._events) and self._events[self._next][0] <= step:
            event = self._events[self._next][1]
            if event.players is not None:
                self.set_players(event.players)
            _apply(event, state)
            self._next += 1


def load_replay(path: str | Path, input_map: InputMap | None = None, players: range | None = None) -> Replay:
    """Load an input script. It may also use the actions and axes of the game's ``input_map``, and as many ``players``
    as the game is for.

    Raises AssetError with file, line and column.
    """
    try:
        text = read_text(Path(path), MAX_BYTES)
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise AssetError(
            f"the input script cannot be read: {reason}",
            hint="check that it is a readable UTF-8 text file",
            where=SourceLocation(str(path)),
        ) from error
    return parse_replay(text, str(path), input_map, players)


def parse_replay(
    text: str, file: str = "<text>", input_map: InputMap | None = None, players: range | None = None
) -> Replay:
    """Parse an input script. ``file`` is its name in error messages."""
    document = read_document(text, file)
    if document.problems:
        problem = document.problems[0]
        raise AssetError(problem.text, hint="an input script is plain YAML", where=problem.where)
    if not isinstance(document.data, dict):
        raise AssetError(
            "an input script is a mapping with `version` and `steps`, not a list or a value",
            hint="begin it with `version: 1`, then `steps:` and the list",
            where=document.where(()),
        )
    try:
        script = _Script.model_validate(document.data)
    except ValidationError as error:
        raise _invalid(document, error) from error
    _check_times(document, script.steps)
    _check_names(document, script.steps, input_map or InputMap())
    _check_players(document, script, players)
    return Replay(file, script.steps, script.seed, script.step_seconds, script.players, script.length)


def _apply(event: ReplayEvent, state: InputState) -> None:
    # A key in both lists is tapped: released and pressed if it is held, else pressed and released.
    again = [key for key in event.release if key in event.press and key in state.held_keys]
    for key in again:
        state.release(key)
    for key in event.press:
        state.press(key)
    for key in event.release:
        if key not in again:
            state.release(key)
    for name, value in event.axis.items():
        state.set_axis(name, value)
    if event.mouse is not None:
        state.move_mouse(event.mouse.position or state.mouse.position, event.mouse.delta)
        state.scroll_mouse(event.mouse.scroll)


def _invalid(document: Document, error: ValidationError) -> AssetError:
    problem = error.errors()[0]
    path = tuple(problem["loc"])
    message = str(problem["msg"]).removeprefix("Value error, ")
    if problem["type"] == "extra_forbidden":
        fields = _fields_at(path[:-1])
        return AssetError(
            f'unknown key "{path[-1]}"', hint=did_you_mean(str(path[-1]), fields), where=document.where_key(path)
        )
    if problem["type"] == "missing":
        return AssetError(
            f'"{path[-1]}" is missing', hint=f"add `{path[-1]}: {VERSION}`", where=document.where(path[:-1])
        )
    shown = ".".join(str(part) for part in path) or "the file"
    if problem["type"] == "tuple_type":
        message = f"{problem['input']!r} is no list"
    return AssetError(
        f"{shown}: {message}",
        hint="a step is such as {at: 0.5, press: [right], axis: {move_x: 0.5}}; the page "
        '"Writing a game" of the documentation has all keys',
        where=document.where(path),
    )


def _fields_at(path: Sequence[str | int]) -> tuple[str, ...]:
    if not path:
        return tuple(_Script.model_fields)
    return tuple(ReplayMouse.model_fields if path[-1] == "mouse" else ReplayEvent.model_fields)


def _check_times(document: Document, events: Sequence[ReplayEvent]) -> None:
    for index, event in enumerate(events):
        if (event.at is None) == (event.step is None):
            raise AssetError(
                "an entry needs exactly one time",
                hint="give `at` in seconds or `step` in fixed steps",
                where=document.where(("steps", index)),
            )
        before = events[index - 1] if index else event
        same_unit = (before.at is None) == (event.at is None)
        if same_unit and (before.at or 0.0, before.step or 0) > (event.at or 0.0, event.step or 0):
            raise AssetError(
                "earlier than the entry before it",
                hint="list entries in the order of their times",
                where=document.where(("steps", index)),
            )


def _check_players(document: Document, script: _Script, possible: range | None) -> None:
    if possible is None:
        return
    asked: list[tuple[tuple[str | int, ...], int | None]] = [(("players",), script.players)]
    asked += [(("steps", index, "players"), event.players) for index, event in enumerate(script.steps)]
    for path, players in asked:
        if players is not None and players not in possible:
            few = players < possible[0]
            number = f"there is {players} player" if players == 1 else f"there are {players} players"
            limit = f"{possible[0]} at least" if few else f"{possible[-1]} at most"
            raise AssetError(
                f"{number}, and the game has {limit}",
                hint="play the game that this was recorded with, or change "
                + ("Game.min_players" if few else "Game.max_players"),
                where=document.where(path),
            )


def _check_names(document: Document, events: Sequence[ReplayEvent], input_map: InputMap) -> None:
    buttons = BUTTONS | frozenset(input_map.actions)
    axes = PAD_AXES | frozenset(input_map.axes)
    for index, event in enumerate(events):
        for part, names in (("press", event.press), ("release", event.release)):
            for position, name in enumerate(names):
                if name not in buttons:
                    place = document.where(("steps", index, part, position))
                    raise AssetError(f'unknown key "{name}"', hint=did_you_mean(name, buttons), where=place)
        for name in event.axis:
            if name not in axes:
                place = document.where_key(("steps", index, "axis", name))
                raise AssetError(f'unknown axis "{name}"', hint=did_you_mean(name, axes), where=place)
