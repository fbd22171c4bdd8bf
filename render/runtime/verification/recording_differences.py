"""What is not the same in two recordings of a node, in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import zip_longest
from struct import unpack_from
from typing import Any

from renderwright.render.backend.protocol import Pipeline
from renderwright.render.runtime.verification.noted_calls import NotedCall
from renderwright.render.runtime.verification.recorded_actions import Action, actions, count_difference, in_words
from renderwright.render.runtime.verification.same_values import same_values
from renderwright.render.shaders.interface import merge_push
from renderwright.render.shaders.module import BlockMember

_WORDS: Mapping[tuple[str, str], str] = {
    ("draw", "vertices"): "vertex count",
    ("draw", "instances"): "instance count",
    ("draw_indexed", "instances"): "instance count",
    ("draw_indexed", "indices"): "index count",
    ("draw_indexed_indirect", "draws"): "number of commands",
    ("dispatch", "x"): "number of workgroups in x",
    ("dispatch", "y"): "number of workgroups in y",
    ("dispatch", "z"): "number of workgroups in z",
    ("bind_pipeline", "pipeline"): "pipeline",
    ("bind_vertices", "buffer"): "vertex buffer",
    ("bind_vertices", "offset"): "offset in the vertex buffer",
    ("bind_indices", "buffer"): "index buffer",
    ("bind_indices", "offset"): "offset in the index buffer",
    ("bind_set", "number"): "number of the descriptor set",
}
_STATE: Mapping[str, str] = {
    "bind_pipeline": "the pipeline is set",
    "bind_set": "a descriptor set is bound",
    "bind_vertices": "a vertex buffer is bound",
    "bind_indices": "an index buffer is bound",
    "push": "push constants are set",
    "viewport": "the viewport is set",
    "scissor": "the scissor rectangle is set",
}
_SCALARS = {"float": "f", "int": "i", "uint": "I"}
_VECTORS = {"vec": "f", "ivec": "i", "uvec": "I"}


def difference(now: Sequence[NotedCall], kept: Sequence[NotedCall]) -> str:
    """The first difference of a recording from the one that is kept; '' if there is none."""
    new, old = actions(now), actions(kept)
    if counts := count_difference(new, old):
        return counts
    for place, (call, before) in enumerate(zip_longest(now, kept)):
        if call is None or before is None or call.command != before.command:
            where = _where(new if before is None else old, place)
            return f"{where}: {_state(call)}, kept: {_state(before)}"
        if found := _difference_of_call(call, before):
            return f"{_where(new, place)}: {found}"
    return ""


def _where(found: Sequence[Action], place: int) -> str:
    """The action that a call belongs to."""
    return next((action.name for action in found if action.place >= place), "behind all draws and dispatches")


def _state(call: NotedCall | None) -> str:
    """What a call does, in words."""
    return "nothing is set" if call is None else _STATE.get(call.command, call.command.replace("_", " "))


def _difference_of_call(now: NotedCall, kept: NotedCall) -> str:
    for (name, value), (_, before) in zip(now.arguments, kept.arguments, strict=True):
        if not same_values(value, before):
            if now.command == "push" and name == "data":
                return _difference_of_push(dict(now.arguments)["pipeline"], value, before)
            if now.command == "bind_set" and name == "bindings":
                return f"descriptor set {dict(now.arguments)['number']} has other bindings"
            return f"{_word(now.command, name)} is {in_words(value)}, kept {_kept_in_words(value, before)}"
    return ""


def _word(command: str, argument: str) -> str:
    prefix = f"{command} " if command in ("viewport", "scissor") else ""
    return _WORDS.get((command, argument), f"{prefix}{argument.replace('_', ' ')}")


def _difference_of_push(pipeline: Pipeline, now: bytes, kept: bytes) -> str:
    if len(now) != len(kept):
        return f"there are {len(now)} bytes of push constants, kept {len(kept)}"
    first = next(at for at, (one, other) in enumerate(zip(now, kept, strict=True)) if one != other)
    members = [member for member in merge_push(pipeline.desc.modules)[0] if member.offset <= first]
    if not members:
        return f"byte {first} of the push constants is {now[first]}, kept {kept[first]}"
    member = max(members, key=lambda found: found.offset)
    values = _values(member, now), _values(member, kept)
    name = f'push constant "{member.name}"'
    return f"{name} is {values[0]}, kept {values[1]}" if all(values) else f"{name} has another value"


def _values(member: BlockMember, data: bytes) -> str:
    """The value of a number or vector; '' for other members."""
    kind = _SCALARS.get(member.type) or _VECTORS.get(member.type[:-1])
    if kind is None or member.count:
        return ""
    count = 1 if member.type in _SCALARS else int(member.type[-1])
    numbers = [f"{number:.7g}" for number in unpack_from(f"={count}{kind}", data, member.offset)]
    return numbers[0] if count == 1 else f"({', '.join(numbers)})"


def _kept_in_words(now: Any, kept: Any) -> str:
    words = in_words(kept)
    return words if words != in_words(now) else f"another {words}"
