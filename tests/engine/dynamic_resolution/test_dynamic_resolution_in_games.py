"""A game whose picture follows the GPU: what a step does to the picture, and that it makes nothing anew."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from pyglm import glm

from benchmarks.memory_ledger import MemoryLedger
from renderwright.engine.clock import FixedStepClock
from renderwright.engine.dynamic_resolution import DynamicResolution, ResolutionController, scale_steps
from renderwright.engine.game import Game, GameContext
from renderwright.engine.options import PluginChoice
from renderwright.engine.scene.material import Material
from renderwright.engine.scene.primitives import box, plane, sphere
from renderwright.engine.scene.transform import Transform
from renderwright.engine.session import Session
from renderwright.render.backend.null.backend import NullBackend
from renderwright.render.backend.protocol import FRAMES_IN_FLIGHT
from renderwright.render.backend.vulkan.backend import VulkanBackend
from renderwright.render.errors import UsageError
from renderwright.render.graph.frame_graph import FrameGraph
from renderwright.render.runtime.frame_report import FrameReport
from renderwright.render.runtime.times.gpu_clock import GpuInterval

EXTENT = (128, 72)
TARGET = 0.010


class Still(Game):
    """Thin posts before a bright sky: a picture full of edges, which temporal anti-aliasing has to gather."""

    plugins = ("tonemap", "taa")

    def setup(self, context: GameContext) -> None:
        scene = context.scene
        scene.camera.position = glm.vec3(2.0, 1.5, 3.0)
        scene.spawn(plane(20, 20), Material(base_color=(0.5, 0.5, 0.5, 1), roughness=0.8))
        for number in range(9):
            place = glm.vec3(-1.6 + 0.4 * number, 0.5, 0.0)
            scene.spawn(box((0.06, 1.4, 0.06)), Material(base_color=(0.05, 0.05, 0.05, 1)), Transform(place))
        scene.spawn(sphere(0.4), Material(emissive=(6, 3, 1)), Transform(glm.vec3(0.5, 0.6, 0.8)))


@pytest.fixture
def ledger() -> MemoryLedger:
    return MemoryLedger()


@pytest.fixture
def backend(ledger: MemoryLedger) -> Iterator[VulkanBackend]:
    backend = VulkanBackend(validate=True, wrap=ledger.wrap)
    yield backend
    backend.close()
    assert [message.text for message in backend.validation_messages] == []


class Running:
    """A session, with the pictures of its frames."""

    def __init__(self, backend, *, off: tuple[str, ...] = (), frame_time: float | None = None) -> None:
        clock = FixedStepClock(Still.step, frame=1 / 60)
        choice = PluginChoice(disable=off)
        self.session = Session(Still, backend, EXTENT, choice=choice, clock=clock, frame_time=frame_time)
        self.target = backend.create_target(EXTENT)

    def frame(self) -> FrameReport:
        self.session.step()
        report = self.session.render(self.target)
        assert report is not None
        return report

    def picture(self, frames: int = 1) -> np.ndarray:
        for _ in range(frames):
            self.frame()
        return self.session.picture()[..., :3].astype(np.float32) / 255.0

    def close(self) -> None:
        self.session.close()
        self.target.close()


@pytest.fixture
def running(backend: VulkanBackend) -> Iterator[Running]:
    running = Running(backend)
    yield running
    running.close()


def difference(one: np.ndarray, other: np.ndarray) -> float:
    return float(np.abs(one - other).mean())


@pytest.mark.vulkan
def test_the_history_of_taa_survives_a_step(running: Running) -> None:
    graph = running.session.graph
    before = running.picture(40)
    graph.set_dynamic_resolution("main_view", (102, 57))
    stepped = running.picture()
    settled = running.picture(40)
    # The same size as a new full one: histories begin anew.
    graph.set_dynamic_resolution("main_view", None)
    running.picture(40)
    graph.set_resolution("main_view", (102, 57))
    reset = running.picture()
    flash = difference(reset, settled)
    assert difference(stepped, settled) < 0.4 * flash
    # No more changes than the smaller size asks for, a resampled picture.
    assert difference(before, stepped) < 1.3 * difference(before, settled)


@pytest.mark.vulkan
def test_no_step_up_or_down_flashes(running: Running) -> None:
    graph = running.session.graph
    last = running.picture(40)
    brightness = last.mean()
    steps = scale_steps()
    for scale in (*steps[1:], *reversed(steps[:-1])):
        extent = (round(EXTENT[0] * scale), round(EXTENT[1] * scale))
        graph.set_dynamic_resolution("main_view", extent if scale < 1 else None)
        now = running.picture()
        assert abs(now.mean() - brightness) < 0.01
        assert difference(last, now) < 0.008
        last = now


@pytest.mark.vulkan
def test_the_scale_follows_the_times_that_the_device_tells(backend: VulkanBackend) -> None:
    running = Running(backend, off=("taa",), frame_time=1e-6)
    times = []
    for _ in range(8):
        times.append(running.frame().gpu_seconds)
    followed = running.session.dynamic_resolution
    assert followed is not None
    assert times[0] == times[1] == 0.0
    assert min(times[2:]) > 1e-6
    assert followed.extent == (64, 36)
    assert dict(running.session.runtime.plan.placement.extents)["main_view"] == (64, 36)
    followed.controller.target = 10.0
    for _ in range(200):
        running.frame()
        if followed.extent == EXTENT:
            break
    assert followed.extent == EXTENT
    running.close()


@pytest.mark.vulkan
def test_steps_to_known_scales_call_nothing_that_makes_or_waits(backend, ledger: MemoryLedger) -> None:
    running = Running(backend, off=("taa",))
    graph = running.session.graph
    sizes = [(round(64 * scale), round(36 * scale)) for scale in scale_steps()]
    walk = [*sizes, *sizes[-2:0:-1]]

    def steps(count: int) -> None:
        for number in range(count):
            graph.set_dynamic_resolution("main_view", walk[number % len(walk)])
            running.frame()

    steps(2 * len(walk))
    calls = ledger.calls.copy()
    steps(5 * len(walk))
    assert ledger.calls - calls == {}
    assert calls["vkCreateGraphicsPipelines"] > 0
    running.close()


def test_a_device_without_clocks_is_told_so() -> None:
    backend = NullBackend()
    with pytest.raises(UsageError, match="has no GPU timestamps"):
        Session(Still, backend, EXTENT, frame_time=0.0166)
    assert backend.alive == ()


# the driver ---------------------------------------------------------------------------------------------------------


def report(frame: int, seconds: float) -> FrameReport:
    intervals = {"node": GpuInterval("graphics", 0.0, seconds)} if seconds else {}
    return FrameReport(frame, None, 0.0, intervals)  # type: ignore[arg-type]


@pytest.fixture
def graph() -> FrameGraph:
    graph = FrameGraph()
    graph.set_resolution("main_view", (100, 60))
    return graph


def dynamic(graph: FrameGraph) -> dict[str, tuple[int, int]]:
    return dict(graph.sizes().dynamic)


def test_times_count_for_the_frame_that_they_were_measured_in(graph: FrameGraph) -> None:
    driver = DynamicResolution(graph, ResolutionController(TARGET, (1.0, 0.5)))
    for frame in range(FRAMES_IN_FLIGHT + 1):
        driver.follow(report(frame, 0.012 if frame >= FRAMES_IN_FLIGHT else 0.0))
        assert dynamic(graph) == {}
    driver.follow(report(FRAMES_IN_FLIGHT + 1, 0.012))
    assert dynamic(graph) == {"main_view": (50, 30)}
    # Of the frames on their way, which were large; as if they were small, they would ask for 100 %.
    for frame in range(FRAMES_IN_FLIGHT + 2, FRAMES_IN_FLIGHT + 4):
        driver.follow(report(frame, 0.001))
    assert driver.controller.scale == 0.5
    for frame in range(FRAMES_IN_FLIGHT + 4, FRAMES_IN_FLIGHT + 4 + 16):
        driver.follow(report(frame, 0.001))
    assert dynamic(graph) == {}


def test_frames_without_times_change_nothing(graph: FrameGraph) -> None:
    driver = DynamicResolution(graph, ResolutionController(TARGET, (1.0, 0.5)))
    for frame in range(20):
        driver.follow(report(frame, 0.0))
    assert driver.extent == (100, 60)


def test_a_resize_keeps_the_scale_and_forgets_the_times(graph: FrameGraph) -> None:
    driver = DynamicResolution(graph, ResolutionController(TARGET, (1.0, 0.5)))
    for frame in range(6):
        driver.follow(report(frame, 0.030))
    assert driver.extent == (50, 30)
    graph.set_resolution("main_view", (200, 100))
    for frame in range(6, 6 + FRAMES_IN_FLIGHT):
        driver.follow(report(frame, 0.001))
        assert dynamic(graph) == {"main_view": (100, 50)}
