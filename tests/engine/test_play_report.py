"""The last line of a game that is played without a window says what its picture shows."""

from __future__ import annotations

from pathlib import Path

import pytest

from renderwright.engine.cli import main

PLAY = ["play", "marbles", "--frames", "2", "--size", "32x18", "--no-preferences", "--headless"]
BLACK = "it is black, since the null backend draws nothing: "


@pytest.mark.parametrize("tiles", [[], ["--tiles", "2x1"]])
def test_a_picture_of_the_null_backend_is_said_to_be_black(
    tiles: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    picture = tmp_path / "a.png"
    assert main([*PLAY, *tiles, "--backend", "null", "--screenshot", str(picture)]) == 0
    assert capsys.readouterr().err.splitlines()[-2:] == [
        f"The last of 2 frames is in {picture}",
        f"  {BLACK}leave out --backend null",
    ]


def test_a_null_backend_of_the_environment_is_told_by_its_variable(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RENDERWRIGHT_BACKEND", "null")
    assert main([*PLAY, "--screenshot", str(tmp_path / "a.png")]) == 0
    told = capsys.readouterr().err.splitlines()[-1]
    assert told == f"  {BLACK}unset RENDERWRIGHT_BACKEND, or play with --backend vulkan"


@pytest.mark.vulkan
def test_a_picture_of_a_device_is_not(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    picture = tmp_path / "a.png"
    assert main([*PLAY, "--backend", "vulkan", "--screenshot", str(picture)]) == 0
    assert capsys.readouterr().err.splitlines()[-1] == f"The last of 2 frames is in {picture}"
