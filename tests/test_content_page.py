"""The page on content is true: its examples run, and its tables have every field."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, get_args

import pytest
from pydantic import BaseModel, Field

from renderwright.engine import GameContext
from renderwright.engine.scene.figure_content import ClipContent, JointContent, LimbContent, SwingContent
from renderwright.engine.scene.material_content import CoatContent, MaterialContent, VolumeContent
from renderwright.engine.scene.shape_content import Placed, Shape
from renderwright.render.errors import AssetError

PAGE = (Path(__file__).parents[1] / "docs" / "content.md").read_text(encoding="utf-8")
FILES = ("looks.yaml", "column.yaml", "nodding.yaml")
"""The YAML of the page, in its order."""


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("name", ["name", "nam"])
def test_rocks_that_split_into_themselves_are_told(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "rocks.yaml").write_text(f"- {{{name}: stone, radius: 1, splits: {{stone: 2}}}}\n")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(AssetError) as told:
        exec(compile(blocks("python")[0], "docs/content.md", "exec", dont_inherit=True), {"Field": Field, "Path": Path})
    said = {"name": '"stone" splits into itself', "nam": "0.nam: unknown key"}
    assert told.value.message == said[name]
    assert told.value.where is not None
    assert told.value.where.line == 1


def test_its_files_are_what_its_examples_load(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for file, text in zip(FILES, blocks("yaml"), strict=True):
        (tmp_path / file).write_text(text)
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {"Path": Path, "context": GameContext()}
    for block in blocks("python")[1:]:
        exec(compile(block, "docs/content.md", "exec"), names)
    assert list(names["palette"]) == ["brass", "paint", "glass", "floor"]
    assert names["column"].positions[:, 1].max() == pytest.approx(3.0)
    (figure,) = names["context"].scene.entities
    assert figure.material == names["palette"]["brass"]


def test_its_tables_have_every_field() -> None:
    models: list[type[BaseModel]] = [MaterialContent, VolumeContent, CoatContent, Placed]
    models += [JointContent, LimbContent, ClipContent, SwingContent]
    for model in models:
        for name in model.model_fields:
            assert f"`{name}`" in PAGE, f"{model.__name__}.{name}"
    for kind in get_args(get_args(Shape)[0]):
        fields = {name: field.default for name, field in kind.model_fields.items() if name not in Placed.model_fields}
        (shape,) = get_args(kind.model_fields["shape"].annotation)
        (row,) = [line for line in PAGE.splitlines() if line.startswith(f"| `{shape}` |")]
        for name, default in fields.items():
            if name != "shape":
                told = f"`{name}`" if kind.model_fields[name].is_required() else f"`{name}` ({default:g})"
                assert told in row
