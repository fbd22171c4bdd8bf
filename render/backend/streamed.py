"""Assets that are uploaded beside the frames."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

Asset = TypeVar("Asset", covariant=True)


class Streamed(Generic[Asset]):
    """A texture or buffer whose contents are uploaded in the background.

    Frames may use ``asset`` if they begin after it is ``resident``. ``Backend.destroy`` destroys it, also during the
    upload.
    """

    def __init__(self, asset: Asset, finish: Callable[[], None]) -> None:
        self.asset = asset
        self.resident = False
        self._finish = finish

    @classmethod
    def resident_now(cls, asset: Asset) -> Streamed[Asset]:  # type: ignore[misc]
        """A streamed asset that is resident already."""
        streamed = cls(asset, lambda: None)
        streamed.arrive()
        return streamed

    def arrive(self) -> None:
        """Called by the backend: submissions from now on see the contents."""
        self.resident = True

    def wait(self) -> Asset:
        """The asset, after waiting (bounded) until it is resident."""
        if not self.resident:
            self._finish()
        return self.asset
