"""Finds uniform blocks whose values the execution of their node changes.

A node that keeps its commands is not executed, while the functions that fill its blocks are called in each frame. So a
function may depend on anything but the execution. A member that changes outside of an execution as well, such as with
a clock, is not looked at.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from renderwright.render.runtime.lowering.uniforms import UniformWriter
from renderwright.render.runtime.verification.same_values import same_values

_TOP = re.compile(r"[^.\[]+")


@dataclass
class _Watched:
    """A block that a function fills: its bytes after the last execution, and the members that change without one."""

    function: Callable[[], Any]
    after: bytes | None = None
    restless: set[str] = field(default_factory=set)


class BlockValues:
    """The blocks of nodes that are executed although they keep their commands."""

    def __init__(self) -> None:
        self._watched: dict[object, _Watched] = {}

    def executed(self, writers: Iterable[UniformWriter]) -> None:
        """The node of these blocks has been executed since they were written, as it had to be."""
        for writer in writers:
            if writer.packer.what in self._watched:
                self._watched[writer.packer.what].after = None

    def changed_member(self, writer: UniformWriter) -> str:
        """The member that the execution of a node has changed since its block was written; '' if there is none."""
        if writer.source.blobs is not None:
            return ""
        supplier, pack = writer.source.supplier, writer.packer.pack
        watched = self._watched.get(writer.packer.what)
        if watched is None or watched.function is not supplier:
            watched = self._watched[writer.packer.what] = _Watched(supplier)
        if watched.restless >= writer.packer.names:
            return ""
        before, earlier = bytes(writer.target), watched.after
        if earlier is not None:
            watched.restless |= _different_members(writer, earlier, before)
        values = supplier()
        watched.after = bytes(pack(values))
        changed = _different_members(writer, before, watched.after) - watched.restless
        if changed:
            again = supplier()  # a clock is later now, perhaps by less than a float tells
            watched.restless |= {
                name for name in changed if not same_values(_member(values, name), _member(again, name))
            }
        return min(changed - watched.restless, default="")


def _different_members(writer: UniformWriter, one: bytes, other: bytes) -> set[str]:
    """The names of the block's members whose bytes are not the same."""
    if one == other:
        return set()
    members = sorted(writer.packer.members, key=lambda member: member.offset)
    ends = [*(second.offset for _, second in pairwise(members)), len(one)]
    return {
        _TOP.match(member.name)[0]  # type: ignore[index]
        for member, end in zip(members, ends, strict=True)
        if one[member.offset : end] != other[member.offset : end]
    }


def _member(values: Any, name: str) -> Any:
    return values.get(name) if isinstance(values, Mapping) else getattr(values, name, None)
