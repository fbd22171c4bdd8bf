"""Sprites, nine-patches and texts: flat pictures in the world, and over the picture of a player.

``scene.sprites`` holds them. Their rows are NumPy arrays, so that thousands are moved at once.
"""

import renderwright.engine.scene  # noqa: F401  # a scene has sprites, and these its images: it comes first
from renderwright.engine.sprites.collection import Sprites
from renderwright.engine.sprites.group import SpriteGroup
from renderwright.engine.sprites.nine_patch import NinePatch
from renderwright.engine.sprites.sprite import Sprite
from renderwright.engine.sprites.text import Text

__all__ = ["NinePatch", "Sprite", "SpriteGroup", "Sprites", "Text"]
