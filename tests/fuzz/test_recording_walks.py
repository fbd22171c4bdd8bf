"""Every plugin's stable nodes record the same commands while the game changes."""

from __future__ import annotations

import pytest
from fuzz_recording import verified
from game_walks import Step, Walk

from renderwright.engine.plugins.discovery import find_plugins

pytestmark = pytest.mark.vulkan

PLUGINS = sorted(plugin.name for plugin in find_plugins())


@pytest.mark.parametrize("plugin", PLUGINS)
def test_a_plugin_keeps_its_promises(plugin: str) -> None:
    steps = (
        *(Step() for _ in range(4)),
        Step(steps=0),
        Step(steps=5),
        Step(extent=(33, 40)),
        *(Step() for _ in range(3)),
        Step(players=2),
        *(Step() for _ in range(3)),
        Step(switched=plugin),
        Step(),
        Step(switched=plugin),
        *(Step() for _ in range(3)),
        Step(players=1, extent=(48, 27)),
        *(Step() for _ in range(3)),
    )
    on = {plugin, "tonemap", "split_screen"}
    verified(Walk(tuple(sorted(on & set(PLUGINS))), steps))
