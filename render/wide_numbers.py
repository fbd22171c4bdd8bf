"""Arrays of NumPy's default types, float64 and int64: shaders have no such numbers, and would read two for each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from renderwright.render.errors import GraphError, SourceLocation

_NARROWER: Mapping[str, str] = {"float64": "np.float32", "int64": "np.int32, or np.uint32 for uint and indices"}


def refuse_wide_numbers(what: str, array: NDArray[Any], where: SourceLocation | None = None) -> None:
    """Raise ``GraphError`` for an array for a buffer with numbers that no shader has, also in the fields of its rows.

    Words of 64 bits that a shader takes apart are uint64.
    """
    wide = next((kind for kind in _kinds(array.dtype) if kind in _NARROWER), "")
    if wide:
        raise GraphError(
            f"{what} is given an array of {wide}, and shaders read numbers of 32 bits",
            hint=f"make the array with the dtype {_NARROWER[wide]}; .view(np.uint32) keeps its bytes as words",
            where=where,
        )


def _kinds(dtype: np.dtype[Any]) -> Iterator[str]:
    """The names of the types of an array's numbers."""
    if dtype.subdtype is not None:
        yield from _kinds(dtype.subdtype[0])
    elif dtype.fields is not None:
        for field, *_ in dtype.fields.values():
            yield from _kinds(field)
    else:
        yield dtype.name
