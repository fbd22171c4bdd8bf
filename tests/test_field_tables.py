"""The tables of fields in the pages on scenes and games have the names and defaults of the code."""

from __future__ import annotations

import inspect
import math
from pathlib import Path

import pytest
from pyglm import glm

from renderwright.engine.game import Hud
from renderwright.engine.scene import (
    Camera,
    DirectionalLight,
    Environment,
    Material,
    Panorama,
    PointLight,
    Probe,
    RectangleLight,
    Sky,
    SpotLight,
)

DOCS = Path(__file__).parents[1] / "docs"
CLASSES = (Camera, DirectionalLight, PointLight, SpotLight, RectangleLight, Sky, Environment, Probe, Material)
NEEDED = {Environment: (Panorama.of_sky(Sky(), 2),), Probe: ((0, 0, 0), (1, 1, 1))}
"""What a class cannot be made without."""
REQUIRED = object()


def rows_of(text: str) -> list[list[str]]:
    """The cells of the first table, without its head."""
    lines = text[text.index("\n|") + 1 :].split("\n\n")[0].splitlines()
    return [[cell.strip() for cell in line.strip().strip("|").split("|")] for line in lines[2:]]


def default_of(cell: str) -> object:
    return eval(cell.strip("`"), {"glm": glm, "math": math}) if cell else REQUIRED


@pytest.mark.parametrize("cls", CLASSES, ids=lambda cls: cls.__name__)
def test_fields_of_a_class(cls: type) -> None:
    page = (DOCS / "scenes.md").read_text(encoding="utf-8")
    told = {row[0].strip("`"): default_of(row[1]) for row in rows_of(page.split(f"\n### {cls.__name__}\n")[1])}
    parameters = inspect.signature(cls).parameters
    assert list(told) == list(parameters)
    optional = [name for name, parameter in parameters.items() if parameter.default is not parameter.empty]
    assert [name for name, default in told.items() if default is not REQUIRED] == optional
    made = cls(*NEEDED.get(cls, ()))
    for name in optional:
        default = parameters[name].default
        assert told[name] == (default if cls is Probe else getattr(made, name)), name


def test_calls_of_the_hud() -> None:
    page = (DOCS / "writing-games.md").read_text(encoding="utf-8")
    told: dict[str, dict[str, object]] = {}
    for call, argument, default, *_ in rows_of(page.split("\n## The HUD\n")[1]):
        if call:
            told[call.strip("`")] = {}
        told[list(told)[-1]][argument.strip("`")] = default_of(default)
    for call, arguments in told.items():
        parameters = list(inspect.signature(getattr(Hud, call)).parameters.values())[1:]
        assert arguments == {one.name: REQUIRED if one.default is one.empty else one.default for one in parameters}, (
            call
        )
    methods = [name for name, value in vars(Hud).items() if inspect.isfunction(value) and not name.startswith("_")]
    assert list(told) == methods
