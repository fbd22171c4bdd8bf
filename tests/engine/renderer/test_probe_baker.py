"""Which probe is baked in which frame."""

from __future__ import annotations

from pyglm import glm

from renderwright.engine.renderer.lights.light_set import LightSet
from renderwright.engine.renderer.probes.baker import RATE, ProbeBaker
from renderwright.engine.scene import Probe, Scene

LIGHTS = LightSet.of(Scene())


def probe(x: float) -> Probe:
    """A probe of a box of a metre."""
    return Probe(glm.vec3(x, 0.0, 0.0), glm.vec3(x + 1.0, 1.0, 1.0))


class Frames:
    """Frames of a graph that draws the faces when another probe is baked, or when it has lost what it kept."""

    def __init__(self) -> None:
        self.baker = ProbeBaker()
        self.frame = 0
        self.last = None
        self.ready: tuple[bool, ...] = ()

    def places(self, probes: tuple[Probe, ...], frames: int, *, lost: bool = False) -> list[int | None]:
        """By frame, the place of the probe that is drawn; None if none is."""
        drawn = []
        for number in range(frames):
            self.baker.follow(probes)
            known, bake = self.baker.choose(self.frame, LIGHTS)
            draws = bake != self.last or (lost and number == 0)
            if draws:
                self.baker.note_drawn(bake)
            drawn.append(bake.number if draws else None)
            self.last, self.frame = bake, self.frame + 1
            self.ready = tuple(high[3] > 0.0 for high in known.highs[: known.count])
        return drawn


def test_one_probe_in_each_period() -> None:
    frames = Frames()
    drawn = frames.places((probe(0.0), probe(2.0), probe(4.0)), 4 * RATE)
    assert [(number, place) for number, place in enumerate(drawn) if place is not None] == [
        (0, 0),
        (RATE, 1),
        (2 * RATE, 2),
    ]
    assert frames.ready == (True, True, True)


def test_a_probe_keeps_its_place_when_another_leaves() -> None:
    frames, one, two, three = Frames(), probe(0.0), probe(2.0), probe(4.0)
    frames.places((one, two), 2 * RATE)
    assert set(frames.places((two,), RATE)) == {None}
    assert frames.ready == (True,)
    assert frames.places((two, three), RATE)[0] == 0  # the place that is free
    assert frames.ready == (True, True)


def test_all_light_is_measured_again_when_it_is_lost() -> None:
    """The graph then draws the last probe again without being asked."""
    frames, probes = Frames(), (probe(0.0), probe(2.0))
    frames.places(probes, 3 * RATE)
    drawn = frames.places(probes, 2 * RATE, lost=True)
    assert [place for place in drawn if place is not None] == [1, 0]
    assert frames.ready == (True, True)


def test_only_what_is_asked_for_is_measured_again() -> None:
    frames, probes = Frames(), (probe(0.0), probe(2.0))
    frames.places(probes, 3 * RATE)
    probes[1].refresh()
    assert [place for place in frames.places(probes, 2 * RATE) if place is not None] == [1]
