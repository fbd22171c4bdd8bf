"""Packing of Python values into uniform blocks."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from inspect import getattr_static
from typing import Any

from renderwright.render.errors import ShaderError, SourceLocation
from renderwright.render.shaders.module import BlockMember, ShaderBinding, ShaderModule
from renderwright.render.shaders.writers import UnfitError, Writer, member_writer
from renderwright.render.suggest import nearest

_PATH_PART = re.compile(r"([^.\[\]]+)|\[(\d+)\]")
_PADDING = "_pad"
_MOST_NAMES = 20
"""The most names of given values that a message lists."""
ZEROS = object()
"""The values of a block, or of a struct, that is zero throughout."""


class _UnfitValueError(Exception):
    """A value that a block cannot take; the message does not name the block."""

    def __init__(self, message: str, hint: str) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class BlockPacker:
    """Packs values into a block's layout; created once for a block, used every frame. Blocks of one layout share its
    writers.

    Values are an object with attributes or a mapping; their names are the block's members, further names are ignored.
    Members whose name starts with ``_pad`` are written as zero and need no value. ``ZEROS`` stands for zeros in all of
    them. Accepted by member type:

    - scalars: numbers, booleans, enums with numeric values;
    - vectors: PyGLM vectors, quaternions (as x, y, z, w), tuples, lists, numpy arrays of exactly that length;
    - matrices: PyGLM matrices, numpy arrays indexed [row, column], sequences of columns, flat column-major sequences;
    - arrays: sequences or numpy arrays; if shorter than the block's array, the rest is zero;
    - structs: objects or mappings again; arrays of more than 64 structs: bytes in the block's layout.

    ``what`` names the block in messages, as a text. ``where`` is the line that fills it.
    """

    def __init__(
        self, members: Iterable[BlockMember], size: int, what: object, where: SourceLocation | None = None
    ) -> None:
        self.size = size
        self.what = what
        self.where = where
        self.members = tuple(members)
        self.names, self._write = _block_writer(self.members)

    @classmethod
    def of(cls, module: ShaderModule, binding: ShaderBinding) -> BlockPacker:
        """The packer of a module's uniform block."""
        return cls(binding.members, binding.size, f'block "{binding.name}" of {module.file}')

    def pack(self, values: Any) -> bytearray:
        """``size`` bytes with the values; gaps are zero.

        Raises:
            ShaderError: a member has no value, or one that does not fit its type.
        """
        data = bytearray(self.size)
        try:
            self._write(data, values)
        except _UnfitValueError as error:
            raise ShaderError(f"{self.what}: {error.message}", hint=error.hint, where=self.where) from error.__cause__
        return data

    def pack_into(self, target: memoryview, values: Any) -> None:
        """Like ``pack``, into the start of ``target`` (writable bytes); an error leaves it unchanged."""
        data = self.pack(values)
        if len(target) < self.size:
            raise ShaderError(
                f"{self.what} needs {self.size} bytes, the target has {len(target)}",
                hint="reserve the size that reflection gives for the block",
            )
        target[: self.size] = data


@dataclass
class _Branch:
    """A struct (children by name) or an array of structs (children by index) during the construction of a packer."""

    children: dict[str | int, _Branch | BlockMember] = field(default_factory=dict)

    def add(self, member: BlockMember) -> None:
        """Insert a member at its path."""
        parts = [int(index) if index else name for name, index in _PATH_PART.findall(member.name)]
        branch = self
        for part in parts[:-1]:
            child = branch.children.setdefault(part, _Branch())
            if not isinstance(child, _Branch):
                raise ShaderError(f'member "{member.name}" lies within another', hint="rename one of the members")
            branch = child
        branch.children[parts[-1]] = member


@lru_cache(maxsize=256)
def _block_writer(members: tuple[BlockMember, ...]) -> tuple[frozenset[str], Writer]:
    """The names in a block and the writer of its values. Many nodes have the block of the camera, or that of lights."""
    root = _Branch()
    for member in members:
        root.add(member)
    return frozenset(str(name) for name in root.children), _branch_writer(root, "")


def _writer(child: _Branch | BlockMember, path: str) -> Writer:
    return _branch_writer(child, path) if isinstance(child, _Branch) else _leaf_writer(child)


def _leaf_writer(member: BlockMember) -> Writer:
    write = member_writer(member)

    def write_checked(data: bytearray, value: Any) -> None:
        try:
            write(data, value)
        except UnfitError as error:
            length = f"[{member.count}]" if member.count else ""
            raise _UnfitValueError(
                f'member "{member.name}" is {member.type}{length}, but its value is {_shown(value)}',
                hint=str(error),
            ) from error

    return write_checked


def _branch_writer(branch: _Branch, path: str) -> Writer:
    if 0 in branch.children:
        return _elements_writer(branch, path)
    children = [
        (str(name), _writer(child, f"{path}.{name}" if path else str(name)))
        for name, child in branch.children.items()
        if not str(name).startswith(_PADDING)
    ]

    def write(data: bytearray, values: Any) -> None:
        if values is ZEROS:
            return
        if isinstance(values, Mapping):
            for name, write_child in children:
                if name not in values:
                    raise _missing(name, path, values)
                write_child(data, values[name])
            return
        for name, write_child in children:
            try:
                value = getattr(values, name)
            except AttributeError as error:
                raise _missing(name, path, values) from error
            write_child(data, value)

    return write


def _elements_writer(branch: _Branch, path: str) -> Writer:
    """A writer of an array of structs; elements without a value stay zero."""
    writers: list[Callable[[bytearray, Any], None]] = [
        _writer(child, f"{path}[{index}]") for index, child in branch.children.items()
    ]

    def write(data: bytearray, values: Any) -> None:
        try:
            count = len(values)
        except TypeError as error:
            raise _UnfitValueError(
                f'member "{path}" is an array, but its value is {_shown(values)}', hint="give a sequence"
            ) from error
        if count > len(writers):
            raise _UnfitValueError(
                f'member "{path}" has {len(writers)} elements, but its value has {count}',
                hint="give fewer, or make the array in the shader longer",
            )
        for write_element, value in zip(writers, values, strict=False):
            write_element(data, value)

    return write


def _missing(name: str, path: str, values: Any) -> _UnfitValueError:
    member = f"{path}.{name}" if path else name
    if isinstance(values, Mapping):
        owner, present = "the given values have", [str(key) for key in values]
    else:
        owner, present = f"{type(values).__name__} has", _attributes(values)
    near = nearest(name, present)
    names = sorted(present)[:_MOST_NAMES]
    more = [f"{len(present) - _MOST_NAMES} more"] if len(present) > _MOST_NAMES else []
    return _UnfitValueError(
        f'there is no value for member "{member}"; {owner} {", ".join([*names, *more]) or "nothing"}',
        hint=f'did you mean "{near}"?' if near else f'give a value for "{name}" as well, or take it out of the shader',
    )


def _attributes(values: Any) -> list[str]:
    """The public data attributes of an object."""
    # Names that begin with "model_" are pydantic's own on its models.
    fields = getattr(type(values), "model_fields", {})
    names = [name for name in dir(values) if name in fields or not name.startswith(("_", "model_"))]
    statics = [(name, getattr_static(values, name, None)) for name in names]
    return [name for name, value in statics if not callable(value) and not isinstance(value, classmethod)]


def _shown(value: Any) -> str:
    text = repr(value)
    return f"{type(value).__name__} {text if len(text) <= 60 else text[:57] + '...'}"
