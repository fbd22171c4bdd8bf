"""What a run without a window tells while its frames are slow."""

from __future__ import annotations

import io
import sys

import pytest

from renderwright.engine import messages
from renderwright.engine.messages import FramePace, frames_progress, share_progress


class Clock:
    """Time that passes when a test says so."""

    def __init__(self) -> None:
        self.now = 100.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(messages, "time", clock)
    return clock


def _told(clock: Clock, frames: int, seconds: float, hint: str = "") -> None:
    with frames_progress(frames, hint) as advance:
        for _ in range(frames):
            clock.now += seconds
            advance()


def test_the_pace_is_told_from_a_second_a_frame_on() -> None:
    pace = FramePace(60, 5.0)
    assert pace.advance(5.9) == ""
    assert pace.advance(11.2) == "frame 2 of 60, 3.1 s each"


def test_quick_frames_say_nothing(clock: Clock, capsys: pytest.CaptureFixture[str]) -> None:
    _told(clock, 600, 0.1)
    assert capsys.readouterr().err == ""


def test_slow_frames_have_a_line_each_ten_seconds_and_a_hint_once(
    clock: Clock, capsys: pytest.CaptureFixture[str]
) -> None:
    _told(clock, 10, 4.0, "--size 480x270 is faster")
    assert capsys.readouterr().err.splitlines() == [
        "frame 3 of 10, 4.0 s each; --size 480x270 is faster",
        "frame 6 of 10, 4.0 s each",
        "frame 9 of 10, 4.0 s each",
    ]


def test_the_last_frame_is_no_progress(clock: Clock, capsys: pytest.CaptureFixture[str]) -> None:
    _told(clock, 1, 60.0)
    assert capsys.readouterr().err == ""


class Terminal(io.StringIO):
    """Standard error of somebody who looks on."""

    def isatty(self) -> bool:
        return True


def test_a_terminal_has_the_same_in_one_line(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.setenv("TERM", "xterm")
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    _told(clock, 4, 2.5, "--size 480x270 is faster")
    assert "frame 4 of 4, 2.5 s each; --size 480x270 is faster" in terminal.getvalue()
    assert not terminal.getvalue().rstrip().endswith("faster"), "the bar goes"


def test_a_long_job_tells_its_share_each_ten_seconds_and_what_is_left(
    clock: Clock, capsys: pytest.CaptureFixture[str]
) -> None:
    with share_progress("playing", "compiling") as advance:
        for step in range(1, 26):
            clock.now += 1.0
            advance(step / 25)
    assert capsys.readouterr().err == "playing, 40% done\nplaying, 80% done\ncompiling\n"


def test_a_short_job_says_nothing(clock: Clock, capsys: pytest.CaptureFixture[str]) -> None:
    with share_progress("playing", "compiling") as advance:
        clock.now += 1.0
        advance(1.0)
    assert capsys.readouterr().err == ""
