"""The merged interface of a pipeline's stages: bindings and push constants."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

from renderwright.render.errors import ShaderError
from renderwright.render.formats import Numbers
from renderwright.render.shaders.blocks import block_size
from renderwright.render.shaders.declared import declared_at
from renderwright.render.shaders.module import BindingKind, BlockMember, ShaderBinding, ShaderModule


def merge_bindings(modules: Sequence[ShaderModule]) -> tuple[ShaderBinding, ...]:
    """The bindings of all stages, by set and number; accesses of all stages are combined.

    Raises:
        ShaderError: two stages disagree about a binding, or one name has two set and binding numbers.
    """
    merged: dict[tuple[int, int], tuple[ShaderBinding, ShaderModule]] = {}
    places: dict[str, tuple[tuple[int, int], str]] = {}
    for module in modules:
        for binding in module.bindings:
            place = (binding.set, binding.binding)
            known = merged.get(place)
            if known is None:
                merged[place] = binding, module
            else:
                _check_same(known, (binding, module))
                merged[place] = _joined(known[0], binding), known[1]
            first_place, first_file = places.setdefault(binding.name, (place, module.file))
            if first_place != place:
                raise ShaderError(
                    f'the binding "{binding.name}" is {_shown_place(first_place)} in {_name(first_file)}'
                    f" and {_shown_place(place)} in {_name(module.file)}",
                    hint="give it the same set and binding in every stage, or two names",
                )
    return tuple(merged[place][0] for place in sorted(merged))


def merge_push(modules: Sequence[ShaderModule]) -> tuple[tuple[BlockMember, ...], int]:
    """The push constants of all stages by offset, and their size in bytes (0 if there are none).

    Raises:
        ShaderError: two stages place a member differently, or different members on the same bytes.
    """
    merged: dict[str, tuple[BlockMember, str]] = {}
    for module in modules:
        for member in module.push_members:
            known, file = merged.setdefault(member.name, (member, module.file))
            if known != member:
                raise ShaderError(
                    f'the push constant "{member.name}" is {_shown_member(known)} in {_name(file)}'
                    f" and {_shown_member(member)} in {_name(module.file)}",
                    hint="declare the block once, in a file that both stages include",
                )
    ordered = sorted(merged.values(), key=lambda entry: entry[0].offset)
    for (first, first_file), (second, second_file) in pairwise(ordered):
        if second.offset < block_size((first,), 1):
            raise ShaderError(
                f'the push constants "{first.name}" of {_name(first_file)} and "{second.name}" of {_name(second_file)}'
                " lie on the same bytes",
                hint="declare the block once, in a file that both stages include, or use layout(offset = N)",
            )
    members = tuple(member for member, _ in ordered)
    return members, block_size(members, 4)


def _joined(first: ShaderBinding, second: ShaderBinding) -> ShaderBinding:
    """The binding of two stages. A stage may leave out the last members of a storage block, which it does not use."""
    return replace(
        first,
        writes=first.writes or second.writes,
        reads=first.reads or second.reads,
        size=max(first.size, second.size),
    )


def _check_same(known: tuple[ShaderBinding, ShaderModule], other: tuple[ShaderBinding, ShaderModule]) -> None:
    (first, first_module), (second, second_module) = known, other
    if first_module is second_module:
        raise _one_number_twice(first, second, first_module)
    first_file, second_file = first_module.file, second_module.file
    difference = ""
    if first.name != second.name:
        difference = f'"{first.name}" in {_name(first_file)} and "{second.name}" in {_name(second_file)}'
    elif _kind(first) != _kind(second):
        difference = f"{_shown_kind(first)} in {_name(first_file)} and {_shown_kind(second)} in {_name(second_file)}"
    elif first.kind is BindingKind.UNIFORM_BUFFER and (first.size, first.members) != (second.size, second.members):
        pairs = zip(first.members, second.members, strict=False)
        odd = next((pair for pair in pairs if pair[0] != pair[1]), None)
        what = f'differ at member "{odd[0].name}" / "{odd[1].name}"' if odd else "have different numbers of members"
        difference = f'blocks "{first.name}" that {what} in {_name(first_file)} and {_name(second_file)}'
    if difference:
        raise ShaderError(
            f"{_shown_place((first.set, first.binding))} is {difference}",
            hint="declare it once, in a file that both stages include, or give one of them another binding number",
        )


def _one_number_twice(first: ShaderBinding, second: ShaderBinding, module: ShaderModule) -> ShaderError:
    lines = [declared_at(module.file, binding.name, module.included) for binding in (first, second)]
    return ShaderError(
        f'{_shown_place((first.set, first.binding))} is both "{first.name}" and "{second.name}" in '
        f"{_name(module.file)}",
        hint="give one of them another binding number",
        where=max(lines, key=lambda place: (place.file == module.file, place.line)),
    )


def _kind(binding: ShaderBinding) -> tuple[BindingKind, int, bool, str, Numbers]:
    return binding.kind, binding.count, binding.shadow, binding.format, binding.numbers


def _name(file: str) -> str:
    return Path(file).name


def _shown_place(place: tuple[int, int]) -> str:
    return f"set {place[0]} binding {place[1]}"


def _shown_kind(binding: ShaderBinding) -> str:
    kind = "shadow sampler" if binding.shadow else binding.kind.value.replace("_", " ")
    format_of_texels = f"{binding.format} " if binding.format else ""
    count = f"[{binding.count}]" if binding.count != 1 else ""
    numbers = f" of {binding.numbers}" if binding.numbers is not Numbers.FLOATS else ""
    return f'{format_of_texels}{kind} "{binding.name}"{count}{numbers}'


def _shown_member(member: BlockMember) -> str:
    return f"{member.type}{f'[{member.count}]' if member.count else ''} at byte {member.offset}"
