"""Random sound streams for one queue: each access comes after the barrier, event or semaphore that it needs."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from cell_states import ALL, ANY, CELL, Cell, Cells
from random_works import RandomWork, WorkChooser
from stream_script import Script

from renderwright.render.sync.oracle.stream import (
    BeginRendering,
    Dependency,
    EndRendering,
    HostWait,
    Item,
    ResetEvent,
    SetEvent,
    Stream,
    Wait,
    WaitEvents,
    Work,
)

ImageBytes = Callable[[int, int, bool], int]
"""Bytes of an image by mips, layers and whether it is for depth."""


@dataclass
class _Step:
    """A work with what must come before it: ``since`` is the last step that its barrier waits for.

    Or the end of a submission: the next one ``waits`` for it on the device, or before that the ``host`` does.
    """

    work: RandomWork | None = None
    dependencies: list[Dependency] = field(default_factory=list)
    since: int = -1
    submits: bool = False
    waits: bool = False
    host: bool = False
    set_before: list[tuple[str, list[Dependency]]] = field(default_factory=list)
    event: str = ""
    resets: bool = False


def sound_stream(seed: int, image_bytes: ImageBytes) -> Stream:
    """The stream of a seed."""
    return _Generator(random.Random(seed), image_bytes).stream()


class _Generator:
    def __init__(self, rng: random.Random, image_bytes: ImageBytes) -> None:
        self._rng = rng
        self._script = Script()
        self._cells = Cells(rng)
        self._works = WorkChooser(rng, self._cells)
        self._resources(image_bytes)
        self._values = 0

    def stream(self) -> Stream:
        steps = self._steps(self._rng.randint(3, 12))
        self._split(steps)
        self._write(steps)
        return self._script.stream()

    # resources ------------------------------------------------------------------------------------------------------

    def _resources(self, image_bytes: ImageBytes) -> None:
        rng = self._rng
        count = rng.randint(2, 5)
        shares = rng.random() < 0.5
        free = 0
        places: list[int] = []
        for number in range(count):
            kind = rng.choice(["image", "image", "depth", "buffer", "buffer"])
            name = f"{kind} {number}"
            mips, layers = (rng.choice([1, 1, 2, 3]), rng.choice([1, 1, 2])) if kind != "buffer" else (0, 0)
            if mips and shares and rng.random() < 0.5:
                mips = layers = 1  # images that are alike
            size = image_bytes(mips, layers, kind == "depth") if mips else CELL * rng.choice([1, 2])
            offset = rng.choice(places) if shares and places and rng.random() < 0.6 else free
            places.append(offset)
            free = max(free, -(-(offset + size) // CELL) * CELL)
            memory = (offset, size)
            if mips:
                self._script.image(name, memory, mips=mips, layers=layers)
                keys = [(mip, layer) for mip in range(mips) for layer in range(layers)]
                cells = [Cell(name, key, (0, offset, offset + size)) for key in keys]
            else:
                content = "defined" if rng.random() < 0.7 and not shares else "none"
                self._script.buffer(name, size, memory, content=content)
                starts = range(size // CELL)
                cells = [
                    Cell(name, (at, -1), (0, offset + at * CELL, offset + (at + 1) * CELL), layout="") for at in starts
                ]
                for cell in cells:
                    cell.content = content == "defined"
            self._cells.add(name, cells)
            self._works.add(name, kind, mips, layers, size)

    # steps ----------------------------------------------------------------------------------------------------------

    def _steps(self, count: int) -> list[_Step]:
        steps: list[_Step] = []
        while len(steps) < count:
            if steps and self._rng.random() < 0.12:
                waits = self._rng.random() < 0.5
                steps.append(_Step(submits=True, waits=waits, host=self._rng.random() < 0.15))
                if waits:
                    self._cells.everything_waited_for()
                continue
            work = self._works.choose()
            if work is None:
                continue
            step = _Step(work)
            needs = [self._cells.needs(want) for want in work.wants]
            for want, (dependencies, since) in zip(work.wants, needs, strict=True):
                step.dependencies += dependencies
                step.since = max(step.since, since)
                self._cells.apply(want, dependencies, len(steps))
            if self._rng.random() < 0.06:
                step.dependencies.append(Dependency(ALL, ANY, ALL, ANY))
            steps.append(step)
        return steps

    def _split(self, steps: Sequence[_Step]) -> None:
        """Turn some barriers into events that are set as soon as what they wait for is over."""
        for number, step in enumerate(steps):
            first = step.since + 1
            breaks = [at for at in range(number) if steps[at].submits]
            # What a semaphore has ordered is not named by barriers any more, so they must come after its wait.
            breaks = [at for at in breaks if steps[at].waits or self._rng.random() < 0.8]
            first = max([first, *(at + 1 for at in breaks)])
            if not step.dependencies or first >= number or self._rng.random() < 0.4:
                continue
            at = self._rng.randint(first, number - 1)
            if steps[at].submits:
                continue
            step.event = f"event {number}"
            steps[at].set_before.append((step.event, step.dependencies))
            step.resets = self._rng.random() < 0.2

    # writing --------------------------------------------------------------------------------------------------------

    def _write(self, steps: Sequence[_Step]) -> None:
        script = self._script.semaphore("timeline").begin()
        held = False
        for step in steps:
            if step.submits:
                self._submit(held, step.host)
                held = step.waits
                script.begin()
                continue
            for event, dependencies in step.set_before:
                self._add(SetEvent, event, tuple(dependencies))
            if step.event:
                self._add(WaitEvents, ((step.event, tuple(step.dependencies)),))
            elif step.dependencies:
                self._barriers(step.dependencies)
            if step.resets:
                script.barrier(Dependency(ALL, 0, ALL, 0))
                self._add(ResetEvent, step.event, ALL)
            assert step.work is not None
            self._work(step.work)
        self._submit(held, False)

    def _barriers(self, dependencies: Sequence[Dependency]) -> None:
        if len(dependencies) > 1 and self._rng.random() < 0.3:
            for one in dependencies:
                self._script.barrier(one)
        else:
            self._script.barrier(*dependencies)

    def _work(self, work: RandomWork) -> None:
        if work.attachments:
            self._add(BeginRendering, work.attachments)
        flags = {"draws": bool(work.attachments), "blends": work.blends, "depth": work.depth}
        self._add(Work, work.name, work.accesses, **flags)
        if work.attachments:
            self._add(EndRendering)

    def _submit(self, waits: bool, host: bool) -> None:
        held = (Wait("timeline", self._values, ALL),) if waits else ()
        self._values += 1
        self._script.submit(waits=held, signals=(Wait("timeline", self._values, ALL),))
        if host:
            self._script.add(HostWait(self._script.line, "timeline", self._values))

    def _add(self, kind: Callable[..., Item], *fields: object, **flags: object) -> None:
        buffer = self._script._buffer
        self._script.add(kind(self._script.line, buffer, *fields, **flags))
