"""``renderwright render`` and ``renderwright thumbnails``, as they are typed."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import PIL.Image
import pytest

from renderwright.engine.cli import main
from renderwright.engine.farm import Farm, output
from renderwright.engine.farm.film import film_frames
from renderwright.engine.farm.report import Event
from renderwright.engine.farm.store import JOURNAL
from renderwright.engine.farm.work import Piece
from renderwright.render.errors import BackendError

pytestmark = pytest.mark.vulkan
SIZE = ("--size", "64x36")


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def digest(path: str) -> str:
    return hashlib.sha256(Path(path).read_bytes()).hexdigest()


def texels(path: str) -> np.ndarray:
    return np.asarray(PIL.Image.open(path).convert("RGB"))


def failing(tmp_path: Path) -> str:
    """A game that breaks in frame 2."""
    path = tmp_path / "failing.py"
    path.write_text(
        "from renderwright.engine import Game\n\n\n"
        "class Failing(Game):\n    skeleton = 'forward'\n    plugins = ()\n    frames = 0\n\n"
        "    def draw(self, alpha):\n        self.frames += 1\n        1 / (self.frames < 3)\n"
    )
    return str(path)


def test_frames_have_a_file_each(game: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["render", game, "--frames", "2-4", *SIZE, "--out", "frames/%03d.png", "--verify", "2"]) == 0
    assert sorted(file.name for file in Path("frames").iterdir()) == ["002.png", "003.png", "004.png", JOURNAL]
    told = capsys.readouterr().err.splitlines()
    assert told[0].endswith("came out alike when rendered again")
    assert told[1:] == ["3 frames are in frames/%03d.png"]


def test_frames_that_are_whole_are_not_rendered_again(game: str, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["render", game, *SIZE, "--out", "frames/%03d.png", "--frames"]
    assert main([*arguments, "0-1"]) == 0
    written = Path("frames/001.png").stat().st_mtime_ns
    Path("frames/000.png").write_bytes(b"")
    capsys.readouterr()
    assert main([*arguments, "0-2"]) == 0
    assert capsys.readouterr().err.splitlines() == [
        "1 of 3 frames are there already",
        "3 frames are in frames/%03d.png",
    ]
    assert Path("frames/001.png").stat().st_mtime_ns == written
    assert texels("frames/000.png").shape == (36, 64, 3)


def test_another_size_does_not_mix_with_the_frames_there(game: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["render", game, "--frame", "0", "--out", "frames/%d.png", *SIZE]) == 0
    assert main(["render", game, "--frame", "0", "--out", "frames/%d.png", "--size", "32x18"]) == 2
    assert "size was 64x36, and is 32x18" in capsys.readouterr().err
    assert main(["render", game, "--frame", "0", "--out", "frames/%d.png", "--size", "32x18", "--anew"]) == 0
    assert texels("frames/0.png").shape == (18, 32, 3)


def test_a_lossless_film_has_the_frames(game: str, replay: Path) -> None:
    assert main(["render", game, "--replay", str(replay), *SIZE, "--out", "film.mkv"]) == 0
    assert main(["render", game, "--replay", str(replay), *SIZE, "--out", "frames/%d.png"]) == 0
    frames = list(film_frames(Path("film.mkv")))
    assert len(frames) == 9
    for number, frame in enumerate(frames):
        np.testing.assert_array_equal(frame, texels(f"frames/{number}.png"))
    assert not Path("film.mkv.parts").exists()


def test_a_film_is_the_same_file_again(game: str) -> None:
    for name in ("one.mp4", "two.mp4"):
        assert main(["render", game, "--frames", "0-3", *SIZE, "--out", name]) == 0
    assert digest("one.mp4") == digest("two.mp4")


def test_a_poster_is_the_tiled_screenshot_of_play(game: str) -> None:
    tiles = ("--tiles", "2x2", "--tile-border", "16", "--size", "192x128")
    assert main(["render", game, "--frame", "3", *tiles, "--out", "poster.png"]) == 0
    play = ["play", game, "--headless", "--no-preferences", "--frames", "4", *tiles, "--screenshot", "played.png"]
    assert main(play) == 0
    assert digest("poster.png") == digest("played.png")


def test_tiles_that_are_whole_are_not_rendered_again(
    game: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(*arguments: object) -> None:
        raise KeyboardInterrupt

    poster = ["render", game, "--frame", "1", "--tiles", "2x1", "--size", "128x64", "--out", "poster.png"]
    with monkeypatch.context() as patched:
        patched.setattr(output, "write_poster", interrupt)
        assert main(poster) == 130
    capsys.readouterr()
    assert main(poster) == 0
    assert capsys.readouterr().err.splitlines() == ["2 of 2 tiles are there already", "2 tiles are in poster.png"]
    before = digest("poster.png")
    assert not Path("poster.png.parts").exists()
    assert main(poster) == 0
    assert digest("poster.png") == before


def test_one_frame_is_a_picture(game: str) -> None:
    assert main(["render", game, "--frame", "2", *SIZE, "--out", "one.png"]) == 0
    assert texels("one.png").shape == (36, 64, 3)
    assert sorted(file.name for file in Path().iterdir() if file.suffix in (".png", ".parts")) == ["one.png"]


def test_missing_frames_are_named_and_the_rest_is_kept(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["render", failing(tmp_path), "--frames", "0-3", *SIZE, "--out", "film.mp4"]) == 3
    told = capsys.readouterr().err
    assert told.count("frame 2 cannot be played") == 4  # three tries and the verdict
    assert "frame 2 to frame 3 is missing: frame 2 cannot be played: " in told
    assert "failing.py:11: ZeroDivisionError" in told
    assert told.splitlines()[-1] == (
        "film.mp4 is incomplete; what is whole is in film.mp4.parts. The same command tries the rest again."
    )
    assert not Path("film.mp4").exists()
    assert Path("film.mp4.parts/00001.png").exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--out", "film.avi", "--frames", "0-1"], 'nothing can be rendered to "film.avi"'),
        (["--out", "one.png", "--frames", "0-1"], '2 frames cannot be saved as "one.png"'),
        (["--out", "%s.png", "--frames", "0-1"], '"%s.png" is no name for frames'),
        (["--out", "film.mp4", "--frames", "0-1", "--size", "63x36"], "its codec halves the colours' size"),
        (["--out", "%d.exr", "--frames", "0-1"], "files .exr have a resource of the frame"),
        (["--out", "%d.png", "--frames", "0-1", "--resource", "depth"], '"depth" cannot be saved as'),
        (["--out", "%d.png", "--frames", "3-1"], '"3-1" is not a range of frames'),
        (["--out", "%d.png"], "which frames to render is not known"),
        (["--out", "%d.png", "--frames", "0-1", "--tiles", "2x2"], "tiles are of one frame"),
        (["--out", "%d.png", "--frame", "0", "--enable", "blom"], 'unknown plugin "blom"'),
        (["--out", "%d.png", "--frame", "0", "--scheduler", "tcp://127.0.0.1:1"], "cannot be reached"),
    ],
)
def test_wrong_use_is_one_message(
    game: str, arguments: list[str], message: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("renderwright.engine.farm.dask_crew.CONNECT_SECONDS", 0.5)
    assert main(["render", game, *arguments]) == 2
    assert message in capsys.readouterr().err


def test_what_happened_is_told_also_if_the_job_ends_early(
    game: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def run(farm: Farm, work: object, numbers: object) -> Iterator[Piece]:
        farm.report.events.append(Event("somebody", (0,), "it died"))
        raise BackendError("there has been no worker for 120 seconds")
        yield

    monkeypatch.setattr(Farm, "run", run)
    assert main(["render", game, "--frames", "0-1", *SIZE, "--out", "%d.png"]) == 2
    told = capsys.readouterr().err
    assert "somebody  frame 0  it died" in told
    assert told.index("it died") < told.index("error: there has been no worker")
