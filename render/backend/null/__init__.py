"""The backend without a GPU, for tests and for looking at plans."""

from renderwright.render.backend.null.backend import NullBackend

__all__ = ["NullBackend"]
