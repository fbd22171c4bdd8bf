"""The draws, dispatches, clears and copies of a recording, and how messages call them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from renderwright.render.backend.protocol import Pipeline
from renderwright.render.runtime.verification.noted_calls import NotedCall
from renderwright.render.runtime.verification.same_values import same_values


@dataclass(frozen=True)
class _Kind:
    """A kind of action in singular and plural, and how its arguments are told."""

    one: str
    several: str
    told: Callable[[Mapping[str, Any]], str]


def _counted(number: int, one: str, several: str) -> str:
    return f"{number} {one if number == 1 else several}"


def _drawn(given: Mapping[str, Any]) -> str:
    what = _counted(given["vertices"], "vertex", "vertices")
    return f"{what}, {_counted(given['instances'], 'instance', 'instances')}"


def _drawn_indexed(given: Mapping[str, Any]) -> str:
    what = _counted(given["indices"], "index", "indices")
    return f"{what}, {_counted(given['instances'], 'instance', 'instances')}"


_KINDS: Mapping[str, _Kind] = {
    "draw": _Kind("draw", "draws", _drawn),
    "draw_indexed": _Kind("indexed draw", "indexed draws", _drawn_indexed),
    "draw_indexed_indirect": _Kind(
        "indirect draw", "indirect draws", lambda given: _counted(given["draws"], "command", "commands")
    ),
    "dispatch": _Kind("dispatch", "dispatches", lambda given: f"{given['x']} x {given['y']} x {given['z']} workgroups"),
    "clear_texture": _Kind("clear", "clears", lambda given: in_words(given["texture"])),
    "copy_texture": _Kind("copy", "copies", lambda given: f"to {in_words(given['target'])}"),
    "copy_texels": _Kind("copy to a buffer", "copies to buffers", lambda given: f"to {in_words(given['target'])}"),
    "fill_buffer": _Kind("fill", "fills", lambda given: in_words(given["buffer"])),
    "copy_buffer": _Kind("buffer copy", "buffer copies", lambda given: f"to {in_words(given['target'])}"),
}


@dataclass(frozen=True)
class Action:
    """A call that writes: ``place`` is its place among all calls, ``number`` counts those of its kind from 1."""

    call: NotedCall
    place: int
    number: int
    pipeline: Pipeline | None

    @property
    def kind(self) -> str:
        """The kind in words, in the singular."""
        return _KINDS[self.call.command].one

    @property
    def name(self) -> str:
        """Kind and number, and the pipeline of a draw or dispatch."""
        pipeline = f" with pipeline {in_words(self.pipeline)}" if self.pipeline is not None else ""
        return f"{self.kind} {self.number}{pipeline}"

    @property
    def described(self) -> str:
        """The name and the most important arguments."""
        return f"{self.name} ({_KINDS[self.call.command].told(dict(self.call.arguments))})"

    def same(self, other: Action) -> bool:
        """Whether two actions of one kind differ in place and number at most."""
        return self.pipeline is other.pipeline and same_values(self.call.arguments, other.call.arguments)


def actions(calls: Sequence[NotedCall]) -> list[Action]:
    """The actions of a recording, in order."""
    found: list[Action] = []
    numbers: dict[str, int] = {}
    bound: Pipeline | None = None
    for place, call in enumerate(calls):
        if call.command == "bind_pipeline":
            bound = dict(call.arguments)["pipeline"]
        elif call.command in _KINDS:
            kind = _KINDS[call.command].one
            numbers[kind] = numbers.get(kind, 0) + 1
            uses_pipeline = call.command == "dispatch" or call.command.startswith("draw")
            found.append(Action(call, place, numbers[kind], bound if uses_pipeline else None))
    return found


def count_difference(now: Sequence[Action], kept: Sequence[Action]) -> str:
    """In words, a kind of action of which there are more or fewer, and the first that is; '' if there is none."""
    for kind in _KINDS.values():
        new, old = ([action for action in each if action.kind == kind.one] for each in (now, kept))
        if len(new) != len(old):
            longer, shorter = (new, old) if len(new) > len(old) else (old, new)
            places = (place for place, one in enumerate(shorter) if not one.same(longer[place]))
            first = longer[next(places, len(shorter))]
            state = "new" if longer is new else "missing"
            return f"{_counted(len(new), kind.one, kind.several)}, kept {len(old)}: {first.described} is {state}"
    return ""


def in_words(value: Any) -> str:
    """A value, a pipeline by its shaders, or another object of the device by its name."""
    modules = getattr(getattr(value, "desc", None), "modules", None)
    if modules:
        return " + ".join(Path(module.file).name for module in modules)
    name = getattr(getattr(value, "desc", value), "name", None)
    if isinstance(name, str):
        return f'"{name}"'
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."
