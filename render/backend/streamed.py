"""Assets that are uploaded beside the frames."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

Asset = TypeVar("Asset", covariant=True)


class Streamed(Generic[Asset]):
    """A texture or buffer whose contents are uploaded in the background.

    What is submitted after it is ``resident`` may use ``asset``. ``Backend.destroy`` destroys it, also during the
    upload.
    """

    def __init__(self, asset: Asset, finish: Callable[[], None], hasten: Callable[[], None] = lambda: None) -> None:
        self.asset = asset
        self.resident = False
        self._finish = finish
        self._hasten = hasten

    @classmethod
    def resident_now(cls, asset: Asset) -> Streamed[Asset]:  # type: ignore[misc]
        """A streamed asset that is resident already."""
        streamed = cls(asset, lambda: None)
        streamed.arrive()
        return streamed

    def arrive(self) -> None:
        """Called by the backend: submissions from now on see the contents."""
        self.resident = True

    def hasten(self) -> bool:
        """Upload the rest for the frame that is being made, if that hardly delays it; returns whether it is resident.

        The device may wait for the upload, the caller does not.
        """
        if not self.resident:
            self._hasten()
        return self.resident

    def wait(self) -> Asset:
        """The asset, after waiting (bounded) until it is resident."""
        if not self.resident:
            self._finish()
        return self.asset
