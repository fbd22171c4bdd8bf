"""``renderwright play --dump`` from the command line."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import PIL.Image
import pytest

from renderwright.engine.cli import main

pytestmark = pytest.mark.vulkan

PLAY = ["play", "marbles", "--headless", "--size", "32x18", "--frames", "2", "--no-preferences"]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_several_dumps_beside_the_screenshot(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    dumps = ["--dump", "image:files/image.png", "--dump", "ldr@frame=0:ldr.npy", "--dump", "hdr:hdr.exr"]
    assert main([*PLAY, "--screenshot", "last.png", *dumps]) == 0
    assert np.array_equal(PIL.Image.open("files/image.png"), PIL.Image.open("last.png"))
    assert np.load("ldr.npy").shape == (18, 32, 4)
    told = capsys.readouterr().err
    assert '"ldr", frame 0, is in ldr.npy: rgba8_srgb, 18 x 32 x 4 of uint8' in told
    assert '"image", frame 1, is in files/image.png: rgba8_srgb of 32x18: values' in told
    assert '"hdr", frame 1, is in hdr.exr: rgba16_sfloat of 32x18' in told
    assert sorted(file.name for file in folder.rglob("*") if file.is_file()) == [
        "hdr.exr",
        "image.png",
        "last.png",
        "ldr.npy",
    ]


def test_a_frame_that_does_not_come_leaves_the_screenshot(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*PLAY, "--screenshot", "last.png", "--dump", "depth@frame=2:depth.png"]) == 2
    assert "the game ended after 2 frames" in capsys.readouterr().err
    assert Path("last.png").exists()
    assert not Path("depth.png").exists()


def test_a_mistake_ends_the_game_before_its_first_frame(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*PLAY, "--screenshot", "last.png", "--dump", "depht:depth.png"]) == 2
    assert 'did you mean "depth"?' in capsys.readouterr().err
    assert not Path("last.png").exists()
