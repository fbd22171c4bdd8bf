"""The examples of docs/flat.md work as they stand."""

from __future__ import annotations

import re
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import PIL.Image
import pytest
from playing import frames_of

from renderwright.engine.clock import FixedStepClock
from renderwright.engine.games import find_game
from renderwright.engine.session import Session
from renderwright.render.backend.vulkan.backend import VulkanBackend

PAGE = (Path(__file__).parents[1] / "docs" / "flat.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```python\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)


@pytest.fixture
def sheet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The image of the examples."""
    pixels = np.random.default_rng(1).integers(0, 256, (48, 48, 4), dtype=np.uint8)
    PIL.Image.fromarray(pixels).save(tmp_path / "hero.png")
    monkeypatch.chdir(tmp_path)


@pytest.mark.usefixtures("sheet")
def test_its_examples_run_one_after_the_other() -> None:
    names: dict[str, Any] = {}
    first, crowd, *_ = BLOCKS
    for block in (first, crowd):
        exec(compile(block, "docs/flat.md", "exec"), names)
    drawn = names["scene"].sprites.drawn()
    visible = names["sparks"].visible
    assert len(drawn.rows) == 1 + len("Score10") + visible.sum()
    assert 0 < (~visible).sum() < 100
    assert len(drawn.runs) == 2, "one for the sheet, one for the text"


@pytest.mark.vulkan
def test_its_game_is_played(tmp_path: Path) -> None:
    source = BLOCKS[-1]
    assert len(source.splitlines()) < 60
    path = tmp_path / "catch.py"
    path.write_text(source)
    backend = VulkanBackend(validate=True)
    with closing(backend):
        game = find_game(str(path))
        session = Session(game, backend, (160, 90), clock=FixedStepClock(game.step, frame=1 / 10), strict=True)
        with closing(session):
            pictures = frames_of(session, 30)
            played = session.runner.game
        assert backend.validation_messages == []
    assert played.caught > 0  # type: ignore[attr-defined]
    assert played.score.string == str(played.caught)  # type: ignore[attr-defined]
    background, bowl = pictures[-1][45, 2, :3].astype(int), pictures[-1][84, 80, :3].astype(int)
    assert background[2] > background[0]
    assert bowl[2] > 200 > bowl[0]
    assert not np.array_equal(pictures[-1], pictures[-2])
