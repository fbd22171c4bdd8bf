"""How shaders sample a texture."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Sampling:
    """How a sampled texture is filtered (``linear`` or ``nearest``) and addressed (``clamp`` or ``repeat``).

    ``anisotropy`` is the largest ratio of the sides of a footprint that linear filtering follows; the device may
    follow less. 1 is isotropic.
    """

    filter: str = "linear"
    address: str = "clamp"
    anisotropy: float = 1.0


DEFAULT_SAMPLING = Sampling()
