"""Compiles shaders ahead of time, so that they travel with a package and need no ``glslc`` where they are played.

``names`` finds the plugins and games that a user names, and ``game_surfaces`` the surface functions of a game.
``sweep`` plays a scene without a device on every shipped skeleton and switches plugins and settings. ``library``
records the shaders that nodes request meanwhile, and ``variants`` completes the combinations of their defines.
``precompile`` writes the SPIR-V to the folders ``compiled`` beside the GLSL (``renderwright.render.shaders.portable``).
"""

from renderwright.engine.precompile.command import Precompiled, precompile

__all__ = ["Precompiled", "precompile"]
