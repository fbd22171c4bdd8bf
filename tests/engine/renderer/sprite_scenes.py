"""A flat scene of sprites, and the picture that they make by the rules of blending."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from playing import Picture
from pyglm import glm

from renderwright.engine.game import Game, GameContext
from renderwright.engine.scene import Camera, Image
from renderwright.engine.scene.material import Material
from renderwright.engine.scene.primitives import box
from renderwright.engine.sprites import NinePatch, Sprite, Text

EXTENT = (96, 64)
TEXEL = 1 / 16
"""Metres of a texel of the picture."""

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Card:
    """A sprite whose texels are those of the picture: its left bottom corner in texels from the picture's middle."""

    image: Image
    left: int
    bottom: int
    layer: int = 0
    away: float = 0.0
    color: tuple[float, float, float, float] = (1.0, 1.0, 1.0, 1.0)

    def sprite(self) -> Sprite:
        """The card in the world."""
        width, height = self.image.extent
        return Sprite(
            self.image,
            (self.left * TEXEL, self.bottom * TEXEL, -self.away),
            size=(width * TEXEL, height * TEXEL),
            anchor=(0, 0),
            color=self.color,
            layer=self.layer,
            smooth=False,
        )


def noise(seed: int, width: int = 20, height: int = 14, *, alpha: int | None = None) -> Image:
    """Random texels, of one alpha if it is given."""
    pixels = np.random.default_rng(seed).integers(0, 256, (height, width, 4), dtype=np.uint8)
    if alpha is not None:
        pixels[..., 3] = alpha
    return Image(f"noise {seed}", pixels)


CARDS = (
    Card(noise(1), -30, -10),
    Card(noise(2), -22, -4, layer=2),
    Card(noise(3, alpha=255), -26, -16, layer=1),
    Card(noise(4), 4, 4, color=(0.5, 1.0, 0.2, 0.5)),
    Card(noise(5, alpha=255), 12, 8),
    Card(noise(6, alpha=255), -8, -30, away=6.0),
    Card(noise(7), 10, -25, away=1.0),
)


class Flat(Game):
    """The cards in front of an orthographic camera, and a box that hides some of them."""

    plugins = ()
    step = 1 / 60
    max_players = 2
    cards: Sequence[Card] = CARDS

    def setup(self, context: GameContext) -> None:
        scene = context.scene
        camera = Camera(glm.vec3(0, 0, 10), near=1.0, height=EXTENT[1] * TEXEL, depth_range=30.0)
        scene.cameras[:] = [camera.copy() for _ in range(context.players)]
        scene.spawn(box(1.5), Material()).transform.position = glm.vec3(0.25, -1.0, -3.0)
        self.shown = [scene.sprites.add(card.sprite()) for card in self.cards]


class ForwardFlat(Flat):
    """By the forward skeleton."""

    skeleton = "forward"


class Bare(Flat):
    """Without the cards."""

    cards = ()


class ForwardBare(Bare):
    """Without the cards, by the forward skeleton."""

    skeleton = "forward"


class Full(Flat):
    """Every kind of sprite, in the world and on the screen, still or moving; and a camera in perspective."""

    plugins = ("tonemap",)
    moves = False

    def setup(self, context: GameContext) -> None:
        super().setup(context)
        for number, camera in enumerate(context.scene.cameras):
            camera.height = None
            camera.position = glm.vec3(2.0 * number - 0.5, 1.0, 6.0)
            camera.target = glm.vec3(0)
        sprites = context.scene.sprites
        frame = noise(9, 12, 12, alpha=255)
        self.star = sprites.add(Sprite(noise(8), (1.0, 1.0, 1.0), size=(1.5, 1.0), facing=True, rotation=0.3))
        sprites.add(Text("Label", (-1.5, 1.2, 0.5), size=0.6, color=(1, 0.8, 0.1, 1)))
        patch = NinePatch(frame, (8, 8), size=(70, 44), borders=(4, 4, 4, 4), texel=3, space="screen", anchor=(0, 1))
        sprites.add(patch)
        sprites.add(Text("Both\ntwo", (12, 10), size=18, space="screen", anchor=(0, 1), layer=1))
        own = Sprite(noise(10), (60, 95), size=(50, 34), space="screen", rotation=-0.4, player=1)
        self.own = sprites.add(own)
        context.scene.snap()

    def update(self, dt: float) -> None:
        if self.moves:
            self.star.rotation += 2.0 * dt
            self.star.position = (self.star.position[0] - dt, 1.0, 1.0)


class MovingFull(Full):
    """With a star that moves and turns."""

    moves = True


class ForwardFull(Full):
    """By the forward skeleton."""

    skeleton = "forward"


def decoded(picture: Picture) -> Floats:
    """Linear light of sRGB-encoded texels."""
    share = picture.astype(np.float64) / 255
    return np.where(share <= 0.04045, share / 12.92, ((share + 0.055) / 1.055) ** 2.4)


def encoded(light: Floats) -> Floats:
    """The opposite, from 0 to 255."""
    clipped = np.clip(light, 0, 1)
    return 255 * np.where(clipped <= 0.0031308, clipped * 12.92, 1.055 * clipped ** (1 / 2.4) - 0.055)


def composed(background: Picture, cards: Sequence[Card], hidden: NDArray[np.bool_], behind: float) -> Floats:
    """The cards over a background, by layer, then in their order: 0 to 255.

    Where ``hidden``, something is ``behind`` metres away from the middle and covers what is farther.
    """
    light = decoded(background[..., :3])
    height, width = light.shape[:2]
    for card in sorted(cards, key=lambda card: card.layer):
        columns, rows = card.image.extent
        left, top = card.left + width // 2, height // 2 - card.bottom - rows
        place = np.s_[max(top, 0) : top + rows, max(left, 0) : left + columns]
        seen = ~hidden[place] if card.away > behind else np.ones_like(hidden[place])
        texels = card.image.pixels[max(-top, 0) :, max(-left, 0) :][: seen.shape[0], : seen.shape[1]]
        color = decoded(texels[..., :3]) * np.array(card.color[:3])
        alpha = texels[..., 3:] / 255 * card.color[3] * seen[..., None]
        light[place] = color * alpha + light[place] * (1 - alpha)
    return encoded(light)


def covered_by_the_box() -> NDArray[np.bool_]:
    """The texels of the box: 1.5 m around (0.25, -1)."""
    width, height = EXTENT
    x = (np.arange(width) + 0.5 - width / 2) * TEXEL
    y = (height / 2 - np.arange(height) - 0.5) * TEXEL
    inside: NDArray[np.bool_] = (np.abs(x - 0.25) < 0.75)[None, :] & (np.abs(y + 1.0) < 0.75)[:, None]
    assert math.isclose(inside.sum(), 24 * 24, rel_tol=0.1)
    return inside
