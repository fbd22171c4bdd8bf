"""Frames of one plan, lowered on first use and kept."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from itertools import chain

from renderwright.render.backend.protocol import Backend
from renderwright.render.runtime.lowering.lowered import Given, LoweredFrame
from renderwright.render.runtime.lowering.lowering_steps import LoweringSteps, steps_while
from renderwright.render.runtime.lowering.node_run import ExpectedValue
from renderwright.render.runtime.memory.placed_cache import PlacedCache
from renderwright.render.steps import all_of
from renderwright.render.types.physical import Physical

MAX_LOWERED = 16
"""Lowered frames kept for one set of skipped nodes, by slot and given resources."""

Lower = Callable[[int, Given, LoweredFrame | None], LoweringSteps]
"""Lowers a frame of a slot with its given resources; may reuse parts of another frame of the slot."""

Renew = Callable[[int, LoweredFrame, LoweredFrame | None], LoweredFrame | None]
"""Renews a frame of a slot some of whose nodes have been declared anew; may share parts with another one that has been
renewed. None if the frame has to be lowered."""

_Key = tuple[int, tuple[Physical, ...], tuple[Physical, ...]]
"""The slot, and the textures and buffers that are given to a frame and those that it uses instead of the plan's own."""


class LoweredFrames:
    """Lowered frames with one set of skipped nodes, at one resolution. They hold references to ``Given.instead``.

    Frames that were lowered before some nodes were declared anew are outdated: ``get`` renews them.
    """

    def __init__(self, lower: Lower, renew: Renew, backend: Backend, placed: PlacedCache) -> None:
        self._lower = lower
        self._renew = renew
        self._backend = backend
        self._placed = placed
        self._known: dict[_Key, LoweredFrame] = {}
        self._outdated: dict[_Key, LoweredFrame] = {}
        self._changes = 0

    def get(
        self,
        slot: int,
        given: Given,
        like: Callable[[], LoweredFrame | None] = lambda: None,
        donor: LoweredFrame | None = None,
    ) -> LoweredFrame:
        """The frame of a slot with ``given``. A new one reuses parts of the slot's latest frame, or of ``like()``, a
        renewed one shares parts with ``donor``, the frame that was used in the slot before."""
        key = _key(slot, given)
        lowered = self._known.pop(key, None)
        if lowered is not None:
            self._known[key] = lowered  # insertion order is least recently used first
            return lowered
        if key in self._outdated:
            lowered = self._renew(slot, self._outdated[key], donor)
        if lowered is None:
            lowered = all_of(self._lower(slot, given, self.latest(slot) or like()))
        self._keep(key, lowered)
        return lowered

    def has(self, slot: int, given: Given) -> bool:
        """Whether the frame of a slot with ``given`` is lowered, or can be renewed."""
        key = _key(slot, given)
        return key in self._known or key in self._outdated

    def ahead(
        self,
        slot: int,
        given: Given,
        expected: ExpectedValue,
        like: Callable[[], LoweredFrame | None] = lambda: None,
    ) -> Iterator[None]:
        """Lower the frame of a slot with ``given`` in steps, for a later ``get``, perhaps before the last step. Then
        execute nodes whose blobs are ``expected`` to have the same values in that frame, and record command buffers.

        It ends after ``leave``, since what it would bind next may be gone, and after ``redeclare``.
        """
        key, changes = _key(slot, given), self._changes
        for physical in key[2]:
            self._placed.hold(physical)
        try:
            with closing(self._lower(slot, given, self.latest(slot) or like())) as steps:
                lowered = yield from steps_while(steps, lambda: self._changes == changes)
            if lowered is not None and key in self._known:
                lowered.destroy(self._backend)
            elif lowered is not None:
                self._keep(key, lowered)
                yield from self._record_ahead(key, given.frame, expected)
        finally:
            for physical in key[2]:
                self._placed.give_back(physical)

    def _record_ahead(self, key: _Key, frame: int, expected: ExpectedValue) -> Iterator[None]:
        """Execute nodes of a known frame, and record its command buffers, as long as it is known."""
        lowered = self._known[key]
        steps: list[Callable[[], None]] = [
            partial(run.record_ahead, frame, expected) for run in lowered.runs.values() if run.can_be_ahead
        ]
        steps += [partial(segment.record_ahead, self._backend) for segment in lowered.segments]
        for step in steps:
            yield
            if self._known.get(key) is not lowered:
                return
            step()

    def _keep(self, key: _Key, lowered: LoweredFrame) -> None:
        outdated = self._outdated.pop(key, None)
        if outdated is not None:
            outdated.destroy(self._backend)  # the new one holds what it held
        else:
            for physical in key[2]:
                self._placed.hold(physical)
            if len(self._known) + len(self._outdated) >= MAX_LOWERED:
                self._drop(next(chain(self._outdated, self._known)))
        self._known[key] = lowered

    def latest(self, slot: int) -> LoweredFrame | None:
        """The frame that was last used in a slot."""
        used = chain(reversed(self._known.items()), reversed(self._outdated.items()))
        return next((lowered for key, lowered in used if key[0] == slot), None)

    def redeclare(self) -> None:
        """Renew all frames when they are used next: some nodes have been declared anew."""
        self._changes += 1
        self._outdated |= self._known
        self._known = {}

    def leave(self) -> list[LoweredFrame]:
        """Lower nothing more, and hold no resources; the caller destroys the frames."""
        self._changes += 1
        frames = self._outdated | self._known
        for key in frames:
            self._give_back(key)
        self._known, self._outdated = {}, {}
        return list(frames.values())

    def destroy(self) -> None:
        """Release everything."""
        for lowered in self.leave():
            lowered.destroy(self._backend)

    def _drop(self, key: _Key) -> None:
        frames = self._outdated if key in self._outdated else self._known
        frames.pop(key).destroy(self._backend)
        self._give_back(key)

    def _give_back(self, key: _Key) -> None:
        for physical in key[2]:
            self._placed.give_back(physical)


def _key(slot: int, given: Given) -> _Key:
    return slot, tuple(given.physicals.values()), tuple(given.instead.values())
