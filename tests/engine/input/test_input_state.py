from __future__ import annotations

from collections.abc import Callable

import pytest

from renderwright.engine.input import BUTTONS, InputMap, InputState
from renderwright.render.errors import UsageError

MAP = {
    "actions": {"jump": ["space", "pad_a"]},
    "axes": {"move": {"negative": ["left", "a"], "positive": ["right"], "axes": ["pad_left_x"], "deadzone": 0.2}},
}


def _state() -> InputState:
    return InputState(InputMap.from_dict(MAP))


def test_edges_last_one_step() -> None:
    state = _state()
    state.press("space")
    assert not state.held("space"), "nothing is visible before the step begins"
    state.begin_step()
    assert (state.held("space"), state.pressed("space"), state.released("space")) == (True, True, False)
    state.begin_step()
    assert (state.held("space"), state.pressed("space"), state.released("space")) == (True, False, False)
    state.release("space")
    state.begin_step()
    assert (state.held("space"), state.pressed("space"), state.released("space")) == (False, False, True)
    state.begin_step()
    assert not state.released("space")


def test_a_tap_between_two_steps_is_not_lost() -> None:
    state = _state()
    state.press("space")
    state.release("space")
    state.begin_step()
    assert (state.held("space"), state.pressed("space"), state.released("space")) == (False, True, True)


def test_a_second_tap_waits_for_the_next_step() -> None:
    state = _state()
    for _ in range(2):
        state.press("space")
        state.release("space")
    for _ in range(2):
        state.begin_step()
        assert (state.pressed("space"), state.released("space"), state.held("space")) == (True, True, False)
    state.begin_step()
    assert not state.pressed("space")


def test_key_repeat_is_not_a_press() -> None:
    state = _state()
    state.press("space")
    state.begin_step()
    state.press("space")
    state.begin_step()
    assert not state.pressed("space")


def test_actions_listen_to_all_their_keys_and_their_own_name() -> None:
    for name in ("space", "pad_a", "jump"):
        state = _state()
        state.press(name)
        state.begin_step()
        assert state.pressed("jump")
        assert state.held("jump")
    assert not _state().held("jump")


@pytest.mark.parametrize(
    ("keys", "axes", "value"),
    [
        (["right"], {}, 1.0),
        (["left"], {}, -1.0),
        (["left", "a"], {}, -1.0),
        (["a", "right"], {}, 0.0),
        ([], {"pad_left_x": 0.2}, 0.0),
        ([], {"pad_left_x": -0.6}, -0.5),
        (["right"], {"pad_left_x": 1.0}, 1.0),
        ([], {"move": 0.3}, 0.3),
        (["left"], {"move": 0.25}, -0.75),
    ],
)
def test_axes_add_up(keys: list[str], axes: dict[str, float], value: float) -> None:
    state = _state()
    for key in keys:
        state.press(key)
    for name, at in axes.items():
        state.set_axis(name, at)
    state.begin_step()
    assert state.axis("move") == pytest.approx(value)


def test_inverted_axis_and_unknown_axis() -> None:
    state = InputState(InputMap.from_dict({"axes": {"look": {"axes": ["pad_right_y"], "invert": True}}}))
    state.set_axis("pad_right_y", 1.0)
    state.begin_step()
    assert (state.axis("look"), state.axis("pad_right_y"), state.axis("nothing")) == (-1.0, 1.0, 0.0)


def test_mouse_movement_adds_up_over_a_step() -> None:
    state = _state()
    state.move_mouse((0.1, 0.2), (0.01, 0.0))
    state.move_mouse((0.3, 0.4), (0.02, -0.5))
    state.scroll_mouse(1.0)
    state.scroll_mouse(0.5)
    state.begin_step()
    assert state.mouse.position == (0.3, 0.4)
    assert state.mouse.delta == pytest.approx((0.03, -0.5))
    assert state.mouse.scroll == 1.5
    state.begin_step()
    assert (state.mouse.position, state.mouse.delta, state.mouse.scroll) == ((0.3, 0.4), (0.0, 0.0), 0.0)


def test_losing_the_focus_lets_go_of_everything() -> None:
    state = _state()
    state.press("right")
    state.set_axis("pad_left_x", 1.0)
    state.begin_step()
    state.press("space")
    state.release_all()
    state.begin_step()
    assert state.held_keys == frozenset()
    assert state.released_keys == {"right", "space"}
    assert state.axis("move") == 0.0


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({"actions": {"jump": ["spcae"]}}, 'actions: unknown key "spcae"; did you mean "space"'),
        ({"axes": {"move": {"positive": ["rigth"]}}}, r'axes.move.positive: unknown key "rigth"; did you mean "right"'),
        ({"axes": {"move": {"axes": ["left"]}}}, r'axes.move.axes: unknown gamepad axis "left"'),
        ({"axes": {"move": {"deadzone": 1.0}}}, r"axes.move.deadzone"),
        ({"action": {}}, r'input map: action: unknown key\n.*did you mean "actions"'),
        ({"axes": {"turn": {"negativ": ["a"]}}}, r'axes.turn.negativ: unknown key\n.*did you mean "negative"'),
        ({"actions": {"jump": "space"}}, r"actions.jump: 'space' is no list\n.*write \[\"space\"\]"),
        ({"axes": {"move": {"negative": "a"}}}, r"axes.move.negative: 'a' is no list\n.*write \[\"a\"\]"),
        ({"actions": {"jump": 3}}, r"actions.jump: 3 is no list\n.*an input map has actions"),
    ],
)
def test_wrong_maps_say_where(data: dict, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        InputMap.from_dict(data)
    assert InputMap.from_dict(MAP).names == {"jump", "move"}


def test_names_that_the_game_has_never_declared_are_noted_once() -> None:
    state = _state()
    for _ in range(2):
        assert not any([state.held("jmup"), state.pressed("jmup"), state.released("spcae"), state.held("move")])
        assert (state.axis("mvoe"), state.axis("jump")) == (0.0, 0.0)
    noted = [(one.name, one.method, one.button) for one in state.unknown]
    assert noted == [
        ("jmup", "held", True),
        ("spcae", "released", True),
        ("move", "held", True),
        ("mvoe", "axis", False),
        ("jump", "axis", False),
    ]
    assert {one.where.file for one in state.unknown if one.where is not None} == {__file__}


def test_keys_sticks_and_axes_of_the_map_are_known() -> None:
    state = _state()
    state.set_axis("move", 0.5)
    state.begin_step()
    assert (state.axis("move"), state.axis("pad_left_x"), state.held("space")) == (0.5, 0.0, False)
    assert not state.unknown


@pytest.mark.parametrize(
    ("call", "message", "hint"),
    [
        (lambda state: state.press("rigt"), 'unknown key "rigt"', 'did you mean "right"?'),
        (lambda state: state.press("jmup"), 'unknown key "jmup"', 'did you mean "jump"?'),
        (lambda state: state.press("move"), 'unknown key "move"', 'it is an axis: write set_axis("move", value)'),
        (lambda state: state.press(1), "unknown key 1", 'names are texts: "1"'),
        (lambda state: state.release("spcae"), 'unknown key "spcae"', 'did you mean "space"?'),
        (lambda state: state.set_axis("mvoe", 1.0), 'unknown axis "mvoe"', 'did you mean "move"?'),
        (lambda state: state.set_axis("jump", 1.0), 'unknown axis "jump"', 'it is a button: write press("jump")'),
        (lambda state: state.set_axis("pad_leftx", 1.0), 'unknown axis "pad_leftx"', 'did you mean "pad_left_x"?'),
    ],
)
def test_names_that_do_not_exist_are_refused_at_the_line_that_gives_them(
    call: Callable[[InputState], None], message: str, hint: str
) -> None:
    state = _state()
    with pytest.raises(UsageError) as refused:
        call(state)
    assert refused.value.message == message
    assert hint in refused.value.hint
    assert refused.value.where is not None
    assert refused.value.where.file == __file__
    state.begin_step()
    assert not state.changed


def test_names_of_an_earlier_map_stay_known() -> None:
    state = _state()
    state.press("jump")
    state.set_axis("move", 1.0)
    state.begin_step()
    state.map = InputMap.from_dict({"actions": {"fly": ["space"]}})
    state.press("fly")
    state.release("jump")
    state.set_axis("move", 0.0)
    state.begin_step()
    assert state.held_keys == {"fly"}


@pytest.mark.parametrize("name", sorted(BUTTONS))
def test_each_key_and_button_can_be_pressed(name: str) -> None:
    state = InputState()
    state.press(name)
    state.begin_step()
    assert state.held(name)
