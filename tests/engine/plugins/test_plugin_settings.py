"""Settings models described for people and changed by text."""

from __future__ import annotations

from enum import StrEnum
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
