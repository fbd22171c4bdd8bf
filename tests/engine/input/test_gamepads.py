"""Gamepads of several players: places, plugging in and out, and recordings of them."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pyglet
import pytest

from renderwright.engine.input import InputMap, InputState
from renderwright.engine.input.gamepads import Gamepads
from renderwright.engine.input.pyglet_gamepads import PygletGamepads
from renderwright.engine.input.recorder import Recorder
from renderwright.engine.input.replay import ReplaySource, parse_replay
from renderwright.render.errors import UsageError

STEP = 1.0 / 120.0
BUTTONS = ("a", "b", "x", "y", "leftshoulder", "rightshoulder", "back", "start", "guide", "leftstick", "rightstick")
AXES = ("leftx", "lefty", "rightx", "righty", "lefttrigger", "righttrigger", "dpadx", "dpady")
MAP = InputMap.from_dict(
    {
        "actions": {"jump": ["space", "pad_a"], "jump_2": ["pad2_a"]},
        "axes": {"move": {"axes": ["pad_left_x"]}, "move_2": {"axes": ["pad2_left_x"], "deadzone": 0.5}},
    }
)


class Pad(SimpleNamespace):
    """A controller that a test moves."""

    def __init__(self, name: str, guid: str = "") -> None:
        super().__init__(name=name, guid=guid or name, fault="", opened=0, closed=0)
        vars(self).update(dict.fromkeys(BUTTONS, False) | dict.fromkeys(AXES, 0.0))

    def __eq__(self, other: object) -> bool:
        return self is other

    def open(self) -> None:
        if self.fault:
            raise OSError(self.fault)
        self.opened += 1

    def close(self) -> None:
        self.closed += 1


class Manager:
    """Has controllers as a ``pyglet.input.ControllerManager`` does."""

    def __init__(self, *pads: Pad) -> None:
        self.pads = pads
        self.handlers: dict[str, Callable[[Any], None]] = {}

    def push_handlers(self, **handlers: Any) -> None:
        self.handlers |= handlers

    def remove_handlers(self, **handlers: Any) -> None:
        for name in handlers:
            del self.handlers[name]

    def get_controllers(self) -> list[Pad]:
        return list(self.pads)


@pytest.fixture
def state() -> InputState:
    return InputState(MAP)


@pytest.fixture
def gamepads() -> Gamepads:
    return Gamepads()


def step(gamepads: Gamepads, state: InputState) -> None:
    gamepads.feed(state)
    state.begin_step()


def test_each_player_has_names_of_their_own(gamepads: Gamepads, state: InputState) -> None:
    pads = [Pad("one"), Pad("two")]
    for pad in pads:
        gamepads.connect(pad)
    pads[0].a, pads[0].dpadx, pads[0].lefty, pads[0].righttrigger = True, -1.0, -0.5, 1.0
    pads[1].leftshoulder, pads[1].leftx = True, 0.75
    step(gamepads, state)
    assert state.pressed_keys == {"pad_a", "pad_left", "pad2_left_shoulder"}
    assert (state.axis("pad_left_y"), state.axis("pad_right_trigger"), state.axis("pad2_left_x")) == (0.5, 1.0, 0.75)
    assert (state.held("jump"), state.held("jump_2")) == (True, False)
    assert (state.axis("move"), state.axis("move_2")) == (0.0, 0.5)
    step(gamepads, state)
    assert state.pressed_keys == frozenset()
    pads[0].a, pads[1].leftx = False, 0.4
    step(gamepads, state)
    assert state.released_keys == {"pad_a"}
    assert state.axis("move_2") == 0.0, "inside of the dead zone"


def test_what_is_unplugged_lets_go_and_gets_its_place_back(
    gamepads: Gamepads, state: InputState, capsys: pytest.CaptureFixture[str]
) -> None:
    one, two = Pad("one"), Pad("two")
    gamepads.connect(one)
    gamepads.connect(two)
    assert 'Player 2 has the gamepad "two" (pad2_a, ...).' in capsys.readouterr().err
    one.a, one.leftx, two.b = True, 1.0, True
    step(gamepads, state)
    gamepads.disconnect(one)
    gamepads.disconnect(two)
    assert 'The gamepad "one" of player 1 is gone.' in capsys.readouterr().err
    step(gamepads, state)
    assert state.released_keys == {"pad_a", "pad2_b"}
    assert state.axis("move") == 0.0
    gamepads.connect(Pad("two again", guid="two"))
    assert gamepads.names == ("", "two again", "", "")
    gamepads.connect(Pad("three"))
    assert gamepads.names == ("three", "two again", "", "")


def test_a_fifth_waits_for_a_place(gamepads: Gamepads, capsys: pytest.CaptureFixture[str]) -> None:
    pads = [Pad(f"{number}") for number in range(5)]
    for pad in pads:
        gamepads.connect(pad)
    assert 'The gamepad "4" has no player: there are 4 already.' in capsys.readouterr().err
    gamepads.disconnect(pads[2])
    assert gamepads.names == ("0", "1", "4", "3")


def test_players_exchange_and_hand_on_gamepads(gamepads: Gamepads, state: InputState) -> None:
    with pytest.raises(UsageError, match="There is no gamepad"):
        gamepads.hand_on(2)
    pad = Pad("only")
    gamepads.connect(pad)
    pad.a = True
    step(gamepads, state)
    gamepads.hand_on(1)
    assert gamepads.names == ("only", "", "", ""), "there is no other player"
    gamepads.hand_on(2)
    assert gamepads.names == ("", "only", "", "")
    step(gamepads, state)
    assert state.released_keys == {"pad_a"}
    assert state.pressed_keys == {"pad2_a"}
    gamepads.hand_on(2)
    assert gamepads.names == ("only", "", "", "")
    gamepads.connect(Pad("other"))
    gamepads.hand_on(1)
    assert gamepads.names == ("other", "only", "", "")
    gamepads.exchange(1, 3)
    assert gamepads.names == ("other", "", "", "only")


def test_after_the_focus_is_lost_what_is_still_held_is_pressed_anew(gamepads: Gamepads, state: InputState) -> None:
    pad = Pad("pad")
    gamepads.connect(pad)
    pad.a = True
    step(gamepads, state)
    state.release_all()
    gamepads.let_go()
    state.begin_step()
    assert not state.held("jump")
    step(gamepads, state)
    assert state.pressed("jump")


def test_a_recording_has_them_as_input(gamepads: Gamepads, state: InputState) -> None:
    recorder, first, second = Recorder(STEP), Pad("first"), Pad("second")
    seen = []
    for number in range(40):
        if number == 3:
            gamepads.connect(first)
        if number == 10:
            gamepads.connect(second)
        if number == 30:
            gamepads.disconnect(second)
        first.a, second.a = number % 7 == 0, number % 3 == 0
        first.leftx, second.leftx = number / 40.0, 1.0 / (number + 1)
        step(gamepads, state)
        recorder.watch(state, number)
        seen.append([state.held(name) for name in MAP.actions] + [state.axis(name) for name in MAP.axes])
    source, again = ReplaySource(parse_replay(recorder.text()), STEP), InputState(MAP)
    for number in range(40):
        source.feed(again, number)
        again.begin_step()
        assert [again.held(name) for name in MAP.actions] + [again.axis(name) for name in MAP.axes] == seen[number]
    assert seen[9][2] > 0.0
    assert seen[20][3] == 0.0
    assert any(line[1] for line in seen)


def test_pyglets_controllers_come_and_go(
    gamepads: Gamepads, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    happened = [True, True, False]
    monkeypatch.setattr(pyglet.app.platform_event_loop, "step", lambda timeout: happened.pop(0))
    there, later, broken = Pad("there"), Pad("later"), Pad("broken")
    manager = Manager(there)
    plugs = PygletGamepads(manager, gamepads)
    assert gamepads.names[:2] == ("there", "")
    plugs.poll()
    assert happened == [], "all that has happened is looked at"
    broken.fault = "no permission"
    for pad in (broken, later, later):
        manager.handlers["on_connect"](pad)
    assert gamepads.names[:3] == ("there", "later", "")
    assert 'the gamepad "broken" cannot be used: no permission' in caplog.text
    manager.handlers["on_disconnect"](there)
    manager.handlers["on_disconnect"](broken)
    assert gamepads.names[:2] == ("", "later")
    plugs.close()
    assert (there.opened, there.closed, later.opened, later.closed) == (1, 1, 1, 1)
    assert manager.handlers == {}


def test_a_controller_of_pyglet_has_what_is_read(gamepads: Gamepads, state: InputState) -> None:
    pyglet.options["shadow_window"] = False
    from pyglet.input import Controller

    device = SimpleNamespace(name="device", get_controls=list)
    controller = Controller(device, {"name": "pad", "guid": "0300"})
    gamepads.connect(controller)
    assert gamepads.names[0] == "pad"
    controller.rightstick, controller.dpady, controller.leftx = True, 1.0, 0.5
    step(gamepads, state)
    assert state.pressed_keys == {"pad_right_stick", "pad_up"}
    assert state.raw_axes == {"pad_left_x": 0.5}


def test_without_a_gamepad_new_ones_are_looked_for_now_and_then(
    gamepads: Gamepads, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks: list[float] = []
    monkeypatch.setattr(pyglet.app.platform_event_loop, "step", looks.append)
    plugs = PygletGamepads(Manager(), gamepads)
    for _ in range(50):
        plugs.poll()
    assert len(looks) == 1
