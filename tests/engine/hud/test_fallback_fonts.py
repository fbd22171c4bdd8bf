"""Text in scripts that the embedded font lacks. The tests need DejaVu Sans: sudo apt install fonts-dejavu-core."""

from __future__ import annotations

import logging
import shutil
from pathlib import Path

import numpy as np
import pytest

from renderwright.engine.game import Game
from renderwright.engine.games import find_game, font_files
from renderwright.engine.hud import Hud, default_atlas
from renderwright.engine.hud.fallback import FallbackFonts, Run
from renderwright.engine.hud.layout import PAGE_U
from renderwright.engine.hud.system_fonts import system_font
from renderwright.render.errors import AssetError, UsageError

FACE = default_atlas().face(20)


@pytest.fixture(scope="module")
def dejavu() -> Path:
    file = system_font("Щ")
    assert file is not None, "no font of this system has Cyrillic letters: sudo apt install fonts-dejavu-core"
    return file


def fonts_of(*files: Path, strict: bool = False) -> FallbackFonts:
    return FallbackFonts(files, strict=strict, find=lambda character: None)


def test_the_embedded_font_writes_what_it_can(dejavu: Path) -> None:
    pieces = fonts_of(dejavu).pieces("Hi, Привет → 5", FACE)
    assert [piece if isinstance(piece, str) else "run" for piece in pieces] == ["Hi,", " ", "run", " ", "→", " ", "5"]


def test_a_word_is_of_one_font(dejavu: Path) -> None:
    (run,) = fonts_of(dejavu).pieces("Grüße", FACE)
    assert isinstance(run, Run)
    assert run.coverage.shape[1] == pytest.approx(run.advance, abs=3)
    assert run.coverage.max() == 255


def test_a_line_from_right_to_left_is_one_run(dejavu: Path) -> None:
    (run,) = fonts_of(dejavu).pieces("שלום עולם 12", FACE)
    assert isinstance(run, Run)


def test_a_decomposed_letter_is_the_composed_one(dejavu: Path) -> None:
    fonts = fonts_of(dejavu)
    (composed,), (decomposed,) = fonts.pieces("\u00e9", FACE), fonts.pieces("e\u0301", FACE)
    assert isinstance(composed, Run)
    assert isinstance(decomposed, Run)
    assert np.array_equal(composed.coverage, decomposed.coverage)


def test_control_characters_leave_no_mark() -> None:
    assert "".join(str(piece) for piece in fonts_of().pieces("a\tb\u200bc\x07", FACE)) == "a bc"


def test_a_missing_character_is_reported_once_at_the_games_line(caplog: pytest.LogCaptureFixture) -> None:
    hud = Hud(1280, 720, fonts=fonts_of())
    with caplog.at_level(logging.WARNING, "renderwright.hud"):
        for frame in range(3):
            hud.clear()
            hud.text(0, 0, f"日本 {frame}")
    (record,) = caplog.records
    message = record.getMessage()
    assert 'no font has "日" (U+65E5), "本" (U+672C): the HUD shows "?"' in message
    assert message.startswith(f"{__file__}:")
    assert "Game.fonts" in message
    with pytest.raises(UsageError, match="no font has"):
        Hud(1280, 720, fonts=fonts_of(strict=True)).text(0, 0, "日本")


def test_the_systems_fonts_are_searched_after_the_games(dejavu: Path) -> None:
    asked = []

    def find(character: str) -> Path:
        asked.append(character)
        return dejavu

    fonts = FallbackFonts((), find=find)
    assert isinstance(fonts.pieces("Привет", FACE)[0], Run)
    assert isinstance(fonts.pieces("снова", FACE)[0], Run)
    assert asked == ["П"]


def test_runs_are_drawn_from_the_page(dejavu: Path) -> None:
    hud = Hud(1280, 720, fonts=fonts_of(dejavu))
    hud.text(100, 50, "Да", 20, shadow=False)
    vertices = hud.vertices()
    assert len(vertices) == 6
    (u0, v0), (u1, v1) = vertices[:, 2:4].min(axis=0), vertices[:, 2:4].max(axis=0)
    (run,) = hud.fonts.pieces("Да", FACE)
    assert isinstance(run, Run)
    texels = hud.page.pixels[int(v0) : int(v1), int(u0 - PAGE_U) : int(u1 - PAGE_U)]
    assert np.array_equal(texels[..., 3], run.coverage)
    assert hud.measure("Да", 20)[0] == pytest.approx(run.advance)


def test_a_game_names_its_fonts_relative_to_its_file(dejavu: Path, tmp_path: Path) -> None:
    shutil.copy(dejavu, tmp_path / "own.ttf")
    source = "from renderwright.engine.game import Game\n\nclass Written(Game):\n    fonts = ('own.ttf',)\n"
    (tmp_path / "written_game.py").write_text(source)
    assert font_files(find_game(f"{tmp_path}/written_game.py")) == (tmp_path / "own.ttf",)

    class Missing(Game):
        fonts = ("absent.ttf",)

    with pytest.raises(UsageError, match=r"absent\.ttf.* does not exist"):
        font_files(Missing)
    (tmp_path / "bad.ttf").write_text("no font")
    with pytest.raises(AssetError, match=r"bad\.ttf cannot be used"):
        fonts_of(tmp_path / "bad.ttf")
