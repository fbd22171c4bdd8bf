"""Values that a game gives to entities, one for all or one for each, checked and as arrays.

Whatever numpy would refuse in words of its own, wrap around or cut off is a ``UsageError`` at the game's line, which
names the field, the entities, the shape or type given, and the one to give.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from renderwright.engine.caller import caller_location
from renderwright.engine.scene.layers import ALL_LAYERS
from renderwright.engine.scene.rows import Rows
from renderwright.render.errors import UsageError

_ZERO_TURN = "give unit quaternions: w, x, y, z"
_MASK = f"give a mask of 32 bits, from 0 to {ALL_LAYERS:#X}".replace("0X", "0x")
_FLAG = "give True or False"
_LONGEST = 60
"""The most characters of a value that a message shows."""


def numbers_of(
    field: str, count: int, components: int, values: ArrayLike, places: Rows | None = None
) -> NDArray[np.float32]:
    """Finite numbers for ``count`` entities, (count, components) or fewer dimensions.

    ``places`` are the entities' places in their group, for messages.
    """
    what, shape = f"{field} of {count} entities", (count, components)
    hint = f"give an array of numbers of shape {shape}, or {shape[1:]} for all of them"
    with np.errstate(over="ignore"):  # infinity is refused below
        array = _array(what, values, "biuf", hint).astype(np.float32, copy=False)
    _check_shape(what, array, shape, hint)
    finite = np.isfinite(array)
    if not finite.all():
        raise _refused_at(field, array, np.asarray(finite.all(axis=-1)), places, "give finite numbers")
    return array


def rotations_of(count: int, values: ArrayLike, places: Rows | None = None) -> NDArray[np.float32]:
    """Like ``numbers_of`` for quaternions (w, x, y, z), of which none is 0."""
    array = numbers_of("rotations", count, 4, values, places)
    if not array[..., 0].all():
        turns = np.asarray(array.any(axis=-1))
        if not turns.all():
            raise _refused_at("rotations", array, turns, places, _ZERO_TURN)
    return array


def positions_of(values: ArrayLike) -> NDArray[np.float32]:
    """Positions of as many new entities as there are, (n, 3)."""
    hint = "give an array of numbers of shape (n, 3)"
    array = _array("positions of new entities", values, "biuf", hint)
    if array.ndim != 2 or array.shape[1] != 3:
        raise _refused("positions of new entities", f"an array of shape {array.shape}", hint)
    return numbers_of("positions", len(array), 3, array)


def flags_of(field: str, count: int, values: ArrayLike) -> NDArray[np.bool_]:
    """Flags for ``count`` entities: booleans, or whole numbers that are 0 or 1; (count,) or a single one."""
    what = f"{field} of {count} entities"
    array = _array(what, values, "biu", f"{_FLAG}, or an array of booleans of shape {(count,)}")
    return _flags(what, array, count, f"{_FLAG}, or an array of booleans of shape {(count,)}")


def flag_of(what: str, value: object) -> bool:
    """A flag, which messages call ``what``."""
    if value is True or value is False:
        return value
    return bool(_flags(what, _array(what, value, "biu", _FLAG), None, _FLAG))


def masks_of(field: str, count: int, values: ArrayLike) -> NDArray[np.uint32]:
    """Masks of 32 bits for ``count`` entities, (count,) or a single one."""
    what, hint = f"{field} of {count} entities", f"{_MASK}, or an array of masks of shape {(count,)}"
    return _masks(what, _array(what, values, "iu", hint), count, hint)


def mask_of(what: str, value: object) -> int:
    """A mask of 32 bits, which messages call ``what``."""
    if type(value) is int and 0 <= value <= ALL_LAYERS:
        return value
    return int(_masks(what, _array(what, value, "iu", _MASK), None, _MASK))


def shortened(value: object) -> str:
    """A value as a line of a message shows it."""
    text = " ".join(repr(value).split())
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."


def _flags(what: str, array: NDArray[np.generic], count: int | None, hint: str) -> NDArray[np.bool_]:
    _check_shape(what, array, () if count is None else (count,), hint)
    flags = array.astype(np.bool_)
    _check_each(what, array, array == flags, hint)
    return flags


def _masks(what: str, array: NDArray[np.generic], count: int | None, hint: str) -> NDArray[np.uint32]:
    _check_shape(what, array, () if count is None else (count,), hint)
    masks = array.astype(np.uint32)
    _check_each(what, array, array == masks, hint)
    return masks


def _array(what: str, values: object, kinds: str, hint: str) -> NDArray[np.generic]:
    """The values as an array of one of the kinds of dtypes."""
    try:
        array = np.asarray(values)
    except (TypeError, ValueError):
        raise _refused(what, "an array whose rows have different lengths", hint) from None
    if array.dtype.kind not in kinds and array.size:
        given = shortened(values) if array.ndim == 0 else f"an array of dtype {array.dtype}"
        raise _refused(what, given, hint)
    return array


def _check_shape(what: str, array: NDArray[np.generic], shape: tuple[int, ...], hint: str) -> None:
    try:
        np.broadcast_to(array, shape)
    except ValueError:
        raise _refused(what, f"an array of shape {array.shape}", hint) from None


def _check_each(what: str, array: NDArray[np.generic], valid: NDArray[np.bool_], hint: str) -> None:
    if not valid.all():
        wrong = array[~valid][0] if array.ndim else array
        raise _refused(what, str(wrong), hint)


def _refused(what: str, given: str, hint: str) -> UsageError:
    return UsageError(f"{what} cannot be {given}", hint=hint, where=caller_location())


def _refused_at(
    field: str, array: NDArray[np.float32], valid: NDArray[np.bool_], places: Rows | None, hint: str
) -> UsageError:
    """The refusal of the first invalid row of an array."""
    if array.ndim < 2:
        return _refused(field, str(array), hint)
    wrong = int(np.argmin(valid))
    return _refused(f"{field}[{wrong if places is None else places[wrong]}]", str(array[wrong]), hint)
