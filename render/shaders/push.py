"""Packing of Python values into push constants."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from renderwright.render.errors import ShaderError
from renderwright.render.shaders.blocks import block_size
from renderwright.render.shaders.module import BlockMember
from renderwright.render.shaders.packing import BlockPacker
from renderwright.render.suggest import did_you_mean


class PushPacker:
    """Packs a pipeline's push constants; ``members`` are those of all stages (``interface.merge_push``)."""

    def __init__(self, members: tuple[BlockMember, ...], what: str = "push constants") -> None:
        self._what = what
        self.members = members
        #: The bytes of the push constants; 0 without any.
        self.size = block_size(members, 4)
        self._block = BlockPacker(members, self.size, what)

    def pack(self, values: Mapping[str, Any]) -> bytes:
        """Push constants from keyword arguments. A value that belongs to no member is left out.

        Raises:
            ShaderError: a value is missing or does not fit.
        """
        if not self._block.names.issuperset(values):
            self._require_all(values)
        return bytes(self._block.pack(values))

    def unused(self, values: Mapping[str, Any]) -> list[str]:
        """The names of values that belong to no member."""
        return [] if self._block.names.issuperset(values) else sorted(set(values) - self._block.names)

    def _require_all(self, values: Mapping[str, Any]) -> None:
        """Raise ``ShaderError`` if a member has no value while another name has: that one may be misspelt."""
        missing = self._block.names.difference(values)
        if missing:
            name = self.unused(values)[0]
            raise ShaderError(f'{self._what}: there is no member "{name}"', hint=did_you_mean(name, missing))


@lru_cache(maxsize=1024)
def push_packer(members: tuple[BlockMember, ...], what: str) -> PushPacker:
    """A packer, created once for the same members."""
    return PushPacker(members, what)
