"""How shaders sample a texture."""

from __future__ import annotations

from dataclasses import dataclass

FILTERS = ("linear", "nearest")
ADDRESSES = ("clamp", "repeat", "mirror")


@dataclass(frozen=True)
class Sampling:
    """How a sampled texture is filtered (``linear``, ``nearest``) and addressed (``clamp``, ``repeat``, ``mirror``).

    ``address_v`` is that of the second axis, "" for the same.

    ``anisotropy`` is the largest ratio of the sides of a footprint that linear filtering follows; the device may
    follow less. 1 is isotropic.
    """

    filter: str = "linear"
    address: str = "clamp"
    anisotropy: float = 1.0
    address_v: str = ""

    @property
    def addresses(self) -> tuple[str, str]:
        """The addressing of both axes."""
        return self.address, self.address_v or self.address


DEFAULT_SAMPLING = Sampling()
