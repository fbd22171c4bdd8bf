"""Nodes that wait for values, in frames that wait for no compile, on a real driver: random changes against the values
themselves."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from beside_frames import SLOTS
from hand_driven import HandDriven
from rated_stamps import PAINT
from runtime_bench import Bench

from renderwright.render.backend.vulkan.backend import VulkanBackend
from renderwright.render.compiler.partial import PartialPlans
from renderwright.render.graph.snapshot import ResolutionRule
from renderwright.render.runtime.lowering.lowering import Lowering
from renderwright.render.runtime.lowering.lowering_ahead import LoweringAhead
from renderwright.render.runtime.skipping.skips_at_hand import MOST_FRAMES
from renderwright.render.types.resources import Resolution, Texture

pytestmark = pytest.mark.vulkan

FORMAT = "rgba32_sfloat"
MAPS = 4
FRAMES = 120
A_STEP = 1e-9
"""Seconds a frame in which one step of a frame to come is lowered."""
GATHER = """
layout(set = 0, binding = 0) uniform sampler2D map_0;
layout(set = 0, binding = 1) uniform sampler2D map_1;
layout(set = 0, binding = 2) uniform sampler2D map_2;
layout(set = 0, binding = 3) uniform sampler2D map_3;
layout(location = 0) out vec4 result;
float of(sampler2D map) { return texelFetch(map, ivec2(gl_FragCoord.xy), 0).r; }
void main() { result = vec4(of(map_0), of(map_1), of(map_2), of(map_3)); }
"""


class Maps:
    """Maps that show a value each and are painted when it changes, and how often each was."""

    def __init__(self, bench: Bench) -> None:
        self.bench = bench
        self.values = [1] * MAPS
        self.painted = [0] * MAPS
        bench.shader("paint.frag", PAINT)
        bench.shader("gather.frag", GATHER)
        bench.graph.define_resolution(ResolutionRule("size", size=(8, 8)))
        for number in range(MAPS):
            self._add(number)

        def declare(reg: Any) -> Any:
            for number in range(MAPS):
                reg.read(f"map_{number}").sampled(filter="nearest").bind(f"map_{number}")
            reg.create("b", Texture(FORMAT, Resolution("size"))).color()
            pipeline = reg.graphics("gather.frag")
            return lambda cmd: cmd.draw(pipeline)

        bench.graph.add_node("gather", declare)

    def _add(self, number: int) -> None:
        def declare_value(reg: Any) -> Any:
            value = reg.create(f"value_{number}", int)

            def execute(cmd: Any) -> None:
                value.value = self.values[number]

            return execute

        def declare(reg: Any) -> Any:
            reg.create(f"map_{number}", Texture(FORMAT, Resolution("size"))).color()
            reg.when(f"value_{number}")
            value = reg.read(f"value_{number}")
            pipeline = reg.graphics("paint.frag")

            def execute(cmd: Any) -> None:
                self.painted[number] += 1
                cmd.draw(pipeline, color=(float(value.value), 0.0, 0.0, 0.0))

            return execute

        self.bench.graph.add_node(f"value_{number}", declare_value)
        self.bench.graph.add_node(f"paint_{number}", declare)

    def edit(self, number: int) -> None:
        """Declare what makes a map anew; it is painted again."""
        self.bench.graph.remove_node(f"value_{number}")
        self.bench.graph.remove_node(f"paint_{number}")
        self._add(number)

    def seen(self) -> list[float]:
        return [float(each) for each in self.bench.texels("b")[3, 3]]


@pytest.fixture
def worker() -> HandDriven:
    worker = HandDriven()
    worker.seconds_a_frame = A_STEP
    return worker


@pytest.fixture
def maps(backend: VulkanBackend, shader_folder: Path, worker: HandDriven) -> Iterator[Maps]:
    bench = Bench(backend, shader_folder, worker=worker)
    yield Maps(bench)
    bench.close()
    assert [message.text for message in backend.validation_messages] == []
    assert bench.failures == []


@pytest.mark.parametrize("seed", range(4))
def test_edits_meanwhile_leave_no_frame_to_be_lowered_in_its_turn(
    maps: Maps, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    random, behind, in_turn = Random(seed), False, 0
    go_on, lower = LoweringAhead.go_on, Lowering.lower

    def going_on(ahead: LoweringAhead, seconds: float) -> bool:
        nonlocal behind
        behind = True
        try:
            return go_on(ahead, seconds)
        finally:
            behind = False

    def lowering(lowering: Lowering, *frame: Any) -> Any:
        nonlocal in_turn
        in_turn += not behind
        return lower(lowering, *frame)

    monkeypatch.setattr(LoweringAhead, "go_on", going_on)
    monkeypatch.setattr(Lowering, "lower", lowering)
    for _ in range(2 * SLOTS):  # a frame that skips none is lowered in each slot
        maps.values = [value + 1 for value in maps.values]
        maps.bench.frames()
    maps.bench.frames(FRAMES)
    in_turn = 0
    for changed in range(MAPS):
        edited = random.choice([number for number in range(MAPS) if number != changed])
        edit = random.randrange(2, 16)
        for frame in range(MOST_FRAMES - 10):
            maps.values[changed] += 1
            if frame == edit:
                maps.edit(edited)
            maps.bench.frames()
            assert maps.seen() == maps.values
    assert in_turn == 0


@pytest.mark.parametrize("seed", range(4))
def test_every_map_shows_its_value_whatever_frames_skip(maps: Maps, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    random, compiled = Random(seed), 0
    plan = PartialPlans.plan

    def noted(partial: PartialPlans, skipped: frozenset[str], *rest: Any, **named: Any) -> Any:
        nonlocal compiled
        compiled += not partial.knows(skipped)
        return plan(partial, skipped, *rest, **named)

    monkeypatch.setattr(PartialPlans, "plan", noted)
    changes = [0] * MAPS
    for frame in range(FRAMES):
        for number in range(MAPS):
            if frame == 0 or random.random() < 0.2:
                maps.values[number] += 1
                changes[number] += 1
        maps.bench.frames()
        assert maps.seen() == maps.values
    assert all(painted >= changed for painted, changed in zip(maps.painted, changes, strict=True))
    assert sum(maps.painted) < MAPS * FRAMES, "some are skipped"
    assert sum(maps.painted) > sum(changes), "some are painted again in frames that wait for no compile"
    assert compiled < 2**MAPS - 1
