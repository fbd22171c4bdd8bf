"""Calls of the API with keyword arguments that it does not have."""

from __future__ import annotations

from collections.abc import Callable

import pytest

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
