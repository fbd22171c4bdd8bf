"""The objects that a backend has created and has not destroyed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from renderwright.render.backend.timeline import Releasable, Retirement
from renderwright.render.errors import BackendError, OutOfMemoryError

_Made = TypeVar("_Made", bound=Releasable)
_T = TypeVar("_T")


class CreatedObjects:
    """Objects in order of creation, since later ones may depend on earlier ones."""

    def __init__(self, retirement: Retirement) -> None:
        self._retirement = retirement
        self._alive: dict[int, Releasable] = {}

    def __iter__(self) -> Iterator[Releasable]:
        return iter(self._alive.values())

    def __len__(self) -> int:
        return len(self._alive)

    def keep(self, made: _Made) -> _Made:
        """Add an object."""
        self._alive[id(made)] = made
        return made

    def forget(self, closed: Releasable) -> None:
        """Remove an object that has released itself."""
        self._alive.pop(id(closed), None)

    def remove(self, resource: Any) -> None:
        """Remove an object that is about to be destroyed. Raises ``BackendError`` if it is not here."""
        if self._alive.pop(id(resource), None) is None:
            raise BackendError(f"cannot destroy {resource!r}: it is not of this backend, or is destroyed already")

    def with_room(self, attempt: Callable[[], _T]) -> _T:
        """Call ``attempt``. If it runs out of memory, free what the device has finished with, and try again."""
        try:
            return attempt()
        except OutOfMemoryError:
            self._retirement.wait()
            return attempt()

    @contextmanager
    def retired_on_failure(self, thing: Releasable) -> Iterator[None]:
        """Give up ``thing`` if the block raises. The device may still be filling it, so it is released later."""
        try:
            yield
        except BaseException:
            self._retirement.add(thing)
            raise

    def release_all(self) -> None:
        """Release everything at once, retired objects first."""
        self._retirement.release_all()
        for thing in reversed(self._alive.values()):
            thing.release()
        self._alive.clear()
