"""Images on the HUD reach the picture, also when they appear or change in mid-run."""

from __future__ import annotations

import numpy as np
import pytest

from renderwright.engine import Game, GameContext
from renderwright.engine.scene import Image
from renderwright.engine.session import Session
from renderwright.render.backend.vulkan.backend import VulkanBackend

SIZE = (320, 180)


def plain(name: str, color: tuple[int, int, int, int]) -> Image:
    return Image(name, np.full((8, 8, 4), color, np.uint8))


class Badge(Game):
    plugins = ()

    def setup(self, context: GameContext) -> None:
        self.frame = 0
        self.images = (plain("red", (255, 0, 0, 255)), plain("green", (0, 255, 0, 255)))

    def draw(self, alpha: float) -> None:
        # HUD units are half pixels in a picture this small.
        if self.frame:
            self.context.hud.image(20, 20, self.images[self.frame > 2], 40, 40)
            self.context.hud.image(100, 20, self.images[0], 40, 40, (1, 1, 1, 0))
        self.frame += 1


@pytest.mark.vulkan
def test_images_appear_and_change(backend: VulkanBackend) -> None:
    session = Session(Badge, backend, SIZE)
    target = backend.create_target(SIZE)
    seen = []
    for _ in range(5):
        session.step(1 / 60)
        session.render(target)
        picture = session.picture()
        seen.append(tuple(int(value) for value in picture[20, 20, :3]))
        assert tuple(picture[20, 60]) != (255, 0, 0, 255), "an image of opacity 0"
    session.close()
    target.close()
    assert seen[0] not in ((255, 0, 0), (0, 255, 0))
    assert seen[1:] == [(255, 0, 0), (255, 0, 0), (0, 255, 0), (0, 255, 0)]
