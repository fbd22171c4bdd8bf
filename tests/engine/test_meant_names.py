"""Attributes that do not exist, and calls of the API with keyword arguments that it does not have."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import dataclass

import pytest

from renderwright.engine.meant_names import meant_name
from renderwright.engine.plugins.reasons import reason_of
from renderwright.engine.renderer.lights.clusters import request_lights
from renderwright.render import Registry, Texture


@pytest.mark.parametrize(
    ("call", "hint"),
    [
        (lambda reg: reg.read("x").sampled(filtr="nearest"), 'did you mean "filter"?'),
        (lambda reg: reg.read("x").sampled(mood=1), "known: address, filter, stage"),
        (lambda reg: reg.create("x", Texture("r8_unorm", (1, 1)), tpye=int), "known: desc, name"),
        (lambda reg: Texture("r8_unorm", (1, 1), layer=2), 'did you mean "layers"?'),
        (lambda reg: request_lights(reg, regg=reg), 'did you mean "reg"?'),
    ],
)
def test_the_reason_names_the_argument_that_is_nearest(call: Callable[[Registry], object], hint: str) -> None:
    with pytest.raises(TypeError) as caught:
        call(Registry("fx/node", "fx"))
    assert reason_of(caught.value).endswith(f"\n  {hint}")


def test_the_reason_suggests_no_argument_for_functions_of_others() -> None:
    def sampled(filter: str) -> None:
        """Not of the API."""

    with pytest.raises(TypeError) as caught:
        sampled(filtr="nearest")
    assert reason_of(caught.value).endswith("got an unexpected keyword argument 'filtr'")


@pytest.mark.parametrize(
    ("module", "meant"),
    [
        ("renderwright.engine.blobs", "renderwright.engine.renderer.blobs"),
        ("renderwright.engine.renderer.blob", "renderwright.engine.renderer.blobs"),
        ("renderwright.render.regstry", "renderwright.render.graph.registry"),
    ],
)
def test_the_reason_names_the_module_that_is_meant(module: str, meant: str) -> None:
    with pytest.raises(ModuleNotFoundError) as caught:
        importlib.import_module(module)
    assert reason_of(caught.value).endswith(f'\n  did you mean "{meant}"?')


def test_a_module_of_others_is_to_be_installed() -> None:
    with pytest.raises(ModuleNotFoundError) as caught:
        importlib.import_module("fogmath_of_others")
    assert reason_of(caught.value).endswith(
        '\n  install "fogmath_of_others", or reinstall the package that brings the plugin'
    )


@dataclass
class Tank:
    armour: float = 1.0

    def __post_init__(self) -> None:
        self.turret = 2.0


@pytest.mark.parametrize(("name", "hint"), [("armor", "armour"), ("turet", "turret")])
def test_the_reason_names_the_attribute_that_is_nearest(name: str, hint: str) -> None:
    with pytest.raises(AttributeError) as caught:
        getattr(Tank(), name)
    assert reason_of(caught.value).endswith(f'\n  did you mean "{hint}"?')
    assert meant_name(caught.value) == f'did you mean "{hint}"?'


@pytest.mark.parametrize(("owner", "name"), [(None, "turret"), (Tank(), "zzz")])
def test_the_reason_suggests_no_attribute_where_none_is_near(owner: object, name: str) -> None:
    with pytest.raises(AttributeError) as caught:
        getattr(owner, name)
    assert meant_name(caught.value) == ""


def test_an_object_that_does_not_tell_its_attributes_has_those_of_its_type() -> None:
    class Shy(Tank):
        def __dir__(self) -> list[str]:
            raise KeyError("no")

    with pytest.raises(AttributeError) as caught:
        getattr(Shy(), "armor")  # noqa: B009
    assert meant_name(caught.value) == 'did you mean "armour"?'
