"""Checks of push constants."""

from __future__ import annotations

from renderwright.render.errors import BackendError


def require_fitting(pipeline: str, data: bytes, size: int) -> None:
    """Raise ``BackendError`` unless ``data`` are words within the ``size`` bytes that the pipeline takes."""
    if len(data) % 4 or not 0 < len(data) <= size:
        raise BackendError(
            f'"{pipeline}" takes up to {size} bytes of push constants in words of 4, not {len(data)}',
            hint="give a value for each member of the shader's push constants, and no more",
        )
