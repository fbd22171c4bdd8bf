"""Parts of shaders that come from elsewhere: GLSL files that a shader includes by a name."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class ShaderPart:
    """A file that takes the place of ``#include NAME`` in a shader, which has the define ``NAME`` then.

    ``file`` is absolute. ``before`` and ``after`` are GLSL around its text. ``owner`` is the plugin that brings it, ''
    for none. ``function`` declares the function that it defines for the shader, '' for none.
    """

    name: str
    file: str
    before: str = ""
    after: str = ""
    owner: str = ""
    function: str = ""
