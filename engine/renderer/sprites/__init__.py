"""Sprites on the GPU: textures, rows, and the nodes that draw them while a scene has any."""

from renderwright.engine.renderer.sprites.gpu_sprites import GpuSprites
from renderwright.engine.renderer.sprites.switch import SpriteSwitch

__all__ = ["GpuSprites", "SpriteSwitch"]
