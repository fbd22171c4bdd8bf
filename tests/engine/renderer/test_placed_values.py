"""What placed things tell nodes on the CPU: ``PlacedRows.value``."""

from __future__ import annotations

from contextlib import closing

import numpy as np

from renderwright.engine.game import Game, GameContext
from renderwright.engine.scene.placements import PlacedRows
from renderwright.engine.session import Session
from renderwright.render import Commands, Execute, Registry
from renderwright.render.backend.null import NullBackend


class Signals:
    """A table with the words of all signals."""

    def __init__(self) -> None:
        self.things: list[Signal] = []

    def __len__(self) -> int:
        return len(self.things)

    def __contains__(self, thing: object) -> bool:
        return any(thing is one for one in self.things)

    def add(self, thing: Signal) -> None:
        self.things.append(thing)

    def remove(self, thing: Signal) -> None:
        self.things.remove(thing)

    def clear(self) -> None:
        self.things.clear()

    def end_step(self, seconds: float) -> None:
        """Nothing happens."""

    def rows(self, alpha: float) -> PlacedRows:
        return PlacedRows("signals", np.zeros(4, np.float32), 1, value=tuple(thing.word for thing in self.things))


class Signal:
    def __init__(self, word: str) -> None:
        self.word = word

    @classmethod
    def table(cls) -> Signals:
        return Signals()

    @classmethod
    def examples(cls) -> tuple[Signal, ...]:
        return (cls("example"),)


class Listener:
    """A node that hears what the signals say."""

    def __init__(self) -> None:
        self.heard: list[object] = []

    def declare(self, reg: Registry) -> Execute:
        reg.modify("hdr_lit").color()
        value = reg.read("signals_value", object)

        def execute(cmd: Commands) -> None:
            self.heard.append(value.value)

        return execute


class Empty(Game):
    plugins = ()
    signals: tuple[Signal, ...] = ()

    def setup(self, context: GameContext) -> None:
        for signal in self.signals:
            context.scene.placed.add(signal)


def frame(session: Session) -> None:
    session.step()
    with closing(session.backend.create_target((32, 32))) as target:
        assert session.render(target) is not None


def test_a_node_hears_the_value_of_each_frame() -> None:
    first, second = Signal("go"), Signal("stop")
    game, listener = type("Signalling", (Empty,), {"signals": (first,)}), Listener()
    with closing(NullBackend()) as backend, closing(Session(game, backend, (32, 32))) as session:
        session.graph.add_node("listener", listener.declare)
        placed = session.context.scene.placed
        frame(session)
        placed.add(second)
        frame(session)
        first.word = "wait"
        frame(session)
        assert listener.heard == [("go",), ("go", "stop"), ("wait", "stop")]


def test_without_things_there_is_no_value_and_its_readers_do_not_run() -> None:
    signal, listener = Signal("go"), Listener()
    game = type("Signalling", (Empty,), {"signals": (signal,)})
    with closing(NullBackend()) as backend, closing(Session(game, backend, (32, 32))) as session:
        session.graph.add_node("listener", listener.declare)
        frame(session)
        session.context.scene.placed.remove(signal)
        frame(session)
        assert listener.heard == [("go",)]
        session.context.scene.placed.add(signal)
        frame(session)
        assert listener.heard == [("go",)] * 2
