"""Assets that are on their way to the device while frames go on."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

Asset = TypeVar("Asset", covariant=True)


class Streamed(Generic[Asset]):
    """A texture or buffer whose contents arrive in the background.

    ``asset`` may be used by frames that begin once it is ``resident``, not before. It is destroyed as any other, also
    while it is on its way (``Backend.destroy``).
    """

    def __init__(self, asset: Asset, finish: Callable[[], None]) -> None:
        self.asset = asset
        self.resident = False
        self._finish = finish

    @classmethod
    def resident_now(cls, asset: Asset) -> Streamed[Asset]:  # type: ignore[misc]
        """One that need not come from anywhere."""
        streamed = cls(asset, lambda: None)
        streamed.arrive()
        return streamed

    def arrive(self) -> None:
        """Told by the backend: what is submitted from now on finds the contents there."""
        self.resident = True

    def wait(self) -> Asset:
        """The asset, after waiting (bounded) until it is resident."""
        if not self.resident:
            self._finish()
        return self.asset
