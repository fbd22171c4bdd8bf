"""Content of games as data: what is read, and how mistakes are told."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import pytest
from pydantic import Field, model_validator

from renderwright.engine.content import Content, ContentModel, load_content, parse_content
from renderwright.render.errors import AssetError


class Round(ContentModel):
    shape: Literal["round"]
    radius: Annotated[float, Field(gt=0.0)]


class Square(ContentModel):
    shape: Literal["square"]
    side: float


class Rock(ContentModel):
    name: str
    form: Annotated[Round | Square, Field(discriminator="shape")]
    splits: dict[str, int] = Field(default_factory=dict)


class Ground(ContentModel):
    width: float
    rocks: tuple[Rock, ...] = ()
    best: Rock | None = None

    @model_validator(mode="after")
    def _has_space(self) -> Ground:
        if self.width < 1.0:
            raise ValueError("nothing fits in")
        return self


GOOD = """width: 3
rocks:
  - {name: stone, form: {shape: round, radius: 0.5}, splits: {shard: 2}}
  - name: slab
    form:
      shape: square
      side: 2
"""


def read(text: str) -> Content[Ground]:
    return parse_content(text, "field.yaml", Ground, "field")


def test_a_file_is_a_value_and_its_places(tmp_path: Path) -> None:
    file = tmp_path / "field.yaml"
    file.write_text(GOOD)
    content = load_content(file, Ground)
    assert [rock.name for rock in content.value.rocks] == ["stone", "slab"]
    assert isinstance(content.value.rocks[1].form, Square)
    assert content.text == GOOD
    error = content.error("too large", "make it smaller", ("rocks", 1, "form", "side"))
    assert error.where is not None
    assert (error.where.file, error.where.line, error.where.column) == (str(file), 7, 13)
    assert content.error("why", "", ("rocks", 1, "form"), key=True).where.line == 5  # type: ignore[union-attr]


def test_a_tuple_of_models_is_content_as_well() -> None:
    value = parse_content("- {shape: round, radius: 1}\n- {shape: round, radius: 2}\n", "a", tuple[Round, ...]).value
    assert [each.radius for each in value] == [1.0, 2.0]


@pytest.mark.parametrize(
    ("old", "new", "message", "place", "hint"),
    [
        ("width: 3", "widht: 3", "widht: unknown key", "1:1", 'did you mean "width"?'),
        ("name: slab", "nam: slab", "rocks.1.nam: unknown key", "4:5", 'did you mean "name"?'),
        ("side: 2", "sid: 2", "rocks.1.form.sid: unknown key", "7:7", 'did you mean "side"?'),
        ("width: 3", "", "width is missing", "2:1", 'add "width"; known: width, rocks, best'),
        ("radius: 0.5", "radius: -1", "rocks.0.form.radius: Input should be greater", "3:48", "the value is -1"),
        ("width: 3", "width: 0.5", "the field: nothing fits in", "1:1", "the value is"),
        ("width: 3", "width: .inf", "width: Input should be a finite number", "1:8", "inf"),
        ("{shape: round, radius: 0.5}", "7", "rocks.0.form", "3:25", "shape, radius, side"),
        ("{shard: 2}", "{shard: x}", "rocks.0.splits.shard", "3:70", "'x'"),
        ("width: 3", "width: [", "expected", "3:", "the field is plain YAML"),
        ("width: 3", "width: 3\nwidth: 4", "duplicate key", "2:1", "the field is plain YAML"),
    ],
)
def test_mistakes_are_told_with_their_place(old: str, new: str, message: str, place: str, hint: str) -> None:
    assert old in GOOD
    with pytest.raises(AssetError) as told:
        read(GOOD.replace(old, new, 1))
    assert message in told.value.message
    assert str(told.value.where).startswith(f"field.yaml:{place}")
    assert hint in (told.value.hint or "")


def test_a_list_is_no_mapping() -> None:
    with pytest.raises(AssetError, match="the field is no mapping") as told:
        read("- 1\n")
    assert told.value.hint == "known keys: width, rocks, best"


def test_a_file_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    with pytest.raises(AssetError, match="cannot read the field"):
        load_content(tmp_path / "absent.yaml", Ground, "field")
    (tmp_path / "large.yaml").write_text(GOOD)
    with pytest.raises(AssetError, match="cannot read the file"):
        load_content(tmp_path / "large.yaml", Ground, max_bytes=10)
