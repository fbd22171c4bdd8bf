"""How shaders sample a texture."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Sampling:
    """How a sampled texture is filtered (``linear`` or ``nearest``) and addressed (``clamp`` or ``repeat``)."""

    filter: str = "linear"
    address: str = "clamp"


DEFAULT_SAMPLING = Sampling()
