"""The backend without a GPU, for tests and for inspecting plans."""

from renderwright.render.backend.null.backend import NullBackend

__all__ = ["NullBackend"]
