"""The sample games on OpenGL beside Vulkan: the same pictures."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace

import numpy as np
import pytest

from renderwright.engine.clock import HEADLESS_FRAME, FixedStepClock
from renderwright.engine.games import find_game
from renderwright.engine.options import PluginChoice
from renderwright.engine.session import Session
from renderwright.render.backend.opengl import OpenGLBackend
from renderwright.render.backend.protocol import Backend
from renderwright.render.backend.vulkan.backend import VulkanBackend
from renderwright.render.runtime.checks.poison import Poison
from tests.playing import SHADERS, SMALL_SHADOWS, Picture, flip, frames_of

EXTENT = (160, 90)
FRAMES = 4
MOST_FLIP = 0.01

CHOICES = {
    "as it is": PluginChoice(),
    "with all effects": PluginChoice(enable=("ssao", "taa", "fog", "motion_blur", "outline", "depth_of_field")),
    "with contact shadows and grading": PluginChoice(enable=("contact_shadows", "grading")),
    "with reflections": PluginChoice(enable=("ssr",)),
    "in split screen": PluginChoice(enable=("split_screen",)),
    "drift": PluginChoice(),
    "drift in split screen": PluginChoice(enable=("split_screen", "fxaa")),
    "drift in a headset": PluginChoice(enable=("vr",)),
}


SWITCHED = (CHOICES["as it is"], CHOICES["with all effects"], CHOICES["drift in split screen"])
"""Where a plugin goes off and comes back: alone, among others, and in several views."""


def played(
    backend: Backend, choice: PluginChoice, players: int, poison: Poison | None = None, name: str = "marbles"
) -> Picture:
    """The last of some frames, perhaps after a plugin was switched off and on.

    Games as they are have shadow maps of their own size, too.
    """
    game = find_game(name)
    clock = FixedStepClock(game.step, frame=HEADLESS_FRAME)
    session = Session(
        game,
        backend,
        EXTENT,
        choice=replace(choice, remembered=() if choice == PluginChoice() else SMALL_SHADOWS),
        strict=True,
        clock=clock,
        players=players,
        poison=poison,
        shaders=SHADERS,
    )
    with closing(session):
        if choice in SWITCHED:
            frames_of(session, FRAMES)
            session.plugins.disable("bloom")
            frames_of(session, 1)
            session.plugins.enable("bloom")
        return frames_of(session, FRAMES)[-1][..., :3]


@pytest.fixture(scope="module")
def opengl() -> Iterator[OpenGLBackend]:
    """A device that nothing is wrong with in any of the file's tests."""
    with closing(OpenGLBackend(validate=True)) as backend:
        yield backend
    assert backend.validation_messages == []


@pytest.mark.vulkan
@pytest.mark.parametrize("name", CHOICES)
def test_pictures_are_those_of_vulkan(opengl: OpenGLBackend, backend: VulkanBackend, name: str) -> None:
    players = 2 if "split" in name else 1
    game = "drift" if "drift" in name else "marbles"
    ours, right = (played(device, CHOICES[name], players, name=game) for device in (opengl, backend))
    assert right.std() > 1.0, "there is something to see"
    assert flip(right, ours) < MOST_FLIP
    near = np.abs(ours.astype(int) - right.astype(int)) <= 1
    # A ray of contact shadows that grazes a surface hits it or not by the last bit of a depth.
    assert near.mean() > (0.98 if "contact shadows" in name else 0.99)


def test_poison_changes_no_texel() -> None:
    choice = CHOICES["with all effects"]
    pictures = []
    for poison in (None, Poison.MIXED):
        with closing(OpenGLBackend()) as backend:
            pictures.append(played(backend, choice, 1, poison))
    assert np.array_equal(*pictures)
