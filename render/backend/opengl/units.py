"""The units of a pipeline's bindings: texture units, image units, and binding points of blocks.

Each kind is numbered through all sets, because OpenGL has no sets and few image units.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from renderwright.render.backend.shader_limits import FEWER_BINDINGS, array_without_length
from renderwright.render.errors import ShaderError
from renderwright.render.shaders.interface import merge_bindings
from renderwright.render.shaders.module import UNSIZED, BindingKind, ShaderBinding, ShaderModule
from renderwright.render.shaders.opengl_words import PUSH_PLACE, place_of, push_is_uniform


@dataclass(frozen=True)
class PushBlock:
    """Where push constants are bound: the point of a uniform block or of a storage block, and their bytes."""

    uniform: bool
    point: int
    size: int


@dataclass(frozen=True, eq=False)
class Units:
    """The bindings of each set in order, and the first unit of each by its place (``opengl_words.place_of``).

    Each pipeline has its own, which are told apart by identity.
    """

    sets: Mapping[int, tuple[ShaderBinding, ...]]
    by_place: Mapping[int, int]
    push: PushBlock | None

    def of(self, binding: ShaderBinding) -> int:
        """The first unit of a binding."""
        return self.by_place[place_of(binding.set, binding.binding)]

    @property
    def places(self) -> Mapping[int, int]:
        """The unit of each place, with that of push constants."""
        return {**self.by_place, **({PUSH_PLACE: self.push.point} if self.push is not None else {})}


def units_of(modules: Sequence[ShaderModule], name: str, most: Mapping[BindingKind, int]) -> Units:
    """The units of a pipeline called ``name``; ``most`` are the device's units of each kind.

    Raises ``ShaderError`` if stages disagree about a binding, or need more units than there are.
    """
    counts = dict.fromkeys(BindingKind, 0)
    sets: dict[int, list[ShaderBinding]] = {}
    by_place: dict[int, int] = {}
    for binding in merge_bindings(modules):
        if binding.count == UNSIZED:
            raise array_without_length(name, binding.name)
        sets.setdefault(binding.set, []).append(binding)
        by_place[place_of(binding.set, binding.binding)] = counts[binding.kind]
        counts[binding.kind] += binding.count
    push = _push(modules, counts)
    for kind, count in counts.items():
        if count > most[kind]:
            raise ShaderError(
                f'"{name}" binds {count} {kind.replace("_", " ")}s, and the device has {most[kind]}',
                hint=FEWER_BINDINGS,
            )
    return Units({number: tuple(bindings) for number, bindings in sets.items()}, by_place, push)


def _push(modules: Sequence[ShaderModule], counts: dict[BindingKind, int]) -> PushBlock | None:
    kind = push_kind(modules)
    if kind is None:
        return None
    size = max(module.push_size for module in modules)
    point = counts[kind]
    counts[kind] += 1
    return PushBlock(kind is BindingKind.UNIFORM_BUFFER, point, size)


def push_kind(modules: Sequence[ShaderModule]) -> BindingKind | None:
    """The kind of block that holds push constants; None without any. Raises ``ShaderError`` if stages disagree."""
    uniform = {push_is_uniform(module.push_members) for module in modules if module.push_size}
    if len(uniform) > 1:
        raise ShaderError(
            "the stages of a pipeline have different push constants, of which only some fit a uniform block",
            hint="declare the block once, in a file that both stages include",
        )
    if not uniform:
        return None
    return BindingKind.UNIFORM_BUFFER if uniform.pop() else BindingKind.STORAGE_BUFFER
