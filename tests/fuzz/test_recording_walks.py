"""Every plugin's stable nodes record the same commands while the game changes."""

from __future__ import annotations

import pytest
from fuzz_recording import verified
from game_walks import Step, Walk

from renderwright.engine.plugins.discovery import find_plugins

pytestmark = pytest.mark.vulkan

PLUGINS = sorted(plugin.name for plugin in find_plugins())
WALKS = 4
"""The plugins of a walk are switched at once: the checks name the node that breaks its promise, not the walk."""
ALWAYS = {"tonemap", "split_screen"}


@pytest.mark.parametrize("first", range(WALKS))
def test_plugins_keep_their_promises(first: int) -> None:
    together = tuple(PLUGINS[first::WALKS])
    steps = (
        *(Step() for _ in range(4)),
        Step(steps=0),
        Step(steps=5),
        Step(extent=(33, 40)),
        *(Step() for _ in range(3)),
        Step(players=2),
        *(Step() for _ in range(3)),
        Step(switched=together),
        Step(),
        Step(switched=together),
        *(Step() for _ in range(3)),
        Step(players=1, extent=(48, 27)),
        *(Step() for _ in range(3)),
    )
    verified(Walk(tuple(sorted({*together, *ALWAYS})), steps))
