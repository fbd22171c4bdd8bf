"""Settings models described for people and changed by text."""

from __future__ import annotations

from enum import Enum, IntEnum, StrEnum
from typing import Literal

import pytest
from pydantic import BaseModel, Field, computed_field

from renderwright.engine.plugins.settings import changed_settings, describe_settings
from renderwright.render.errors import UsageError


class Quality(StrEnum):
    LOW = "low"
    HIGH = "high"


class FogSettings(BaseModel):
    density: float = Field(0.1, ge=0, le=2, description="How thick the fog is.")
    steps: int = Field(8, ge=1)
    color: tuple[float, float, float] = (0.5, 0.6, 0.7)
    mode: Literal["linear", "exp"] = "exp"
    quality: Quality = Quality.HIGH
    animated: bool = True
    falloff: float = Field(0.5, gt=0, le=1)
    height: float = Field(2.0, gt=0)
    share: float = Field(0.0, ge=0, lt=1)
    names: tuple[str, ...] = ("near", "far")
    tint: tuple[float, float] | None = None


def test_every_key_is_described_with_its_range_and_default() -> None:
    described = {setting.key: setting for setting in describe_settings(FogSettings)}
    assert list(described)[:6] == ["density", "steps", "color", "mode", "quality", "animated"]
    assert str(described["density"]) == "density: number, 0 to 2, default 0.1"
    assert str(described["steps"]) == "steps: integer, 1 or more, default 8"
    assert str(described["falloff"]) == "falloff: number, above 0, 1 or less, default 0.5"
    assert str(described["height"]) == "height: number, above 0, default 2"
    assert str(described["share"]) == "share: number, 0 or more, below 1, default 0"
    assert str(described["color"]) == "color: array of 3 numbers, default 0.5,0.6,0.7"
    assert described["mode"].choices == ("linear", "exp")
    assert described["quality"].choices == ("low", "high")
    assert described["density"].description == "How thick the fog is."


@pytest.mark.parametrize(
    ("key", "text", "value"),
    [
        ("density", "0.5", 0.5),
        ("density", "1e-1", 0.1),
        ("steps", "4", 4),
        ("color", "[1, 0, 0.25]", (1.0, 0.0, 0.25)),
        ("color", "1,0,0.25", (1.0, 0.0, 0.25)),
        ("color", "1, 0, 1e-1", (1.0, 0.0, 0.1)),
        ("names", "on,off", ("on", "off")),
        ("names", "", ()),
        ("tint", "1,2", (1.0, 2.0)),
        ("mode", "linear", "linear"),
        ("quality", "low", Quality.LOW),
        ("animated", "false", False),
    ],
)
def test_text_is_converted_to_the_type_of_the_field(key: str, text: str, value: object) -> None:
    before = FogSettings()
    after = changed_settings("fog", before, key, text)
    assert getattr(after, key) == value
    assert before == FogSettings()


def test_an_unknown_key_lists_the_nearest_and_all_others() -> None:
    with pytest.raises(UsageError) as caught:
        changed_settings("fog", FogSettings(), "densty", "1")
    assert caught.value.message == 'plugin "fog" has no setting "densty"'
    assert 'did you mean "density"?' in caught.value.hint
    assert "steps: integer, 1 or more" in caught.value.hint


@pytest.mark.parametrize(
    ("key", "text"), [("density", "3"), ("density", "thick"), ("mode", "cubic"), ("color", "[1]"), ("color", "1,2")]
)
def test_a_refused_value_names_the_setting_and_says_what_is_allowed(key: str, text: str) -> None:
    with pytest.raises(UsageError, match=rf"fog\.{key} cannot be '") as caught:
        changed_settings("fog", FogSettings(), key, text)
    assert caught.value.hint.startswith(f"{key}: ")


def test_a_plugin_without_settings_takes_none() -> None:
    with pytest.raises(UsageError, match='plugin "fog" has no settings'):
        changed_settings("fog", None, "density", "1")


@pytest.mark.parametrize(
    ("key", "text", "reason"),
    [
        ("color", "1,2", "it has 2 items, not 3"),
        ("color", "1,2,3,4", "it has 4 items, not 3"),
        ("tint", "[1]", "it has 1 item, not 2"),
    ],
)
def test_an_array_of_another_length_is_told_its_length(key: str, text: str, reason: str) -> None:
    with pytest.raises(UsageError) as caught:
        changed_settings("fog", FogSettings(), key, text)
    assert caught.value.message == f"fog.{key} cannot be '{text}': {reason}"
    assert caught.value.hint.startswith(f"{key}: array of ")


def test_an_array_of_any_length_tells_none() -> None:
    (names,) = [setting for setting in describe_settings(FogSettings) if setting.key == "names"]
    assert str(names).startswith("names: array of strings, ")


def test_the_items_of_an_array_have_their_type() -> None:
    class Colored(BaseModel):
        color: tuple[float, float, float] = (1.0, 0.2, 0.1)
        names: list[str] = []
        maybe: tuple[int, int] | None = None
        mixed: tuple[int, str] = (1, "a")

    assert [str(setting).partition(",")[0] for setting in describe_settings(Colored)] == [
        "color: array of 3 numbers",
        "names: array of strings",
        "maybe: array of 2 integers",
        "mixed: array of 2",
    ]


class StrictSettings(BaseModel, extra="forbid"):
    """Takes no field that it does not declare, and has a value that is computed from one that it does."""

    half_life: float = Field(0.5, gt=0)

    @computed_field  # type: ignore[prop-decorator]
    @property
    def rate(self) -> float:
        return 1.0 / self.half_life


def test_settings_that_forbid_other_fields_are_changed() -> None:
    assert changed_settings("glow", StrictSettings(), "half_life", "0.25").model_dump()["rate"] == 4.0
    with pytest.raises(UsageError, match='plugin "glow" has no setting "halflife"'):
        changed_settings("glow", StrictSettings(), "halflife", "0.25")


class Part(Enum):
    WHOLE = 1.0
    HALF = 0.5


class Steps(IntEnum):
    FEW = 4
    MANY = 16


Samples = Literal[1, 2, 4]


class ChosenSettings(BaseModel):
    """Values of which text is none."""

    scale: Literal[1.0, 0.5, 0.25] = 1.0
    samples: Samples = 1
    part: Part = Part.WHOLE
    steps: Steps = Steps.FEW
    debug: Literal[False, "depth"] = False
    limit: float | None = 1.0
    maybe: Part | None = Part.WHOLE
    corner: tuple[float, float] | None = (0.0, 0.0)
    mips: tuple[Literal[1, 2, 4], ...] = (1,)
    label: str | None = None
    digits: Literal["1", "2"] = "1"


@pytest.mark.parametrize(
    ("key", "text", "value"),
    [
        ("scale", "0.25", 0.25),
        ("scale", "1", 1.0),
        ("samples", "4", 4),
        ("part", "0.5", Part.HALF),
        ("part", "HALF", Part.HALF),
        ("steps", "16", Steps.MANY),
        ("steps", "MANY", Steps.MANY),
        ("debug", "false", False),
        ("debug", "depth", "depth"),
        ("limit", "2", 2.0),
        ("limit", "none", None),
        ("limit", "None", None),
        ("maybe", "none", None),
        ("maybe", "0.5", Part.HALF),
        ("corner", "none", None),
        ("corner", "1,2", (1.0, 2.0)),
        ("mips", "1, 4", (1, 4)),
        ("label", "none", "none"),
        ("digits", "2", "2"),
    ],
)
def test_text_is_converted_to_the_allowed_value_that_it_names(key: str, text: str, value: object) -> None:
    before = ChosenSettings(debug="depth")
    after = getattr(changed_settings("ghosts", before, key, text), key)
    assert after == value
    assert type(after) is type(value)


@pytest.mark.parametrize(
    ("key", "text"), [("scale", "0.3"), ("samples", "none"), ("part", "THIRD"), ("debug", "0"), ("mips", "1,3")]
)
def test_text_that_names_no_allowed_value_is_refused(key: str, text: str) -> None:
    with pytest.raises(UsageError, match=rf"ghosts\.{key} cannot be '{text}': ") as caught:
        changed_settings("ghosts", ChosenSettings(), key, text)
    assert caught.value.hint.startswith(f"{key}: ")


def test_values_that_are_typed_are_set_as_they_are() -> None:
    settings = changed_settings("ghosts", ChosenSettings(), "scale", 0.25)
    settings = changed_settings("ghosts", settings, "part", Part.HALF)
    settings = changed_settings("ghosts", settings, "limit", None)
    assert settings == ChosenSettings(scale=0.25, part=Part.HALF, limit=None)


def test_a_default_of_none_is_described_as_the_text_that_sets_it() -> None:
    class Limited(BaseModel):
        limit: float | None = None

    (limit,) = describe_settings(Limited)
    assert str(limit).endswith("default none")


def test_a_type_that_may_be_none_is_described_with_its_range() -> None:
    class Limited(BaseModel):
        limit: float | None = Field(None, ge=0.0)
        count: int | None = 3
        name: str | None = None
        either: int | str | None = None

    assert [str(setting) for setting in describe_settings(Limited)] == [
        "limit: number or none, 0 or more, default none",
        "count: integer or none, default 3",
        "name: string or none, default none",
        "either: value, default none",
    ]
