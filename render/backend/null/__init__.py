"""The backend without a GPU, for tests and for looking at plans."""

from render.backend.null.backend import NullBackend

__all__ = ["NullBackend"]
