"""The frame of the command line: exit codes and messages."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from renderwright.engine.cli import main
from renderwright.engine.options import BackendName, PlayOptions, PluginChoice, SettingChange
from renderwright.render.errors import BackendError, SourceLocation, UsageError

REPOSITORY = Path(__file__).parents[3]


@pytest.fixture
def played(monkeypatch: pytest.MonkeyPatch) -> list[PlayOptions]:
    """Puts an application in place that only notes how it was called."""
    calls: list[PlayOptions] = []

    def play(options: PlayOptions) -> int:
        calls.append(options)
        return 0

    _replace_app(monkeypatch, play)
    return calls


def _replace_app(monkeypatch: pytest.MonkeyPatch, play: Any) -> None:
    from renderwright import engine

    module = SimpleNamespace(play=play)
    monkeypatch.setitem(sys.modules, "renderwright.engine.app", module)
    monkeypatch.setattr(engine, "app", module, raising=False)


def test_play_gives_every_option_to_the_application(played: list[PlayOptions], tmp_path: Path) -> None:
    replay = tmp_path / "keys.yaml"
    replay.write_text("[]")
    line = f"play marbles --backend null --device llvm --size 640x360 --headless --frames 5 --screenshot a.png \
        --replay {replay} --enable a,b --enable c --disable d --set bloom.intensity=0.5 --set fog.text=a=b.c \
        --validate --strict --no-alias --order random:3 --seed 7"
    assert main(line.split()) == 0
    assert played == [
        PlayOptions(
            game="marbles",
            backend=BackendName.NULL,
            device="llvm",
            size=(640, 360),
            headless=True,
            frames=5,
            screenshot=Path("a.png"),
            replay=replay,
            plugins=PluginChoice(
                ("a", "b", "c"),
                ("d",),
                (SettingChange("bloom", "intensity", "0.5"), SettingChange("fog", "text", "a=b.c")),
            ),
            validate=True,
            strict=True,
            seed=7,
            alias=False,
            order="random:3",
        )
    ]


def test_players_and_eyes_switch_on_the_plugins_that_show_them(played: list[PlayOptions]) -> None:
    assert main(["play", "marbles", "--views", "3", "--vr", "--enable", "fog,vr"]) == 0
    assert played[0].players == 3
    assert played[0].plugins == PluginChoice(("fog", "vr", "split_screen"))
    assert main(["play", "marbles", "--views", "1"]) == 0
    assert played[1] == PlayOptions("marbles", players=1)


def test_supersampling_is_a_plugin_and_its_setting(played: list[PlayOptions]) -> None:
    assert main(["play", "marbles", "--ssaa", "16", "--views", "2", "--set", "bloom.levels=3"]) == 0
    settings = (SettingChange("bloom", "levels", "3"), SettingChange("ssaa", "samples", "16"))
    assert played[0].plugins == PluginChoice(("split_screen", "ssaa"), (), settings)


def test_frame_times_are_milliseconds_and_tiles_columns_by_rows(played: list[PlayOptions]) -> None:
    assert main(["play", "m", "--dynamic-resolution", "16.5", "--tiles", "4x3", "--tile-border", "32"]) == 0
    assert played == [PlayOptions("m", frame_time=0.0165, tiles=(4, 3), tile_border=32)]


def test_play_without_options_takes_the_defaults(played: list[PlayOptions]) -> None:
    assert main(["play", "marbles"]) == 0
    assert played == [PlayOptions("marbles")]


@pytest.mark.parametrize(
    ("arguments", "message", "hint"),
    [
        (["play"], "error: Missing argument 'GAME'.", "renderwright play --help"),
        (["ply"], "error: No such command 'ply'", "renderwright --help"),
        (["play", "m", "--size", "0x4"], '"0x4" is not a size such as 1280x720', "renderwright play --help"),
        (["play", "m", "--views", "5"], "5 is not in the range", "renderwright play --help"),
        (["play", "m", "--tiles", "4"], '"4" is not a number of tiles such as 4x4', "renderwright play --help"),
        (["play", "m", "--ssaa", "8"], "'8' is not one of '1', '4', '9', '16'", "renderwright play --help"),
        (["play", "m", "--dynamic-resolution", "0"], "0.0 is not in the range", "renderwright play --help"),
        (["play", "m", "--frames", "0"], "0 is not in the range", "renderwright play --help"),
        (["play", "m", "--set", "bloom=1"], '"bloom=1" is not a setting', "renderwright play --help"),
        (["play", "m", "--replay", "no/such.yaml"], "'no/such.yaml' does not exist", "renderwright play --help"),
        (
            ["play", "m", "--backend", "metal"],
            "'metal' is not one of 'vulkan', 'opengl', 'null'",
            "renderwright play --help",
        ),
        (["graph", "m", "--count", "view"], '"view" is not a count such as view=2', "renderwright graph --help"),
        (["graph", "m", "--resolution", "a=2"], '"2" is not a size', "renderwright graph --help"),
        (["plugins", "list", "--yaml"], "No such option '--yaml'", "renderwright plugins list --help"),
        (["graph", "no/such.yaml"], 'there is no skeleton "no/such.yaml"', ""),
    ],
)
def test_wrong_use_is_one_message_and_exit_code_2(
    arguments: list[str], message: str, hint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    first, *rest = captured.err.splitlines()
    assert first.startswith("error: ")
    assert message in first
    assert hint in "\n".join(rest)
    assert "Traceback" not in captured.err


def test_an_error_of_the_engine_shows_place_message_and_hint(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def play(options: PlayOptions) -> int:
        raise BackendError("no device", hint="install a driver", where=SourceLocation("a.py", 3))

    monkeypatch.delenv("RENDERWRIGHT_DEBUG", raising=False)
    _replace_app(monkeypatch, play)
    assert main(["play", "m"]) == 2
    assert capsys.readouterr().err == "error: a.py:3: no device\n  install a driver\n"
    monkeypatch.setenv("RENDERWRIGHT_DEBUG", "1")
    with pytest.raises(BackendError):
        main(["play", "m"])


def test_interrupting_leaves_with_130_and_no_traceback(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def play(options: PlayOptions) -> int:
        raise KeyboardInterrupt

    _replace_app(monkeypatch, play)
    assert main(["play", "m"]) == 130
    assert capsys.readouterr().err.strip() == ""


def test_an_interrupt_that_a_library_turns_into_an_error_leaves_with_130(monkeypatch: pytest.MonkeyPatch) -> None:
    def play(options: PlayOptions) -> int:
        try:
            signal.raise_signal(signal.SIGINT)
        except KeyboardInterrupt:
            raise ValueError("a model cannot be built") from None
        return 0

    _replace_app(monkeypatch, play)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background jobs ignore it
    try:
        assert main(["play", "m"]) == 130
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    finally:
        signal.signal(signal.SIGINT, before)


def test_interrupting_while_the_command_line_is_imported_leaves_with_130() -> None:
    code = """if True:
        import signal, sys, renderwright.engine.cli
        class Finder:
            def find_spec(self, name, path, target=None):
                if name == "click":
                    signal.raise_signal(signal.SIGINT)
        sys.meta_path.insert(0, Finder())
        signal.signal(signal.SIGINT, signal.default_int_handler)
        sys.exit(renderwright.engine.cli.main(["--version"]))
    """
    done = subprocess.run([sys.executable, "-c", code], cwd=REPOSITORY, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


def test_the_applications_exit_code_is_passed_on(monkeypatch: pytest.MonkeyPatch) -> None:
    _replace_app(monkeypatch, lambda options: 3)
    assert main(["play", "m"]) == 3


def test_a_bug_is_not_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    def play(options: PlayOptions) -> int:
        raise ZeroDivisionError

    _replace_app(monkeypatch, play)
    with pytest.raises(ZeroDivisionError):
        main(["play", "m"])


def test_plugin_options_make_no_sense_for_a_bare_skeleton() -> None:
    from renderwright.engine.options import PlanOptions
    from renderwright.engine.planning import plan_of

    with pytest.raises(UsageError, match="a skeleton by itself has no plugins"):
        plan_of(PlanOptions("forward.yaml", plugins=PluginChoice(disable=("bloom",))))


@pytest.mark.parametrize("group", [[], ["new"], ["plugins"]])
def test_lists_of_commands_are_not_cut_off(group: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*group, "--help"]) == 0
    commands = capsys.readouterr().out.partition("Commands:\n")[2]
    assert len(commands.splitlines()) > 2
    assert "..." not in commands


def test_help_imports_nothing_heavy() -> None:
    code = "import sys; from renderwright.engine import cli; cli.main(['play', '--help']); print(sorted(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], cwd=REPOSITORY, capture_output=True, text=True, check=True)
    modules = done.stdout.splitlines()[-1]
    for heavy in (
        "'numpy'",
        "'pydantic'",
        "'yaml'",
        "'pyglet'",
        "'vulkan'",
        "'rich'",
        "'PIL'",
        "'moderngl'",
        "'renderwright.render.graph.frame_graph'",
    ):
        assert heavy not in modules


def test_a_source_line_in_an_error_keeps_its_columns(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def play(options: PlayOptions) -> int:
        raise UsageError("wrong field\n    9 | a.b\n      |   ^", hint="correct it")

    _replace_app(monkeypatch, play)
    assert main(["play", "m"]) == 2
    assert capsys.readouterr().err == "error: wrong field\n    9 | a.b\n      |   ^\n  correct it\n"


@pytest.mark.parametrize("command", ["play", "capture"])
def test_queues_that_a_variable_names_wrongly_are_told_with_the_variable(
    command: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RENDERWRIGHT_QUEUES", "foo")
    assert main([command, "marbles"]) == 2
    first, second = capsys.readouterr().err.splitlines()
    assert first == 'error: RENDERWRIGHT_QUEUES: "foo" is not a queue class; known: graphics, compute, copy'
    assert second == "  change that variable, or unset it"


def test_queues_that_an_option_names_wrongly_are_told_with_the_option(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RENDERWRIGHT_QUEUES", "copy")
    assert main(["play", "marbles", "--queues", "foo"]) == 2
    assert "'--queues': \"foo\" is not a queue class" in capsys.readouterr().err
