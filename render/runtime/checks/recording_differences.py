"""What is not the same in two recordings of a node, in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import zip_longest
from struct import unpack_from
from typing import Any

from renderwright.render.backend.protocol import Pipeline
from renderwright.render.runtime.checks.noted_calls import NotedCall
from renderwright.render.runtime.checks.same_values import same_values
from renderwright.render.shaders.interface import merge_push
from renderwright.render.shaders.module import BlockMember

_COUNTS = {"vertices": "vertex count", "instances": "instance count", "indices": "index count"}
_COUNTED = {"x": "workgroups in x", "y": "workgroups in y", "z": "workgroups in z"}
_WORDS: Mapping[str, Mapping[str, str]] = {"draw": _COUNTS, "draw_indexed": _COUNTS, "dispatch": _COUNTED}
_SCALARS = {"float": "f", "int": "i", "uint": "I"}
_VECTORS = {"vec": "f", "ivec": "i", "uvec": "I"}


def difference(now: Sequence[NotedCall], kept: Sequence[NotedCall]) -> str:
    """The first difference of a recording from the one that is kept; '' if there is none."""
    for call, before in zip_longest(now, kept):
        if call is None:
            return f"{before.command} is missing: {len(now)} calls, kept {len(kept)}"
        if before is None:
            return f"{call.command} is added: {len(now)} calls, kept {len(kept)}"
        if call.command != before.command:
            return f"{call.command} instead of {before.command}"
        if found := _difference_of_call(call, before):
            return found
    return ""


def _difference_of_call(now: NotedCall, kept: NotedCall) -> str:
    for (name, value), (_, before) in zip(now.arguments, kept.arguments, strict=True):
        if not same_values(value, before):
            if now.command == "push" and name == "data":
                return f"push: {_difference_of_push(dict(now.arguments)['pipeline'], value, before)}"
            word = _WORDS.get(now.command, {}).get(name, name.replace("_", " "))
            return f"{now.command}: {word} {in_words(value)}, kept {_kept_in_words(value, before)}"
    return ""


def _difference_of_push(pipeline: Pipeline, now: bytes, kept: bytes) -> str:
    if len(now) != len(kept):
        return f"{len(now)} bytes, kept {len(kept)}"
    first = next(at for at, (one, other) in enumerate(zip(now, kept, strict=True)) if one != other)
    members = [member for member in merge_push(pipeline.desc.modules)[0] if member.offset <= first]
    if not members:
        return f"byte {first} is {now[first]}, kept {kept[first]}"
    member = max(members, key=lambda found: found.offset)
    values = _values(member, now), _values(member, kept)
    return f'"{member.name}"' + (f" {values[0]}, kept {values[1]}" if all(values) else "")


def _values(member: BlockMember, data: bytes) -> str:
    """The value of a number or vector; '' for other members."""
    kind = _SCALARS.get(member.type) or _VECTORS.get(member.type[:-1])
    if kind is None or member.count:
        return ""
    count = 1 if member.type in _SCALARS else int(member.type[-1])
    numbers = [f"{number:.7g}" for number in unpack_from(f"={count}{kind}", data, member.offset)]
    return numbers[0] if count == 1 else f"({', '.join(numbers)})"


def in_words(value: Any) -> str:
    """A value, or an object of the device by its name."""
    name = getattr(getattr(value, "desc", value), "name", None)
    if isinstance(name, str):
        return f'"{name}"'
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


def _kept_in_words(now: Any, kept: Any) -> str:
    words = in_words(kept)
    return words if words != in_words(now) else f"another {words}"
