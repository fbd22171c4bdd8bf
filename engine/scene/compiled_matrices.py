"""The loop that writes model matrices, compiled by numba beside the frames once a scene moves many entities."""

from __future__ import annotations

import importlib
import threading
from collections.abc import Callable
from functools import cache
from typing import Any, cast

import numpy as np

from renderwright.engine.scene import matrices

COMPILED_FROM = 500
"""Rows in one call from which compiled loops are worth the load of numba."""

WriteModels = Callable[..., None]


class ModelWriter:
    """Writes model matrices: by numpy at first, and by compiled loops once they are loaded. The results are equal.

    ``numba`` tells whether compiled loops are used at all.
    """

    def __init__(self, *, numba: bool = True) -> None:
        self._numba = numba
        self._loader: threading.Thread | None = None

    def write(self, models: Any, places: Any, rows: Any, previous: Any, current: Any, alpha: float) -> None:
        """See ``matrices.write_models``."""
        write = self._compiled() if self._numba and len(rows) >= COMPILED_FROM else None
        (write or matrices.write_models)(models, places, rows, previous, current, np.float32(alpha))

    def _compiled(self) -> WriteModels | None:
        if self._loader is None:
            self._loader = threading.Thread(target=compiled, name="renderwright matrix loops")
            self._loader.start()
        return None if self._loader.is_alive() else compiled()


@cache
def compiled() -> WriteModels | None:
    """The compiled loop, None without numba. Takes tenths of a second, and seconds where nothing is cached on disk."""
    try:
        numba: Any = importlib.import_module("numba")
    except ImportError:
        return None
    for formula in (matrices.arc_squared, matrices.sinc, matrices.slerp, matrices.axes):
        numba.extending.register_jitable(formula)
    try:
        write = numba.njit(cache=True, nogil=True)(matrices.loop_over_models)
    except RuntimeError:  # no cache folder is writable
        write = numba.njit(nogil=True)(matrices.loop_over_models)
    models, packed = np.zeros((1, 4, 4), np.float32), np.zeros((1, matrices.TRANSFORM_FLOATS), np.float32)
    row = np.zeros(1, np.intp)
    write(models, row, row, packed, packed, np.float32(0.0))  # compiles it for these types
    return cast(WriteModels, write)
