"""Sprites that come and go, on devices that are lost, with poisoned memory and verified recordings."""

from __future__ import annotations

from contextlib import closing

import numpy as np
import pytest
from playing import Picture, frames_of
from sprite_scenes import EXTENT, Bare, Flat, MovingFull, noise

from renderwright.engine.clock import FixedStepClock
from renderwright.engine.options import PluginChoice
from renderwright.engine.session import Session
from renderwright.engine.sprites import Sprite
from renderwright.render.backend.vulkan.backend import VulkanBackend
from renderwright.render.runtime.checks.poison import Poison
from renderwright.render.runtime.recording import Recording

pytestmark = pytest.mark.vulkan


class Changing(MovingFull):
    """Sprites appear, vanish, and change their image, layer and text; some frames have none."""

    max_players = 1

    def update(self, dt: float) -> None:
        super().update(dt)
        self.steps = getattr(self, "steps", 0) + 1
        sprites = self.context.scene.sprites
        for number, card in enumerate(self.shown):
            card.visible = self.steps % (number + 2) > 0
        self.shown[1].layer = self.steps % 3
        if self.steps % 2:
            self.extra = sprites.add(Sprite(noise(20 + self.steps), (100, 40), space="screen", layer=self.steps % 4))
            self.shown[0].image = noise(self.steps)
        else:
            sprites.remove(self.extra)


class FlatChanging(Changing):
    """By the flat skeleton."""

    skeleton = "flat"


def played(backend: VulkanBackend, game: type[Changing], **options: object) -> list[Picture]:
    clock = FixedStepClock(game.step, frame=game.step)
    choice = PluginChoice(enable=("bloom",))
    strict = game.skeleton != "flat"  # which does not draw the floor
    session = Session(game, backend, EXTENT, choice=choice, clock=clock, strict=strict, **options)  # type: ignore[arg-type]
    with closing(session):
        return frames_of(session, 10)


@pytest.mark.parametrize("game", [Changing, FlatChanging])
def test_pictures_depend_on_nothing_else(backend: VulkanBackend, game: type[Changing]) -> None:
    plain = played(backend, game)
    assert len({picture.tobytes() for picture in plain}) == 10
    others = [
        played(backend, game, recording=Recording.ALWAYS),
        played(backend, game, recording=Recording.VERIFIED),
        played(backend, game, poison=Poison.NAN),
    ]
    for other in others:
        assert [np.array_equal(a, b) for a, b in zip(plain, other, strict=True)] == [True] * 10


def test_the_last_one_may_leave(backend: VulkanBackend) -> None:
    clock = FixedStepClock(Flat.step, frame=Flat.step)
    with closing(Session(Flat, backend, EXTENT, clock=clock, strict=True)) as session:
        frames_of(session, 2)
        for card in session.runner.game.shown:  # type: ignore[attr-defined]
            session.context.scene.sprites.remove(card)
        shown = frames_of(session, 3)[-1]
    with closing(Session(Bare, backend, EXTENT, clock=FixedStepClock(Flat.step), strict=True)) as session:
        assert np.array_equal(frames_of(session, 1)[-1], shown)


def test_they_move_to_another_device() -> None:
    pictures, clock = [], FixedStepClock(MovingFull.step, frame=MovingFull.step)
    first, second = VulkanBackend(validate=True), VulkanBackend(validate=True)
    session = Session(MovingFull, first, EXTENT, clock=clock, strict=True)
    pictures += frames_of(session, 2)
    pictures += frames_of(session, 1, still=True)
    session.abandon()
    session.move_to(second)
    pictures += frames_of(session, 1, still=True)
    session.close()
    second.close()
    assert np.array_equal(pictures[-1], pictures[-2])
    assert [message.text for message in second.validation_messages] == []
    first.close()
