"""An arena that builds Vulkan structs and owns every buffer that they point to."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any

from renderwright.render.backend.vulkan.api import NULL, CData, ffi


def _without_underscores() -> dict[str, int]:
    names = ffi.typeof("VkStructureType").relements
    return {name.removeprefix("VK_STRUCTURE_TYPE_").replace("_", ""): value for name, value in names.items()}


_STRUCTURE_TYPES = _without_underscores()


@cache
def structure_type(ctype: str) -> int | None:
    """The ``sType`` of a struct by its name; None for a struct that has no such field."""
    if ffi.typeof(ctype).fields[0][0] != "sType":
        return None
    return _STRUCTURE_TYPES[ctype.removeprefix("Vk").upper()]


class Arena:
    """Owns C memory, which stays valid for the lifetime of the arena.

    A field may be a number, a handle, a pointer or array from the same or another arena (kept alive here), a ``str``
    (copied), None (a null pointer), or a dict or sequence for a struct or array held by value.
    """

    def __init__(self) -> None:
        self._owned: list[Any] = []

    @property
    def used(self) -> bool:
        """Whether it owns any memory."""
        return bool(self._owned)

    def new(self, ctype: str, **fields: Any) -> CData:
        """A pointer to a zeroed struct with its ``sType`` and the given fields set."""
        struct = ffi.new(ctype + "*")
        kind = structure_type(ctype)
        if kind is not None:
            struct.sType = kind
        for name, value in fields.items():
            setattr(struct, name, self._own(value))
        self._owned.append(struct)
        return struct

    def array(self, ctype: str, items: Iterable[Any]) -> CData:
        """An array of handles, numbers or structs (given as dicts or pointers); null if there are no items."""
        values = list(items)
        if not values:
            return NULL
        array = ffi.new(f"{ctype}[]", len(values))
        struct = ffi.typeof(ctype).kind in ("struct", "union")
        for number, value in enumerate(values):
            if struct:
                array[number] = (self.new(ctype, **value) if isinstance(value, dict) else value)[0]
            else:
                array[number] = value
        self._owned.append(array)
        return array

    def strings(self, texts: Sequence[str]) -> CData:
        """An array of C strings; null if there are none."""
        return self.array("char *", [self._own(text) for text in texts])

    def data(self, data: bytes) -> CData:
        """A copy of the bytes."""
        copy = ffi.new("char[]", len(data))
        ffi.memmove(copy, data, len(data))
        self._owned.append(copy)
        return copy

    def out(self, ctype: str, count: int = 1) -> CData:
        """A zeroed array of ``count`` values, as an output parameter."""
        room = ffi.new(f"{ctype}[]", count)
        self._owned.append(room)
        return room

    def _own(self, value: Any) -> Any:
        if isinstance(value, ffi.CData):
            self._owned.append(value)
        elif isinstance(value, str):
            value = ffi.new("char[]", value.encode())
            self._owned.append(value)
        elif isinstance(value, dict):
            return {name: self._own(item) for name, item in value.items()}
        elif value is None:
            return NULL
        return value
