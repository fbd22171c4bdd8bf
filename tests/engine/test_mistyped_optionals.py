"""A plugin whose optional request mistypes a name is told the one that is meant."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from renderwright.engine.options import PlanOptions, PluginChoice
from renderwright.engine.plan_review import findings
from renderwright.engine.planning import plan_of

Install = Callable[[Callable[[Any], object]], None]


def reads(name: str, binding: str = "", otherwise: float | None = None) -> Callable[[Any], object]:
    def declare(reg: Any) -> object:
        reg.chain("post_hdr")
        request = reg.read(name).sampled().optional(otherwise)
        if binding:
            request.bind(binding)
        pipeline = reg.graphics("look.frag")
        return lambda cmd: cmd.draw(pipeline)

    return declare


def told(enable: tuple[str, ...] = ("extra",)) -> list[str]:
    plan = plan_of(PlanOptions("marbles", plugins=PluginChoice(enable=enable)))
    return [finding.message for finding in findings(plan, ())]


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("dpeth", "depth"),
        ("depht", "depth"),
        ("sun_visibilty", "sun_visibility"),
        ("albeod", "albedo"),
        ("norml", "normal"),
    ],
)
def test_a_mistyped_optional_request_is_told_with_the_name_that_is_meant(
    name: str, meant: str, install: Install
) -> None:
    install(reads(name))
    assert told() == [
        f'plugin "extra": `extra/node` requests `{name}` as optional, which nobody creates; did you mean `{meant}`?'
    ]


def test_a_value_in_place_of_what_is_absent_hides_no_mistake(install: Install) -> None:
    install(reads("sun_visibilty", otherwise=1.0))
    (message,) = told()
    assert message.endswith("did you mean `sun_visibility`?")


@pytest.mark.parametrize(
    "name",
    ["ambient_occlusion", "contact_visibility", "wind", "depth_9", "sun_maps_7", "hdr_extra", "extra/mask", "normals"],
)
def test_what_another_frame_may_have_is_not_told(name: str, install: Install) -> None:
    install(reads(name))
    assert told() == []
