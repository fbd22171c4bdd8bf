"""Gamepads in the places of players, and what they do as input."""

from __future__ import annotations

from typing import Any, Protocol

from renderwright.engine.input.keys import MOST_GAMEPADS, Key, of_gamepad
from renderwright.engine.input.state import InputState
from renderwright.engine.messages import say
from renderwright.render.errors import UsageError

_BUTTONS = {
    "a": "pad_a",
    "b": "pad_b",
    "x": "pad_x",
    "y": "pad_y",
    "leftshoulder": "pad_left_shoulder",
    "rightshoulder": "pad_right_shoulder",
    "back": "pad_back",
    "start": "pad_start",
    "guide": "pad_guide",
    "leftstick": "pad_left_stick",
    "rightstick": "pad_right_stick",
}
"""Names of the attributes of a controller."""
_AXES = {
    "leftx": ("pad_left_x", 1.0),
    "lefty": ("pad_left_y", -1.0),
    "rightx": ("pad_right_x", 1.0),
    "righty": ("pad_right_y", -1.0),
    "lefttrigger": ("pad_left_trigger", 1.0),
    "righttrigger": ("pad_right_trigger", 1.0),
}
"""Names of the attributes of a controller, with the sign that makes right and up positive."""
_PRESSED_BEYOND = 0.5
"""Of the directional pad."""
_DECIMALS = 3
"""Of axes: what is beyond them is noise, which would fill recordings."""


class Controller(Protocol):
    """A gamepad as pyglet has it. What is held and where the sticks are, are further attributes."""

    name: str
    guid: str

    def open(self) -> None:
        """Let it be read."""

    def close(self) -> None:
        """Read it no longer."""


class _Place:
    """A place for a gamepad: which one is in it, which one was in it last, and what the input has been told of it."""

    def __init__(self, number: int) -> None:
        self._buttons = {attribute: of_gamepad(name, number) for attribute, name in _BUTTONS.items()}
        self._axes = {attribute: (of_gamepad(name, number), sign) for attribute, (name, sign) in _AXES.items()}
        self._directions = {way: of_gamepad(f"pad_{way}", number) for way in ("left", "right", "down", "up")}
        self.pad: Any = None
        self.known = ""
        self.down: set[Key] = set()
        self.at: dict[str, float] = {}

    def feed(self, state: InputState) -> None:
        """Tell the input what has changed."""
        down, axes = self._looked_at() if self.pad is not None else (set(), dict.fromkeys(self.at, 0.0))
        if down != self.down:
            for name in sorted(down - self.down):
                state.press(name)
            for name in sorted(self.down - down):
                state.release(name)
            self.down = down
        for name, value in axes.items():
            if self.at.get(name, 0.0) != value:
                state.set_axis(name, value)
                self.at[name] = value
        if self.pad is None:
            self.at.clear()

    def _looked_at(self) -> tuple[set[Key], dict[str, float]]:
        pad, ways = self.pad, self._directions
        down = {name for attribute, name in self._buttons.items() if getattr(pad, attribute)}
        if abs(pad.dpadx) > _PRESSED_BEYOND:
            down.add(ways["right" if pad.dpadx > 0.0 else "left"])
        if abs(pad.dpady) > _PRESSED_BEYOND:
            down.add(ways["up" if pad.dpady > 0.0 else "down"])
        axes = self._axes.items()
        return down, {name: round(sign * float(getattr(pad, attribute)), _DECIMALS) for attribute, (name, sign) in axes}


class Gamepads:
    """The gamepads of the players. The first player's has the names ``pad_a``, ..., the second's ``pad2_a``, ...

    A gamepad that is plugged in gets the place that it had, if it had one that is free, else the first free place. One
    that is unplugged lets go of everything. Each change of a place is said on the terminal.
    """

    def __init__(self) -> None:
        self._places = [_Place(number) for number in range(MOST_GAMEPADS)]
        self._without: list[Controller] = []

    @property
    def names(self) -> tuple[str, ...]:
        """The name of the gamepad in each place, '' where none is."""
        return tuple(place.pad.name if place.pad is not None else "" for place in self._places)

    def connect(self, pad: Controller) -> None:
        """Give a gamepad a place. If all are taken, it waits for one."""
        free = [place for place in self._places if place.pad is None]
        place = next((place for place in free if place.known == pad.guid), free[0] if free else None)
        if place is None:
            self._without.append(pad)
            say(f'The gamepad "{pad.name}" has no player: there are {MOST_GAMEPADS} already.')
            return
        self._put(pad, place)

    def disconnect(self, pad: Controller) -> None:
        """Free the place of a gamepad, for one that waits."""
        if pad in self._without:
            self._without.remove(pad)
        for number, place in enumerate(self._places):
            if place.pad is pad:
                place.pad = None
                say(f'The gamepad "{pad.name}" of player {number + 1} is gone.')
                if self._without:
                    self._put(self._without.pop(0), place)

    def exchange(self, one: int, other: int) -> None:
        """Exchange what is in two places, counted from 0."""
        self._swap(one, other)
        for number in sorted({one, other}):
            self._tell_place(self._places[number])

    def hand_on(self, players: int) -> None:
        """Give each gamepad to the next of ``players``, or of as many as have one; the last one's to the first.

        Raises ``UsageError`` without gamepads.
        """
        taken = [number for number, place in enumerate(self._places) if place.pad is not None]
        if not taken:
            raise UsageError("There is no gamepad.", hint="plug one in: it is found while the game runs")
        last = max(taken[-1], min(players, MOST_GAMEPADS) - 1)
        for number in range(last, 0, -1):
            self._swap(number - 1, number)
        for place in self._places[: last + 1]:
            self._tell_place(place)

    def feed(self, state: InputState) -> None:
        """Tell the input what has changed since the last call."""
        for place in self._places:
            if place.pad is not None or place.down or place.at:
                place.feed(state)

    def let_go(self) -> None:
        """Forget what is held: the input has let go of everything, and is told anew what still is."""
        for place in self._places:
            place.down.clear()
            place.at.clear()

    def _swap(self, one: int, other: int) -> None:
        first, second = self._places[one], self._places[other]
        first.pad, second.pad = second.pad, first.pad
        first.known, second.known = second.known, first.known

    def _put(self, pad: Controller, place: _Place) -> None:
        place.pad, place.known = pad, pad.guid
        self._tell_place(place)

    def _tell_place(self, place: _Place) -> None:
        if place.pad is not None:
            number = self._places.index(place)
            say(f'Player {number + 1} has the gamepad "{place.pad.name}" ({of_gamepad("pad_a", number)}, ...).')
