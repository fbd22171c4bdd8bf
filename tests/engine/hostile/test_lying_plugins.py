"""``play --verify-recording`` names plugins whose stable nodes do not record the same commands in every frame."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from careless_plugins import COLOR, node_of
from hostile_plugins import NAME, Hostile
from playing import Picture, frames_of
from test_hostile_plugins import playing

from renderwright.engine import app
from renderwright.engine.cli import main
from renderwright.engine.options import PlayOptions
from renderwright.engine.play_report import say_checks
from renderwright.engine.plugins import PluginState
from renderwright.engine.session import Session
from renderwright.render.backend.vulkan.backend import VulkanBackend
from renderwright.render.errors import CompileError, PluginError
from renderwright.render.runtime.recording import Recording

LOGGER = "renderwright.check"
WORDS = "instance count is 3, kept 1"


def lying() -> Hostile:
    """A plugin that draws one instance more in each frame."""
    numbers = count(1)

    def request(reg: Any) -> Callable[[Any], None]:
        reg.create("thing", COLOR).color(clear=(0.0, 0.0, 0.0, 0.0))
        reg.stable()
        red = reg.graphics("red.frag")
        return lambda cmd: cmd.draw(red, instances=next(numbers))

    return Hostile(node_of(request), "")


@pytest.mark.vulkan
def test_a_plugin_that_lies_is_named_once_and_stays(
    backend: VulkanBackend, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    shown: list[list[Picture]] = []
    for mode in (Recording.VERIFIED, Recording.ALWAYS):
        with (
            caplog.at_level(logging.WARNING, LOGGER),
            playing(backend, monkeypatch, lying(), on=True, recording=mode) as session,
        ):
            shown.append(frames_of(session, 6))
            assert session.plugins.status(NAME).state is PluginState.ENABLED
    assert np.array_equal(*shown)
    (message,) = [record.getMessage() for record in caplog.records if record.name == LOGGER]
    assert f'node "{NAME}/node0" of plugin "{NAME}" is reg.stable()' in message
    assert WORDS in message
    assert "careless_plugins.py" in Path(message.partition(":")[0]).name


@pytest.mark.vulkan
def test_a_plugin_that_lies_ends_a_strict_game(backend: VulkanBackend, monkeypatch: pytest.MonkeyPatch) -> None:
    options: dict[str, Any] = {"strict": True, "recording": Recording.VERIFIED}
    with playing(backend, monkeypatch, lying(), on=True, **options) as session:
        frames_of(session, 2)
        with pytest.raises(PluginError, match=WORDS):
            frames_of(session, 1)


@pytest.mark.parametrize(
    ("option", "mode"),
    [("", Recording.KEPT), ("--verify-recording", Recording.VERIFIED), ("--no-kept-recording", Recording.ALWAYS)],
)
def test_the_options_of_play(
    option: str, mode: Recording, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    seen: list[PlayOptions] = []
    play = app.play

    def noted(options: PlayOptions) -> int:
        seen.append(options)
        return play(options)

    monkeypatch.setattr(app, "play", noted)
    picture = str(tmp_path / "picture.png")
    line = f"play marbles --backend null --frames 5 --size 64x36 {option} --strict --screenshot {picture}"
    assert main(line.split()) == 0
    assert [options.recording for options in seen] == [mode]
    assert not [record for record in caplog.records if record.name == LOGGER]


def test_the_end_of_a_run_tells_of_its_checks(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    line = "play marbles --backend null --frames 2 --size 64x36 --verify --check --verify-recording"
    assert main([*line.split(), "--screenshot", str(tmp_path / "picture.png")]) == 0
    said = capfd.readouterr().err.splitlines()
    assert "verify: 0 plans with hazards in 2 frames" in said
    assert "check: 0 findings in 2 frames" in said
    assert "recording: 0 stable nodes compared with what they keep" in said, "each slot has had one frame"
    assert any(line.startswith("  not compared, since it recorded its commands only once") for line in said)


def test_a_plan_with_hazards_is_counted_although_the_game_goes_on(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    plans = count(1)

    def second_is_wrong(plan: Any) -> None:
        if next(plans) == 2:
            raise CompileError("the plan is not synchronised")

    def settings_change(session: Any, *rest: Any) -> None:
        if session.runtime.frame == 1:
            session.plugins.disable("bloom")
        step(session, *rest)

    step = Session.step
    monkeypatch.setattr("renderwright.engine.check_reports.require_sound_barriers", second_is_wrong)
    monkeypatch.setattr(Session, "step", settings_change)
    line = "play marbles --backend null --frames 3 --size 64x36 --verify"
    assert main([*line.split(), "--screenshot", str(tmp_path / "picture.png")]) == 0
    assert "verify: 1 plan with hazards in 3 frames" in capfd.readouterr().err.splitlines()


@pytest.mark.vulkan
def test_the_findings_of_a_run_are_counted(
    backend: VulkanBackend, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    options = PlayOptions("marbles", recording=Recording.VERIFIED)
    with playing(backend, monkeypatch, lying(), on=True, recording=options.recording) as session:
        frames_of(session, 6)
        say_checks(options, session)
    check, compared, *lacking = capfd.readouterr().err.splitlines()
    assert check == "check: 1 finding in 6 frames"
    assert re.fullmatch(r"recording: [1-9]\d* stable nodes compared with what they keep", compared)
    assert '  not compared, since "views" had another value in each frame: views' in lacking
