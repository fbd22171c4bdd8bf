"""A plugin that needs a name of another plugin, which may be off."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from renderwright.engine import mistyped_names
from renderwright.engine.options import PlanOptions, PluginChoice
from renderwright.engine.planning import plan_of
from renderwright.engine.plugins import discovery


@pytest.mark.parametrize("wanted", ["blom/light", "gloom/light"])
def test_a_name_of_an_installed_plugin_that_is_off_is_no_mistake(
    wanted: str, install: Callable[[Any], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    def declare(reg: Any) -> Callable[[Any], None]:
        reg.read(wanted).sampled(stage="fragment").bind("source")
        reg.side_effects()
        return lambda cmd: None

    def told() -> list[str]:
        mistyped_names._near_elsewhere.cache_clear()
        return [found.why for found in mistyped_names.mistyped_names(plan)]

    install(declare)
    plan = plan_of(PlanOptions("marbles", plugins=PluginChoice(enable=("extra",))))
    assert told() == [f"it needs `{wanted}`, which nobody creates; did you mean `bloom/light`?"]
    other = discovery.FoundPlugin(wanted.partition("/")[0], object)
    monkeypatch.setattr(mistyped_names, "find_plugins", lambda: (other,))
    assert told() == []
    mistyped_names._near_elsewhere.cache_clear()
