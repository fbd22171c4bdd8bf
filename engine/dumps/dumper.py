"""Takes the dumps of a game that is played."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from renderwright.engine.dumps.dump import Dump
from renderwright.engine.dumps.files import check_file, write_dump
from renderwright.engine.dumps.node import CopyNode
from renderwright.engine.dumps.place import DUMP_NODES, Place, place_of, reading_place
from renderwright.engine.messages import say
from renderwright.engine.session import Session
from renderwright.render.backend.target import Target
from renderwright.render.compiler.values.plan import Plan
from renderwright.render.errors import UsageError
from renderwright.render.runtime.frame_report import FrameReport


class Dumper:
    """A ``FrameWatcher`` that adds a node to the graph for each dump, and writes files.

    The first plan is made without the nodes, the second one makes what they read and tells where they belong. They
    follow the plan when plugins are switched.
    """

    def __init__(self, dumps: Sequence[Dump]) -> None:
        for dump in dumps:
            check_file(dump)
        self._dumps = dumps
        self._nodes: list[CopyNode] = []
        self._places: list[Place] = []
        self._plan: Plan | None = None
        self._written: set[int] = set()

    def begin(self, session: Session, target: Target) -> None:
        """Add the nodes. Raises ``UsageError`` for names that the game's first frame does not have."""
        plan = _plan(session, target)
        self._nodes = [CopyNode(dump, lambda: session.backend) for dump in self._dumps]
        self._places = [reading_place(dump, plan) for dump in self._dumps]
        for number in range(len(self._nodes)):
            self._add(session, number)
        # Something reads the resources now, so their creators are in the plan.
        plan = _plan(session, target)
        for number, dump in enumerate(self._dumps):
            self._place(session, number, place_of(dump, plan))
        _plan(session, target)

    def see(self, session: Session, report: FrameReport) -> None:
        """Write the dumps of this frame, and follow the plan."""
        if report.plan is not self._plan:
            self._plan = report.plan
            self._follow(session, report.plan)
        for number, node in enumerate(self._nodes):
            if node.dump.frame is not None and node.dump.frame <= report.frame:
                self._write(number)

    def finish(self, session: Session) -> None:
        """Write the dumps of the last frame. Raises ``UsageError`` for those of which nothing was seen."""
        for number in range(len(self._nodes)):
            self._write(number)
        missing = [dump for number, dump in enumerate(self._dumps) if number not in self._written]
        for node in self._nodes:
            node.close()
        if not missing:
            return
        dump, frames = missing[0], session.runtime.frame
        late = dump.frame is not None and dump.frame >= frames
        why = f"the game ended after {frames} frames" if late else "it was not in that frame"
        raise UsageError(
            f'"{dump.resource}" was not dumped: {why}',
            hint="frames count from 0" if late else "a plugin that is off, or a node that did not run, makes it",
        )

    def _place(self, session: Session, number: int, place: Place) -> None:
        if place != self._places[number]:
            self._places[number] = place
            self._add(session, number)

    def _add(self, session: Session, number: int) -> None:
        declare = partial(self._nodes[number].declare, place=self._places[number])
        session.graph.add_node(f"{DUMP_NODES}{number}", declare)

    def _follow(self, session: Session, plan: Plan) -> None:
        """Move the nodes to where the plan has their place, as far as it still has one."""
        for number, dump in enumerate(self._dumps):
            self._require_instance(number, plan)
            try:
                place = place_of(dump, plan)
            except UsageError:
                continue  # its plugin was switched off
            self._place(session, number, place)

    def _require_instance(self, number: int, plan: Plan) -> None:
        """Raise ``UsageError`` if the resource has no instance of the dump's index."""
        dump, name = self._dumps[number], f"{DUMP_NODES}{number}"
        indices = [dict(node.index) for node in plan.graph.nodes if node.declaration.name == name]
        for dimension, wanted in dump.index:
            found = sorted({index.get(dimension, 0) for index in indices})
            if found and wanted not in found:
                raise UsageError(
                    f'"{dump.resource}" has no {dimension} {wanted}',
                    hint=f"it has {len(found)}, and they count from 0",
                )

    def _write(self, number: int) -> None:
        """Write what was copied, once."""
        node = self._nodes[number]
        if number in self._written:
            return
        data, copied = node.take(), node.copied
        if data is None or copied is None:
            return
        self._written.add(number)
        words = write_dump(node.dump, data, copied.info)
        after = f" after {node.dump.after}" if node.dump.after else ""
        say(f'"{node.dump.resource}"{after}, frame {copied.frame}, is in {node.dump.file}: {words}')


def _plan(session: Session, target: Target) -> Plan:
    """The plan of the next frame, also where it is compiled beside the frames."""
    session.prepare(target)
    session.runtime.finish_compile()
    session.prepare(target)
    return session.runtime.plan
