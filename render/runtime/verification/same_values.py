"""Whether two values are the same to a node that reads them."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np


def same_values(one: Any, other: Any) -> bool:
    """Whether two values are the same object or equal, with all elements of arrays, also those in dataclasses."""
    if one is other:
        return True
    if isinstance(one, np.ndarray) and isinstance(other, np.ndarray):
        return one.dtype == other.dtype and np.array_equal(one, other, equal_nan=one.dtype.kind in "fc")
    if type(one) is type(other) and isinstance(one, tuple | list):
        return len(one) == len(other) and all(map(same_values, one, other))
    try:
        return bool(one == other)
    except (TypeError, ValueError):
        if type(one) is not type(other) or not is_dataclass(one):
            return False
    return all(same_values(getattr(one, field.name), getattr(other, field.name)) for field in fields(one))
