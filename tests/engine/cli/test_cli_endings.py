"""How a command ends when its output has no room, nobody reads it, its recording fails, or it is asked to end."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parents[3]
COMMAND = [sys.executable, "-m", "renderwright.engine.cli"]
SMALL = ("play", "marbles", "--headless", "--size", "64x64")

WAITING_GAME = """\
from renderwright.engine import Game

class Waiting(Game):
    skeleton = "forward"

    def update(self, dt):
        print("playing", flush=True)
"""


# Much output fails when it is written, little when the process ends; without a buffer all fails when it is written.
@pytest.mark.parametrize(
    ("arguments", "unbuffered"),
    [(["graph", "marbles"], ""), (["plugins", "list", "--json"], ""), (["--help"], ""), (["--help"], "1")],
)
def test_a_full_standard_output_is_one_message(arguments: list[str], unbuffered: str) -> None:
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [*COMMAND, *arguments],
            cwd=REPOSITORY,
            env={**os.environ, "PYTHONUNBUFFERED": unbuffered},
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert done.returncode == 2
    assert done.stderr.splitlines() == [
        "error: the output cannot be written: No space left on device",
        "  send it to a place with room",
    ]


@pytest.mark.parametrize("arguments", [["graph", "marbles", "--format", "json"], ["--help"]])
def test_a_reader_that_has_ended_is_no_error_to_talk_about(arguments: list[str]) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "wb") as pipe:
        done = subprocess.run([*COMMAND, *arguments], cwd=REPOSITORY, stdout=pipe, stderr=subprocess.PIPE, check=False)
    assert (done.returncode, done.stderr) == (141, b"")


def test_a_full_standard_error_does_not_end_a_game(tmp_path: Path) -> None:
    picture = tmp_path / "picture.png"
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [*COMMAND, *SMALL, "--backend", "null", "--frames", "2", "--screenshot", str(picture)],
            cwd=REPOSITORY,
            stdout=subprocess.PIPE,
            stderr=full,
            check=False,
        )
    assert (done.returncode, done.stdout) == (0, b"")
    assert picture.read_bytes().startswith(b"\x89PNG")


@pytest.mark.vulkan
def test_a_recording_on_a_full_disk_is_told_and_the_game_goes_on(tmp_path: Path) -> None:
    picture = tmp_path / "picture.png"
    done = subprocess.run(
        [*COMMAND, *SMALL, "--frames", "8", "--record", "/dev/full", "--screenshot", str(picture)],
        cwd=REPOSITORY,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert done.stderr.count("warning: the recording ends early") == 1
    assert "error: cannot record to /dev/full: No space left on device" in done.stderr
    assert f"The last of 8 frames is in {picture}" in done.stderr
    assert picture.read_bytes().startswith(b"\x89PNG")


@pytest.mark.vulkan
def test_a_screenshot_without_room_leaves_the_old_picture(tmp_path: Path) -> None:
    picture = tmp_path / "picture.png"
    picture.write_bytes(b"old")

    def little_room() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (256, 256))

    done = subprocess.run(
        [*COMMAND, *SMALL, "--frames", "1", "--screenshot", str(picture)],
        cwd=REPOSITORY,
        preexec_fn=little_room,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert f'error: a picture cannot be saved as "{picture}": File too large' in done.stderr
    assert "Traceback" not in done.stderr
    assert picture.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [picture]


@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 143), (signal.SIGINT, 130)])
def test_a_game_that_is_asked_to_end_ends_in_order(tmp_path: Path, number: signal.Signals, code: int) -> None:
    (tmp_path / "waiting.py").write_text(WAITING_GAME)
    arguments = ["play", f"{tmp_path}/waiting.py:Waiting", "--backend", "null", "--frames", "100000000"]
    game = subprocess.Popen(
        [*COMMAND, *arguments],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # A shell's background jobs ignore Ctrl-C, and their children inherit that.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    assert game.stdout is not None
    assert game.stdout.readline() == "playing\n"
    game.send_signal(number)
    _, errors = game.communicate()
    assert game.returncode == code
    assert "Traceback" not in errors
    assert "error" not in errors
