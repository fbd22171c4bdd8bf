"""Which plans pass something on to the next frame."""

from __future__ import annotations

import pytest

from renderwright.engine.farm.carried import carried_over
from renderwright.engine.options import PlanOptions, PluginChoice, SettingChange
from renderwright.engine.planning import plan_of


def carried(*enable: str, **settings: object) -> tuple[str, ...]:
    changes = tuple(SettingChange(*key.split("__"), value) for key, value in settings.items())
    return carried_over(plan_of(PlanOptions("marbles", (64, 36), plugins=PluginChoice(enable, (), changes))))


@pytest.mark.parametrize("plugins", [(), ("ssao", "motion_blur", "depth_of_field", "fog", "oit"), ("vr", "ssaa")])
def test_frames_of_most_plugins_stand_alone(plugins: tuple[str, ...]) -> None:
    assert carried(*plugins) == ()


def test_histories_of_textures_are_named() -> None:
    assert carried("taa") == ("depth", "post_hdr/taa/resolve", "taa/sample")


def test_an_exposure_that_adapts_is_named() -> None:
    assert carried(tonemap__auto_exposure=True) == ("tonemap/exposure",)


def test_a_blob_that_is_made_of_its_own_past_is_named() -> None:
    assert carried(shadows__rate=4) == ("shadows/cascades",)
