"""The examples of docs/flat.md work as they stand."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import PIL.Image
import pytest

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
