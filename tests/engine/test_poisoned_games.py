"""The sample game's pictures do not depend on what is in memory that nobody has written."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from playing import SHADERS

from renderwright.engine.cli import main
from renderwright.engine.clock import FixedStepClock
from renderwright.engine.games import find_game
from renderwright.engine.options import PluginChoice
from renderwright.engine.plugins.discovery import find_plugins
from renderwright.engine.session import Session
from renderwright.render.backend.vulkan.backend import VulkanBackend
from renderwright.render.runtime.checks.poison import Poison

pytestmark = pytest.mark.vulkan

EXTENT = (48, 27)
PLUGINS = tuple(sorted(plugin.name for plugin in find_plugins()))


def pictures(backend: VulkanBackend, on: tuple[str, ...], poison: Poison | None) -> list[np.ndarray]:
    """Two frames, one after a switch of a plugin, and one in another size."""
    game = find_game("marbles")
    off = tuple(name for name in PLUGINS if name not in on)
    session = Session(
        game,
        backend,
        EXTENT,
        choice=PluginChoice(enable=on, disable=off),
        clock=FixedStepClock(game.step, frame=1 / 60),
        poison=poison,
        shaders=SHADERS,
    )
    target = backend.create_target(EXTENT)
    shown = []
    for frame in range(4):
        if frame == 2 and on:
            session.toggle(on[0])
        if frame == 3:
            target.resize((40, 40))
        session.step()
        session.render(target)
        shown.append(session.picture())
    session.close()
    target.close()
    return shown


@pytest.mark.parametrize(
    ("on", "kinds"),
    [
        (PLUGINS, (Poison.NAN,)),
        (PLUGINS[::2], (Poison.INFINITY, Poison.MIXED)),
        (PLUGINS[1::2], (Poison.ZERO, Poison.MIXED)),
        ((), (Poison.ONES,)),
    ],
    ids=["all plugins", "every second", "the others", "none"],
)
def test_no_poison_is_ever_seen(backend: VulkanBackend, on: tuple[str, ...], kinds: tuple[Poison, ...]) -> None:
    """``make fuzz`` takes any plugins."""
    right = pictures(backend, on, None)
    for kind in kinds:
        for frame, (one, other) in enumerate(zip(pictures(backend, on, kind), right, strict=True)):
            assert np.array_equal(one, other), f"frame {frame} shows {kind}"


def test_the_command_line_poisons(tmp_path: Path) -> None:
    shown = []
    for more in ((), ("--poison",), ("--poison", "nan")):
        path = tmp_path / f"{len(more)}.png"
        options = ["--headless", "--frames", "1", "--size", "48x27", "--screenshot", str(path), *more]
        assert main(["play", "marbles", *options]) == 0
        shown.append(np.asarray(Image.open(path)))
    assert np.array_equal(shown[0], shown[1])
    assert np.array_equal(shown[0], shown[2])
