"""``renderwright capture``: files, options, and mistakes that are told."""

from __future__ import annotations

import base64
import json
import zlib
from pathlib import Path

import numpy as np
import pytest

from renderwright.engine.cli import main
from renderwright.engine.farm.texels import png_texels

GAME = """\
from renderwright.engine import Camera, Game, Material
from renderwright.engine.scene.primitives import box


class Small(Game):
    title = "Small"
    max_players = 2
    plugins = ()

    def setup(self, context):
        context.scene.cameras = [Camera() for _ in range(context.players)]
        context.scene.spawn(box(1.0), Material())

    def update(self, dt):
        if {ends}:
            self.context.quit_requested = True
"""


@pytest.fixture
def game(tmp_path: Path) -> str:
    file = tmp_path / "small.py"
    file.write_text(GAME.format(ends=False))
    return str(file)


def capture(*arguments: str) -> int:
    return main(["capture", *arguments, "--size", "48x32", "--no-preferences"])


@pytest.mark.vulkan
def test_a_frame_becomes_a_page_and_a_document(
    game: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    page, document = tmp_path / "a" / "frame.html", tmp_path / "a" / "frame.json"
    assert capture(game, "--frame", "1", "--html", str(page), "--json", str(document), "--views", "2") == 0
    said = capsys.readouterr().err
    assert f"Frame 1 is in {page}" in said
    assert f"Frame 1 is in {document}" in said
    made = json.loads(document.read_text())
    assert (made["schema"], made["frame"]["number"], made["options"]["views"]) == (1, 1, 2)
    assert made["pictures"]
    assert made["times"]["gpu_ms"] is not None
    assert str(tmp_path) not in document.read_text()
    assert page.read_text(encoding="utf-8").startswith("<!doctype html>")
    assert not (tmp_path / "out").exists()


@pytest.mark.vulkan
def test_a_tile_is_that_of_the_screenshot(
    game: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    tiled = ["--size", "256x128", "--tiles", "2x1", "--tile-border", "0", "--no-preferences"]
    assert main(["play", game, *tiled, "--frames", "3", "--screenshot", "whole.png"]) == 0
    assert main(["capture", game, *tiled, "--frame", "2", "--tile", "1", "--json", "tile.json"]) == 0
    assert "Tile 1 of 2x1 of frame 2 is in tile.json" in capsys.readouterr().err
    document = json.loads(Path("tile.json").read_text())
    assert document["options"]["size"] == [256, 128]
    assert (document["options"]["tiles"], document["options"]["tile"]) == ("2x1", 1)
    assert document["times"]["gpu_ms"] is not None
    image = [picture for picture in document["pictures"] if picture["resource"] == "image"][-1]
    planes = np.frombuffer(zlib.decompress(base64.b64decode(image["data"])), np.uint8).reshape(-1, 128, 128)
    whole = png_texels(Path("whole.png").read_bytes())
    assert np.array_equal(np.moveaxis(planes, 0, 2)[..., :3], whole[:, 128:, :3])


def test_a_tile_that_is_not_there_is_told(game: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = str(tmp_path / "tile.html")
    assert capture(game, "--html", file, "--tiles", "2x2", "--tile", "4") == 2
    assert "there is no tile 4: there are 4" in capsys.readouterr().err
    assert capture(game, "--html", file, "--tile", "0") == 2
    assert "give --tiles CxR" in capsys.readouterr().err


@pytest.mark.vulkan
def test_no_frame_is_played_behind_the_captured_one_without_need(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "breaking.py"
    counts = "setattr(self, 'steps', getattr(self, 'steps', 0) + 1) or self.steps > 6"
    file.write_text(
        GAME.format(ends=counts)
        .replace("update(self, dt)", "draw(self, alpha)")
        .replace("self.context.quit_requested = True", "raise OSError")
    )
    assert capture(str(file), "--frame", "4", "--json", str(tmp_path / "frame.json")) == 0
    assert "Frame 4 is in" in capsys.readouterr().err


@pytest.mark.vulkan
def test_a_game_that_ends_before_the_frame_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "short.py"
    file.write_text(GAME.format(ends="self.context.scene.cameras"))
    assert capture(str(file), "--frame", "9", "--html", str(tmp_path / "frame.html")) == 2
    said = capsys.readouterr().err
    assert "frame 9 was not captured: the game ended after" in said
    assert not (tmp_path / "frame.html").exists()


def test_a_capture_needs_a_file(game: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert capture(game) == 2
    assert "--html FILE, --json FILE, or both" in capsys.readouterr().err


@pytest.mark.parametrize(("option", "name"), [("--html", "frame.json"), ("--json", "frame.html")])
def test_a_file_of_the_wrong_kind_is_refused_before_the_game_starts(
    option: str, name: str, game: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert capture(game, option, str(tmp_path / name)) == 2
    assert "give a file name that ends in" in capsys.readouterr().err


def test_a_folder_that_cannot_be_made_is_told(game: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").write_text("")
    assert capture(game, "--html", str(tmp_path / "file" / "frame.html")) == 2
    assert "cannot be saved" in capsys.readouterr().err


def test_a_diff_without_a_file_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = [str(tmp_path / name) for name in ("a.json", "b.json")]
    for file in files:
        Path(file).write_text("{}")
    assert main(["capture", "--diff", *files]) == 2
    assert "a diff needs a file for what it finds: --html FILE, --json FILE, or both" in capsys.readouterr().err
