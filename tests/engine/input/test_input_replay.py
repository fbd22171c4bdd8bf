from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

from renderwright.engine.input import InputMap, InputState
from renderwright.engine.input import recorder as recorder_module
from renderwright.engine.input.recorder import Recorder
from renderwright.engine.input.replay import Replay, ReplaySource, load_replay, parse_replay
from renderwright.render.errors import AssetError

STEP = 1.0 / 120.0
MAP = InputMap.from_dict({"actions": {"jump": ["space"]}, "axes": {"tilt_x": {"positive": ["right"]}}})
SCRIPT = """\
version: 1
seed: 7
steps:
  - {at: 0.05, press: [right, 1]}
  - {at: 0.1, release: [right], axis: {tilt_x: 0.5}}
  - {at: 0.15, press: [jump], release: [jump], mouse: {position: [0.5, -0.5], scroll: 2}}
"""


def _frames(replay: Replay, steps: int) -> list[tuple]:
    state, source = InputState(MAP), ReplaySource(replay, STEP)
    seen = []
    for step in range(steps):
        source.feed(state, step)
        state.begin_step()
        seen.append((state.held_keys, state.pressed_keys, state.released_keys, state.raw_axes, state.mouse))
    return seen


def test_events_arrive_at_their_steps() -> None:
    replay = parse_replay(SCRIPT, input_map=MAP)
    frames = _frames(replay, 20)
    assert replay.seed == 7
    assert [step for step, frame in enumerate(frames) if frame[1]] == [6, 18]
    assert frames[6][1] == {"right", "1"}
    assert frames[11][0] == {"right", "1"}
    assert frames[12][0] == {"1"}
    assert frames[12][3] == {"tilt_x": 0.5}
    assert frames[18][1] == frames[18][2] == {"jump"}
    assert frames[18][4].position == (0.5, -0.5)
    assert (frames[18][4].scroll, frames[19][4].scroll) == (2.0, 0.0)


def test_source_knows_its_end() -> None:
    source = ReplaySource(parse_replay(SCRIPT, input_map=MAP), STEP)
    state = InputState(MAP)
    assert source.last_step == 18
    source.feed(state, 17)
    assert not source.finished
    source.feed(state, 18)
    assert source.finished
    assert ReplaySource(parse_replay("version: 1\nsteps: []"), STEP).finished


def test_a_script_ends_with_its_length_and_without_one_with_its_last_event() -> None:
    entry = "steps:\n  - {step: 4, press: [right]}\n"
    assert ReplaySource(parse_replay(f"version: 1\nlength: 240\n{entry}", input_map=MAP), STEP).length == 240
    assert ReplaySource(parse_replay(f"version: 1\n{entry}", input_map=MAP), STEP).length == 5
    assert ReplaySource(parse_replay("version: 1\nsteps: []"), STEP).length == 0


def test_an_event_behind_the_end_is_refused() -> None:
    text = "version: 1\nlength: 6\nsteps:\n  - {at: 0.05, press: [right]}\n"
    with pytest.raises(AssetError, match=r"s\.yaml: step 6 has an entry, and the script ends after 6 steps") as refused:
        ReplaySource(parse_replay(text, "s.yaml", MAP), STEP)
    assert "`length: 7`" in refused.value.hint


def test_a_recording_has_the_steps_without_input_at_its_end() -> None:
    state, recorder = InputState(MAP), Recorder(STEP)
    for step in range(240):
        if step == 3:
            state.press("right")
        state.begin_step()
        recorder.watch(state, step)
    replay = parse_replay(recorder.text())
    assert (replay.length, ReplaySource(replay, STEP).length) == (240, 240)


def test_skipped_steps_lose_nothing() -> None:
    state, source = InputState(MAP), ReplaySource(parse_replay(SCRIPT, input_map=MAP), STEP)
    source.feed(state, 100)
    state.begin_step()
    assert state.held_keys == {"1"}
    assert state.pressed_keys == {"right", "1", "jump"}


def test_a_recording_repeats_the_run_exactly(tmp_path: Path) -> None:
    rng = random.Random(4)
    state, recorder = InputState(MAP), Recorder(STEP, seed=9)
    played = []
    for step in range(300):
        for _ in range(rng.choice([0, 0, 1, 3])):
            key = rng.choice(["right", "space", "1", "mouse_left", "pad_a"])
            rng.choice([state.press, state.release])(key)
        if rng.random() < 0.2:
            state.set_axis("pad_left_x", rng.uniform(-1.0, 1.0))
        if rng.random() < 0.2:
            state.move_mouse((rng.random(), rng.random()), (rng.gauss(0, 1), 1e-5))
            state.scroll_mouse(rng.choice([0.0, 1.0]))
        state.begin_step()
        recorder.watch(state, step)
        played.append((state.held_keys, state.pressed_keys, state.released_keys, state.raw_axes, state.mouse))
    path = tmp_path / "run.yaml"
    recorder.save(path)
    replay = load_replay(path)
    assert replay.seed == 9
    assert _frames(replay, 300) == played


def test_a_recording_has_the_players_from_the_beginning_on() -> None:
    state, recorder = InputState(MAP), Recorder(STEP, players=2)
    for step, players in enumerate((2, 2, 3, 3, 1)):
        state.begin_step()
        recorder.watch(state, step, players)
    replay = parse_replay(recorder.text())
    assert replay.players == 2
    source, told = ReplaySource(replay, STEP), []
    for step in range(5):
        source.set_players = lambda players, step=step: told.append((step, players))
        source.feed(state, step)
    assert told == [(2, 3), (4, 1)]


@pytest.mark.parametrize(
    ("text", "place"),
    [("players: 3\n", r"s\.yaml:2:10"), ("steps:\n  - {step: 1}\n  - {step: 2, players: 3}\n", r"s\.yaml:4:24")],
)
def test_more_players_than_the_game_has_are_refused(text: str, place: str) -> None:
    parse_replay(f"version: 1\n{text}", "s.yaml", players=range(1, 4))
    with pytest.raises(AssetError, match=f"{place}: there are 3 players, and the game has 2 at most"):
        parse_replay(f"version: 1\n{text}", "s.yaml", players=range(1, 3))


def test_fewer_players_than_the_game_is_for_are_refused() -> None:
    with pytest.raises(AssetError, match=r"s\.yaml:2:10: there is 1 player, and the game has 2 at least") as refused:
        parse_replay("version: 1\nplayers: 1\n", "s.yaml", players=range(2, 5))
    assert "Game.min_players" in refused.value.hint


def test_a_recording_ends_where_a_script_would_be_too_long(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(recorder_module, "MAX_BYTES", 2000)
    state, recorder = InputState(MAP), Recorder(STEP)
    for step in range(100):
        state.move_mouse((step / 100, 0.0))
        state.begin_step()
        recorder.watch(state, step)
    assert recorder.full
    assert 0.1 < recorder.seconds < 0.5
    recorder.save(tmp_path / "run.yaml")
    assert (tmp_path / "run.yaml").stat().st_size < 2000
    replay = parse_replay(recorder.text())
    assert replay.events[-1].step == round(recorder.seconds / STEP)
    assert replay.length == replay.events[-1].step + 1


def test_a_step_without_input_is_not_looked_at() -> None:
    state, recorder = InputState(MAP), Recorder(STEP)
    state.press("space")
    state.begin_step()
    assert state.changed
    recorder.watch(state, 0)
    events = parse_replay(recorder.text()).events
    for step in range(1, 10):
        state.begin_step()
        assert not state.changed
        recorder.watch(state, step)
    assert parse_replay(recorder.text()).events == events


def test_an_empty_recording_is_a_script() -> None:
    assert parse_replay(Recorder(STEP).text()).events == ()


def test_another_step_than_recorded_is_refused() -> None:
    replay = parse_replay(Recorder(STEP).text(), "run.yaml")
    with pytest.raises(AssetError, match=r"run\.yaml: recorded with steps of"):
        ReplaySource(replay, 1.0 / 60.0)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("steps: []\n", r's\.yaml:1:1: "version" is missing'),
        ("version: 2\n", r"s\.yaml:1:10: version"),
        ("version: 1\nstep: []\n", r's\.yaml:2:1: unknown key "step"\n.*did you mean "steps"'),
        ("version: 1\nsteps:\n  - {at: 1, pres: [a]}\n", r's\.yaml:3:13: unknown key "pres"\n.*"press"'),
        ("version: 1\nsteps:\n  - at: 1\n    press: [a, rihgt]\n", r's\.yaml:4:16: unknown key "rihgt"\n.*"right"'),
        ("version: 1\nsteps:\n  - at: 1\n    axis: {tilt_y: 1}\n", r's\.yaml:4:12: unknown axis "tilt_y"\n.*"tilt_x"'),
        ("version: 1\nsteps:\n  - {at: 1, axis: {tilt_x: 1.5}}\n", r"s\.yaml:3:.*is 1\.5; give -1 to 1"),
        ("version: 1\nsteps:\n  - {press: [a]}\n", r"s\.yaml:3:5: an entry needs exactly one time"),
        ("version: 1\nsteps:\n  - {at: 1, step: 2}\n", r"s\.yaml:3:5: an entry needs exactly one time"),
        ("version: 1\nsteps:\n  - {at: -1}\n", r"s\.yaml:3:10: steps\.0\.at"),
        ("version: 1\nsteps:\n  - {at: 2}\n  - {at: 1}\n", r"s\.yaml:4:5: earlier than the entry before"),
        ("version: 1\nlength: -1\n", r"s\.yaml:2:9: length"),
        ("version: 1\nsteps:\n  - {at: soon}\n", r"s\.yaml:3:10: steps\.0\.at"),
        ("version: 1\nsteps: [{at: 1, press: a}]\n", r"s\.yaml:2:24: steps\.0\.press: 'a' is no list"),
        ("version: 1\nsteps: [\n", r"s\.yaml:3:1: not valid YAML"),
        ("", r"s\.yaml:1:1: the file is empty"),
        ("- 1\n", r"s\.yaml:1:1"),
    ],
)
def test_errors_name_the_place(text: str, message: str) -> None:
    with pytest.raises(AssetError) as raised:
        parse_replay(text, "s.yaml", MAP)
    assert re.search(message, str(raised.value)), str(raised.value)


def test_missing_file(tmp_path: Path) -> None:
    with pytest.raises(AssetError, match=r"none\.yaml: the input script cannot be read"):
        load_replay(tmp_path / "none.yaml")
