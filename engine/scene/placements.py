"""Things that a game places in a scene for plugins to draw, by kind."""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeVar, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from renderwright.engine.caller import caller_location
from renderwright.engine.class_location import class_location
from renderwright.engine.scene.entity_values import shortened
from renderwright.render.errors import SourceLocation, UsageError


@dataclass(frozen=True, eq=False)
class PlacedRows:
    """What shaders need to know of all things of a kind in a frame.

    ``data`` becomes the buffer ``name``, and ``room`` the resolution of that name: one texel for each item that these
    things have room for. A buffer of zeros has no things. Each of ``traits`` is a blob ``NAME_TRAIT``, for nodes that
    only some things need. Each of ``images`` is a texture ``NAME_KEY``.

    With ``state`` there is also a buffer ``NAME_state`` of so many bytes for each item, for nodes to change from frame
    to frame: zeros at first, and whenever ``room`` has grown. The blob ``NAME_moving`` says whether there may be a
    ``step`` that it has not seen.

    A ``value`` is what nodes need to know on the CPU: the blob ``NAME_value``. It compares with ``==``.
    """

    name: str
    data: NDArray[Any]
    room: int
    traits: frozenset[str] = frozenset()
    images: Mapping[str, PlacedImages] = field(default_factory=dict)
    state: int = 0
    step: int = 0
    value: object = None


@dataclass(frozen=True, eq=False)
class PlacedImages:
    """Images of things as layers of one texture with all mips; the same object as long as none of them changes.

    ``texels`` is uint8 (layers, height, width, 4) with two layers or more, which shaders sample as a
    ``sampler2DArray``. ``srgb`` marks sRGB-encoded colour.
    """

    texels: NDArray[np.uint8]
    srgb: bool = True


class PlacedTable(Protocol):
    """The things of one kind in a scene. It has all of these methods; a plugin whose table lacks one is broken."""

    def __len__(self) -> int:
        """The number of things."""

    def add(self, thing: Any) -> None:
        """Add a thing that is not there."""

    def remove(self, thing: Any) -> None:
        """Remove a thing that is there."""

    def clear(self) -> None:
        """Remove all things."""

    def __contains__(self, thing: object) -> bool:
        """Whether a thing is there."""

    def end_step(self, seconds: float) -> None:
        """End a fixed step, after the game has moved its things."""

    def rows(self, alpha: float) -> PlacedRows:
        """The things between the last two steps (``alpha``, 0 to 1); the same object as long as nothing changes."""


@runtime_checkable
class Placed(Protocol):
    """A thing that a plugin draws. Its class has both methods; a plugin whose class lacks one is broken."""

    @classmethod
    def table(cls) -> PlacedTable:
        """An empty table for things of this kind."""

    @classmethod
    def examples(cls) -> Sequence[Placed]:
        """Things that need all shaders, each alone or together."""


Thing = TypeVar("Thing", bound=Placed)
_METHODS = ("__len__", "__contains__", "add", "remove", "clear", "end_step", "rows")


def kind_problem(kind: type) -> tuple[str, str]:
    """What a kind of things lacks, and how to mend it; two empty texts if it lacks nothing.

    It makes a table, and propagates what ``table()`` raises.
    """
    for name, gives in (("table", "an empty PlacedTable"), ("examples", "things that need all shaders")):
        method = inspect.getattr_static(kind, name, None)
        if method in (None, vars(Placed)[name]) or inspect.isfunction(method):
            return (
                f"{kind.__qualname__} has no class method {name}()",
                f"write {name}(cls) with @classmethod, which returns {gives}",
            )
    table: object = kind.table()  # type: ignore[attr-defined]
    if isinstance(table, type) or table is None:
        return f"{kind.__qualname__}.table() returns {shortened(table)}", "return an empty PlacedTable"
    methods = {name: getattr(table, name, None) for name in _METHODS}
    # Methods that a class has from PlacedTable do nothing.
    lacks = [
        name for name, found in methods.items() if getattr(found, "__func__", found) in (None, vars(PlacedTable)[name])
    ]
    if lacks:
        return (
            f"{type(table).__qualname__}, which {kind.__qualname__}.table() returns, lacks {', '.join(lacks)}",
            f"a PlacedTable has {', '.join(_METHODS)}",
        )
    return "", ""


class Placements:
    """The placed things of a scene. Without any, a frame has no trace of them."""

    def __init__(self) -> None:
        self._tables: dict[type, PlacedTable] = {}
        #: The kinds of things that have been placed, each with the line of the game that placed the first.
        self.kinds: tuple[tuple[type, SourceLocation | None], ...] = ()
        self._running: float | None = None

    def add(self, thing: Thing) -> Thing:
        """Place a thing and return it. Raises ``UsageError`` if it is there already, or no thing that can be placed."""
        if not isinstance(thing, Placed):
            raise UsageError(
                f"{shortened(thing)} cannot be placed",
                hint="place things of plugins, such as renderwright.plugins.particles.Emitter",
                where=caller_location(),
            )
        table = self._tables.get(type(thing))
        if table is None:
            table = self._tables[type(thing)] = _table_of(type(thing))
            self.kinds = (*self.kinds, (type(thing), caller_location()))
        if thing in table:
            raise UsageError(f"{shortened(thing)} is placed already", hint="remove it first", where=caller_location())
        table.add(thing)
        return thing

    def remove(self, thing: Placed) -> None:
        """Remove a thing. Raises ``UsageError`` if it is not there."""
        table = self._tables.get(type(thing))
        if table is None or thing not in table:
            raise UsageError(
                f"{shortened(thing)} is not placed in this scene", hint="remove it once", where=caller_location()
            )
        table.remove(thing)

    def clear(self) -> None:
        """Remove all things."""
        for table in self._tables.values():
            table.clear()

    def begin_step(self, seconds: float) -> None:
        """Start a fixed step, which ends the one before."""
        self._end_step()
        self._running = seconds

    def drawn(self, alpha: float) -> Sequence[PlacedRows]:
        """The rows of all kinds of which there are things, between the last two steps (``alpha``, 0 to 1)."""
        self._end_step()
        return tuple([table.rows(alpha) for table in self._tables.values() if len(table)])

    def _end_step(self) -> None:
        if self._running is not None:
            for table in self._tables.values():
                table.end_step(self._running)
            self._running = None


def _table_of(kind: type[Placed]) -> PlacedTable:
    """An empty table. Raises ``UsageError`` if the kind or the table lacks a method."""
    problem, hint = kind_problem(kind)
    if problem:
        raise UsageError(problem, hint=hint, where=class_location(kind))
    return kind.table()
