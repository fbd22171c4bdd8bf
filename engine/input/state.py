"""Input state of a fixed step."""

from __future__ import annotations

from dataclasses import dataclass, field

from renderwright.engine.caller import caller_location
from renderwright.engine.input.keys import BUTTONS, PAD_AXES, Key
from renderwright.engine.input.mapping import InputMap
from renderwright.render.errors import SourceLocation, UsageError
from renderwright.render.suggest import did_you_mean


@dataclass(frozen=True)
class Mouse:
    """The mouse in one step.

    ``position`` is in normalised device coordinates (x right, y up, -1 to 1 over the window), as for ``Camera.ray``.
    ``delta`` is the movement since the last step in window heights, x right, y up. ``scroll`` is in notches, up
    positive.
    """

    position: tuple[float, float] = (0.0, 0.0)
    delta: tuple[float, float] = (0.0, 0.0)
    scroll: float = 0.0


@dataclass
class _Pending:
    """Input from sources since the start of the last step."""

    changes: list[tuple[Key, bool]] = field(default_factory=list)
    position: tuple[float, float] = (0.0, 0.0)
    delta: tuple[float, float] = (0.0, 0.0)
    scroll: float = 0.0
    axes: dict[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class UnknownName:
    """A name that a game has asked for in a call of ``method``, as a ``button`` or an axis, and has never declared."""

    name: str
    method: str
    button: bool
    where: SourceLocation | None


class InputState:
    """All input of one fixed step.

    Games call ``held``, ``pressed``, ``released`` and ``axis`` with the name of a key, a button, or an action or axis
    of ``map``. Sources (window, script) call ``press``, ``release``, ``set_axis``, ``move_mouse``, ``scroll_mouse`` at
    any time; ``begin_step`` makes this input visible. So exactly one step sees a press, even if the key is pressed and
    released between two steps, and no press is lost in a frame without a step.
    """

    def __init__(self, input_map: InputMap | None = None) -> None:
        self._buttons, self._axis_names = BUTTONS, PAD_AXES
        self.map = input_map or InputMap()
        self.mouse = Mouse()
        #: What the game has asked for that neither the map nor a device has, for the host to tell.
        self.unknown: tuple[UnknownName, ...] = ()
        #: Whether anything has come in for this step; without, all is as it was, and nothing moves.
        self.changed = False
        self._held: set[Key] = set()
        self._pressed: set[Key] = set()
        self._released: set[Key] = set()
        self._axes: dict[str, float] = {}
        self._pending = _Pending()

    @property
    def map(self) -> InputMap:
        """The game's actions and axes; assign another at any time. Sources may still use the names of earlier ones."""
        return self._map

    @map.setter
    def map(self, input_map: InputMap) -> None:
        self._map = input_map
        self._buttons |= frozenset(input_map.actions)
        self._axis_names |= frozenset(input_map.axes)

    # -- queries of games

    def held(self, name: str) -> bool:
        """Whether a key, button or action is down."""
        return any(key in self._held for key in self._keys(name, "held"))

    def pressed(self, name: str) -> bool:
        """Whether it went down in this step."""
        return any(key in self._pressed for key in self._keys(name, "pressed"))

    def released(self, name: str) -> bool:
        """Whether it went up in this step."""
        return any(key in self._released for key in self._keys(name, "released"))

    def axis(self, name: str) -> float:
        """An axis of the map or the gamepad, from -1 to 1; 0, with a notice, for a name without binding."""
        value = self._axes.get(name, 0.0)
        binding = self.map.axes.get(name)
        if binding is not None:
            value += any(key in self._held for key in binding.positive)
            value -= any(key in self._held for key in binding.negative)
            sign = -1.0 if binding.invert else 1.0
            for axis in binding.axes:
                value += sign * _beyond(self._axes.get(axis, 0.0), binding.deadzone)
        elif name not in PAD_AXES and name not in self._axes:
            self._note_unknown(name, "axis", button=False)
        return max(-1.0, min(1.0, value))

    @property
    def held_keys(self) -> frozenset[Key]:
        """All keys and buttons that are down."""
        return frozenset(self._held)

    @property
    def pressed_keys(self) -> frozenset[Key]:
        """All keys and buttons that went down in this step."""
        return frozenset(self._pressed)

    @property
    def released_keys(self) -> frozenset[Key]:
        """All keys and buttons that went up in this step."""
        return frozenset(self._released)

    @property
    def raw_axes(self) -> dict[str, float]:
        """A copy of the axes as set by sources, without the map."""
        return dict(self._axes)

    # -- input of sources

    def press(self, key: Key) -> None:
        """A key, button or action goes down. Repeats while it is down have no effect.

        Raises ``UsageError`` for an unknown name.
        """
        self._check_button(key)
        self._pending.changes.append((key, True))

    def release(self, key: Key) -> None:
        """A key, button or action goes up. Raises ``UsageError`` for an unknown name."""
        self._check_button(key)
        self._pending.changes.append((key, False))

    def set_axis(self, name: str, value: float) -> None:
        """Set a gamepad axis, or directly an axis of the map. Raises ``UsageError`` for an unknown name."""
        if name not in self._axis_names:
            instead = f'it is a button: write press("{name}") or release("{name}")' if name in self._buttons else ""
            raise _unknown("axis", name, self._axis_names, instead)
        self._pending.axes[name] = value

    def move_mouse(self, position: tuple[float, float], delta: tuple[float, float] = (0.0, 0.0)) -> None:
        """The mouse has moved by ``delta`` to ``position`` (units of ``Mouse``)."""
        pending = self._pending
        pending.position = position
        pending.delta = (pending.delta[0] + delta[0], pending.delta[1] + delta[1])

    def scroll_mouse(self, notches: float) -> None:
        """The mouse wheel has turned."""
        self._pending.scroll += notches

    def release_all(self) -> None:
        """Release all keys and buttons and set all axes to 0, as when the window loses the focus."""
        down = set(self._held)
        for key, goes_down in self._pending.changes:
            (down.add if goes_down else down.discard)(key)
        for key in sorted(down):
            self.release(key)
        for name in [*self._axes, *self._pending.axes]:
            self._pending.axes[name] = 0.0

    # -- calls of the host

    def begin_step(self) -> None:
        """Start a fixed step."""
        pending, mouse = self._pending, self.mouse
        self.changed = bool(
            pending.changes
            or pending.axes
            or pending.scroll
            or pending.delta != (0.0, 0.0)
            or pending.position != mouse.position
        )
        self._pressed.clear()
        self._released.clear()
        later: list[tuple[Key, bool]] = []
        for key, goes_down in pending.changes:
            if key in self._pressed and key in self._released:
                later.append((key, goes_down))  # one press and one release per step, so that recordings are exact
            elif goes_down and key not in self._held:
                self._held.add(key)
                self._pressed.add(key)
            elif not goes_down and key in self._held:
                self._held.discard(key)
                self._released.add(key)
        self._axes.update(pending.axes)
        self.mouse = Mouse(pending.position, pending.delta, pending.scroll)
        self._pending = _Pending(later, pending.position)

    def _check_button(self, key: Key) -> None:
        if key not in self._buttons:
            instead = f'it is an axis: write set_axis("{key}", value)' if key in self._axis_names else ""
            raise _unknown("key", key, self._buttons, instead)

    def _keys(self, name: str, method: str) -> tuple[Key, ...]:
        bound = self.map.actions.get(name)
        if bound is None:
            if name not in BUTTONS:
                self._note_unknown(name, method, button=True)
            return (name,)
        # An action also listens to its own name, so that a script can drive it directly.
        return (name, *bound)

    def _note_unknown(self, name: str, method: str, *, button: bool) -> None:
        if all((one.name, one.button) != (name, button) for one in self.unknown):
            self.unknown = (*self.unknown, UnknownName(name, method, button, caller_location()))


def _unknown(what: str, name: object, known: frozenset[str], instead: str) -> UsageError:
    if not isinstance(name, str):
        return UsageError(f"unknown {what} {name!r}", hint=f'names are texts: "{name}"', where=caller_location())
    near = f"{did_you_mean(name, known)}\n  or declare it in Game.controls, which a game has once it has started"
    return UsageError(f'unknown {what} "{name}"', hint=instead or near, where=caller_location())


def _beyond(value: float, deadzone: float) -> float:
    size = abs(value)
    if size <= deadzone:
        return 0.0
    return (size - deadzone) / (1.0 - deadzone) * (1.0 if value > 0.0 else -1.0)
