"""The exit codes of ``renderwright render`` and ``renderwright thumbnails`` where something fails."""

from __future__ import annotations

import os
import resource
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from gltf_builder import GltfBuilder
from patience import PATIENCE

from renderwright.engine.cli import main
from renderwright.engine.farm.store import JOURNAL

pytestmark = pytest.mark.vulkan
COMMAND = [sys.executable, "-m", "renderwright.engine.cli"]
SIZE = ("--size", "64x36")

GAME = """\
import os
from pathlib import Path

from pyglm import glm

from renderwright.engine import Camera, Game, Material, Transform
from renderwright.engine.scene.primitives import box


class Odd(Game):
    skeleton = "forward"
    plugins = ("tonemap",)
    frames = 0

    def setup(self, context):
        context.scene.camera = Camera(glm.vec3(0, 0, 3), glm.vec3(0))
        color = glm.vec3(COLOR, 0.5, 0.5)
        context.scene.spawn(box(1.0), Material(emissive=color), Transform())

    def draw(self, alpha):
        self.frames += 1
        LAST
"""


def odd_game(folder: Path, *, color: str = "1.0", last: str = "pass") -> str:
    """A game with a ``color`` that is an expression, and a statement that each frame ends with."""
    path = folder / "odd.py"
    path.write_text(GAME.replace("COLOR", color).replace("LAST", last))
    return str(path)


ANY = "int.from_bytes(os.urandom(6)) / 2**48"
"""Another number each time."""


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def models(count: int) -> Path:
    """A folder of equal models."""
    folder = Path("models")
    folder.mkdir()
    builder = GltfBuilder()
    builder.mesh(builder.quad())
    builder.save_glb(folder)
    for number in range(count):
        shutil.copy(folder / "model.glb", folder / f"{number:03d}.glb")
    (folder / "model.glb").unlink()
    return folder


# render ---------------------------------------------------------------------------------------------------------------


def test_frames_that_are_not_the_same_again_are_1(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game = odd_game(tmp_path, color=ANY)
    assert main(["render", game, "--frames", "0-2", *SIZE, "--out", "film.mkv", "--verify", "3"]) == 1
    told = capsys.readouterr().err
    assert "error: frame 0 to frame 2 of 3 that were rendered again came out otherwise" in told
    assert not Path("film.mkv").exists()


def test_frames_that_cannot_be_rendered_again_are_1(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    once = "1 / (self.frames < 2 or not Path('played').exists()); self.frames < 2 or Path('played').touch()"
    game = odd_game(tmp_path, last=once)
    assert main(["render", game, "--frames", "0-1", *SIZE, "--out", "%d.png", "--verify", "2"]) == 1
    assert "error: frame 1 could not be rendered again: frame 1 cannot be played: " in capsys.readouterr().err


def test_tiles_of_two_moments_are_1(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game = odd_game(tmp_path, color=ANY)
    poster = ["render", game, "--frame", "1", "--tiles", "2x1", "--size", "128x64", "--out", "poster.png"]
    assert main([*poster, "--verify", "2"]) == 1
    assert "error: tile 1/1 to tile 1/2 of 2 that were rendered again came out otherwise" in capsys.readouterr().err
    tile = next(file for file in Path("poster.png.parts").iterdir() if file.name != JOURNAL)
    tile.unlink()
    assert main(poster) == 1
    told = capsys.readouterr().err
    assert "1 of 2 tiles are there already" in told
    assert "is of another moment than" in told
    assert not Path("poster.png").exists()


@pytest.mark.parametrize("out", ["film.mkv", "frames/%d.png"])
def test_missing_frames_are_3_also_with_verify(tmp_path: Path, out: str, capsys: pytest.CaptureFixture[str]) -> None:
    game = odd_game(tmp_path, last="1 / (self.frames < 3)")
    render = ["render", game, "--frames", "0-3", *SIZE, "--out", out, "--verify", "2"]
    assert main(render) == 3
    told = capsys.readouterr().err
    assert "frame 2 to frame 3 is missing: " in told
    assert "rendered again" not in told
    assert main(render) == 3
    assert "2 of 4 frames are there already" in capsys.readouterr().err


# thumbnails -----------------------------------------------------------------------------------------------------------


def test_a_broken_model_is_3_until_it_is_mended(capsys: pytest.CaptureFixture[str]) -> None:
    folder = models(3)
    whole = (folder / "000.glb").read_bytes()
    broken = {"001.glb": b"", "a.glb": whole[: len(whole) // 2], "b.gltf": b"{}"}
    for name, data in broken.items():
        (folder / name).write_bytes(data)
    thumbnails = ["thumbnails", "models", *SIZE, "--out", "pictures"]
    assert main(thumbnails) == 3
    told = capsys.readouterr().err
    assert all(f"\n{name} is missing: " in told for name in broken)
    assert told.endswith("2 of 5 pictures are in pictures\n")
    assert sorted(file.name for file in Path("pictures").iterdir()) == ["000.glb.png", "002.glb.png", JOURNAL]
    for name in ("001.glb", "a.glb"):
        (folder / name).write_bytes(whole)
    (folder / "b.gltf").unlink()
    assert main(thumbnails) == 0
    assert capsys.readouterr().err.splitlines() == [
        "2 of 4 models are there already",
        "4 of 4 pictures are in pictures",
    ]


def test_no_room_for_pictures_is_2_and_goes_on_with_room(capsys: pytest.CaptureFixture[str]) -> None:
    models(2)
    thumbnails = ["thumbnails", "models", "--size", "640x480", "--out", "pictures"]

    def little_room() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (512, 512))

    done = subprocess.run(
        [*COMMAND, *thumbnails], preexec_fn=little_room, capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    assert done.returncode == 2
    assert done.stderr.splitlines()[0].startswith('error: nothing can be written to "pictures": File too large; ')
    assert [file.name for file in Path("pictures").iterdir()] == [JOURNAL]
    assert main(thumbnails) == 0
    assert capsys.readouterr().err.splitlines() == ["2 of 2 pictures are in pictures"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["models", "--out", "models/000.glb"], "is a file"),
        (["models", "--out", "models/000.glb/pictures"], 'nothing can be written to "models/000.glb/pictures"'),
        (["models/000.glb"], "there is no folder"),
        (["models/none"], "there is no folder"),
        (["models/empty"], "has no models"),
        (["models", "--size", "99999x36"], "cannot have a texture of 99999 x 36 texels"),
    ],
)
def test_folders_that_are_none_and_sizes_without_a_device_are_2(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (models(1) / "empty").mkdir()
    assert main(["thumbnails", *arguments]) == 2
    assert message in capsys.readouterr().err


# Ctrl-C ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
@pytest.mark.parametrize("kind", ["render", "thumbnails"])
def test_a_job_that_is_interrupted_goes_on(
    tmp_path: Path, kind: str, number: signal.Signals, code: int, capsys: pytest.CaptureFixture[str]
) -> None:
    total, out = 12, Path("out")
    if kind == "render":
        game = odd_game(tmp_path, last="__import__('time').sleep(0.0 if Path('quick').exists() else 0.1)")
        arguments, unit = ["render", game, "--frames", "0-11", "--out", "out/%d.png", *SIZE], "frames"
    else:
        models(total)
        arguments, unit = ["thumbnails", "models", "--out", "out", *SIZE], "models"
    journal = out / JOURNAL
    returned, told = interrupted(arguments, number, lambda: journal.exists() and journal.read_text().count("\n") >= 3)
    assert returned == code
    (line,) = [line for line in told.splitlines() if line]
    assert line.endswith(f" of {total} {unit} are whole; the same command goes on from there.")
    whole = int(line.split()[0])
    assert 2 <= whole < total
    Path("quick").touch()
    assert main(arguments) == 0
    assert capsys.readouterr().err.splitlines()[0] == f"{whole} of {total} {unit} are there already"
    assert len(list(out.glob("*.png"))) == total


def interrupted(arguments: list[str], number: signal.Signals, ready: Callable[[], bool]) -> tuple[int, str]:
    """Run a command until it is ready for a signal; returns its exit code, and what it said."""
    job = subprocess.Popen(
        [*COMMAND, *arguments],
        stderr=subprocess.PIPE,
        text=True,
        # A shell's background jobs ignore Ctrl-C, and their children inherit that.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    try:
        until = time.monotonic() + PATIENCE
        while not ready() and job.poll() is None and time.monotonic() < until:
            time.sleep(0.01)
        os.kill(job.pid, number)
        _, told = job.communicate(timeout=PATIENCE)
    finally:
        job.kill()
    return job.returncode, told
