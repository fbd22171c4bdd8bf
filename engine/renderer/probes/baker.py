"""Decides which probe is baked in which frame."""

from __future__ import annotations

from renderwright.engine.renderer.lights.light_set import LightSet
from renderwright.engine.renderer.probes.probe_set import ProbeBake, ProbeSet
from renderwright.engine.scene.probe import MOST_PROBES, Probe
from renderwright.render.graph.revision import Revision

RATE = 4
"""Frames from one bake to the next."""


class ProbeBaker:
    """Bakes one probe at a time, each once and again when its game asks for it.

    ``follow`` is called before each frame. ``revision`` advances while the probes of the frame may change.
    """

    def __init__(self) -> None:
        self.revision = Revision()
        self._probes: tuple[Probe, ...] = ()
        self._places: dict[Probe, int] = {}
        self._baked: dict[Probe, int] = {}
        self._bake: ProbeBake | None = None
        self._drawn: ProbeBake | None = None
        self._next = 0

    def follow(self, probes: tuple[Probe, ...]) -> None:
        """Bake these probes."""
        if probes is not self._probes:
            self._probes = probes
            self._places = {probe: place for probe, place in self._places.items() if probe in probes}
            self._baked = {probe: asked for probe, asked in self._baked.items() if probe in probes}
            free = [place for place in range(MOST_PROBES) if place not in self._places.values()]
            new = [probe for probe in probes if probe not in self._places]
            self._places |= dict(zip(new, free, strict=False))
            self.revision.advance()
        if self._pending() is not None:
            self.revision.advance()

    def choose(self, frame: int, lights: LightSet) -> tuple[ProbeSet, ProbeBake]:
        """The probes of a frame, and the one that is baked in it or was baked last. There is one at least."""
        probe = self._pending()
        if self._bake is None or (probe is not None and frame >= self._next):
            probe = probe or self._probes[0]
            asked = 1 if self._bake is None else self._bake.asked + 1
            self._bake = ProbeBake.of(probe, self._places[probe], lights, asked)
            self._baked[probe] = probe.asked
            self._next = frame + RATE
        return ProbeSet.of(self._probes, self._places, self._baked), self._bake

    def note_drawn(self, bake: ProbeBake) -> None:
        """Called when the faces of a probe are drawn.

        The graph draws them again without being asked when it has lost what it kept, which is the light of all probes.
        """
        if bake == self._drawn:
            self._baked = {probe: asked for probe, asked in self._baked.items() if self._places[probe] == bake.number}
            self.revision.advance()
        self._drawn = bake

    def _pending(self) -> Probe | None:
        return next((probe for probe in self._probes if self._baked.get(probe) != probe.asked), None)
