"""Whole games whose plans are made beside the frames: the same pictures, nothing wrong, and nothing left."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from contextlib import closing
from hashlib import sha256
from pathlib import Path

import numpy as np
import pytest
from hand_driven import HandDriven
from pyglm import glm
from vulkan_losses import LostDevices

from benchmarks.memory_ledger import MemoryLedger
from benchmarks.restless_game import PLUGINS, Restless, restless
from renderwright.engine.clock import FixedStepClock
from renderwright.engine.game import Game, GameContext
from renderwright.engine.losses import Losses
from renderwright.engine.plugins import PluginState
from renderwright.engine.scene.environment import Environment, Panorama
from renderwright.engine.scene.material import Material
from renderwright.engine.scene.primitives import box
from renderwright.engine.session import Session
from renderwright.engine.show import Opening, Show
from renderwright.render.backend.protocol import Backend
from renderwright.render.backend.target import Target
from renderwright.render.backend.vulkan.backend import VulkanBackend
from renderwright.render.errors import PluginError
from renderwright.render.graph.declare import Execute
from renderwright.render.graph.registry import Registry
from renderwright.render.runtime.checks.poison import Poison
from renderwright.render.runtime.plans.beside import Worker
from renderwright.render.runtime.right_of_way import RightOfWay
from renderwright.render.types.resources import Extent, Texture

pytestmark = pytest.mark.vulkan


class AtOnce:
    """A worker that is done before anybody can look."""

    def __init__(self) -> None:
        self.seconds_a_frame = 0.0
        self.right_of_way = RightOfWay()

    def start(self, work: Callable[[], None]) -> None:
        with self.right_of_way.awaiting():
            work()

    def wait(self) -> None:
        """Nothing to wait for."""


class Slow(HandDriven):
    """A worker that takes a few frames, as many as a generator of random numbers says."""

    def __init__(self, seed: int, seconds_a_frame: float) -> None:
        super().__init__()
        self.seconds_a_frame = seconds_a_frame
        self._random = random.Random(seed)

    def frame(self) -> None:
        """A frame goes by."""
        if self.busy and self._random.random() < 0.4:
            self.work()


def pictures(
    worker: Worker | None, *, poison: Poison | None = None, frames: int = 40, plugins: tuple[str, ...] = PLUGINS
) -> list[str]:
    """Digests of what a restless game shows, under validation and judged by the oracle; nothing may be left.

    With ``Poison.ONES`` the oracle is not asked: the plans are those of the other poison.
    """
    ledger = MemoryLedger()
    backend = VulkanBackend(validate=True, wrap=ledger.wrap)
    found = []
    with restless(backend, worker=worker, poison=poison, verify=poison is not Poison.ONES, plugins=plugins) as running:
        if "shadows" in plugins:
            for key, size in (("size", 128), ("light_size", 64)):  # larger ones take longer, and change nothing here
                running.session.plugins.set("shadows", key, size)
        for frame in range(frames):
            if frame == frames - 8:
                running.settle()
            elif 4 <= frame < frames - 8:
                running.change(frame)
            if isinstance(worker, Slow):
                worker.frame()
            running.frame()
            found.append(sha256(running.session.picture().tobytes()).hexdigest())
        running.session.runtime.finish_compile()
        running.frame()
        assert not running.session.runtime.behind
    backend.close()
    assert [message.text for message in backend.validation_messages] == []
    assert not +ledger.alive
    assert ledger.waits == 0
    return found


def test_a_worker_that_is_done_at_once_changes_no_picture() -> None:
    assert pictures(AtOnce()) == pictures(None)


ONE_NODE = 1e-9
"""Seconds in which one node of a plan that comes is lowered."""


@pytest.mark.parametrize(("seed", "seconds_a_frame"), [(1, 0.0), (2, 0.0), (1, ONE_NODE), (3, ONE_NODE)])
def test_nothing_stale_is_read_whatever_changes_while_plans_are_made(seed: int, seconds_a_frame: float) -> None:
    shown = [pictures(Slow(seed, seconds_a_frame), poison=poison) for poison in (Poison.NAN, Poison.ONES)]
    assert shown[0] == shown[1]
    assert len(set(shown[0])) > 20


def test_nothing_stale_is_read_while_another_rendered_size_comes() -> None:
    plugins = ("bloom", "upscaling")
    shown = [pictures(Slow(4, ONE_NODE), poison=poison, plugins=plugins) for poison in (Poison.NAN, Poison.ONES)]
    assert shown[0] == shown[1]
    assert len(set(shown[0])) > 20


# plugins ------------------------------------------------------------------------------------------------------------


@pytest.fixture
def worker() -> HandDriven:
    return HandDriven()


@pytest.fixture
def running(backend: VulkanBackend, worker: HandDriven) -> Iterator[Restless]:
    with restless(backend, worker=worker, plugins=("bloom", "tonemap")) as running:
        for _ in range(3):
            running.frame()
        yield running


def rendered_size(running: Restless) -> Extent:
    """The size at which the scene is rendered."""
    return dict(running.session.runtime.plan.placement.extents)["main_view"]


def add_broken_node(session: Session, plugin: str, folder: Path) -> None:
    """A node of a plugin whose shader does not compile."""
    (folder / "broken.frag").write_text("#version 450\nvoid main() { nonsense }\n")

    def declare(reg: Registry) -> Execute:
        reg.create("broken", Texture("rgba8_unorm", (8, 8))).color()
        reg.side_effects()
        pipeline = reg.graphics("broken.frag")
        return lambda cmd: cmd.draw(pipeline)

    session.graph.add_node(f"{plugin}/broken", declare, plugin=plugin, shader_paths=[folder])


def nodes_of(session: Session, plugin: str) -> list[str]:
    return [node.id for node in session.runtime.plan.graph.nodes if node.declaration.plugin == plugin]


def test_a_plugin_whose_shader_is_broken_never_stops_the_game(
    running: Restless, worker: HandDriven, tmp_path: Path
) -> None:
    session = running.session
    session.plugins.enable("shadows")
    add_broken_node(session, "shadows", tmp_path)
    running.frame()
    assert session.plugins.is_enabled("shadows")
    worker.work()
    running.frame()
    assert session.plugins.status("shadows").state is PluginState.QUARANTINED
    assert not session.runtime.behind  # the plan without it is the one that runs
    session.plugins.enable("shadows")
    running.frame()
    worker.work()
    running.frame()
    assert nodes_of(session, "shadows")


def test_strict_makes_it_fatal_in_the_frame_that_takes_the_plan(
    running: Restless, worker: HandDriven, tmp_path: Path
) -> None:
    running.session.plugins._strict = True
    add_broken_node(running.session, "bloom", tmp_path)
    running.frame()
    worker.work()
    with pytest.raises(PluginError, match="ends the game because of --strict"):
        running.frame()


def test_a_plugin_that_was_never_on_is_imported_beside(running: Restless, worker: HandDriven) -> None:
    session = running.session
    assert session.arrivals is not None
    assert session.toggle("fog") is True
    assert not session.toggle("fog")
    session.arrivals.wait()
    running.frame()
    assert not session.plugins.is_enabled("fog")
    session.toggle("fog")
    session.arrivals.wait()
    running.frame()
    assert session.plugins.is_enabled("fog")
    worker.work()
    running.frame()
    assert nodes_of(session, "fog")


def test_each_frame_switches_on_one_of_several_plugins(running: Restless) -> None:
    session = running.session
    assert session.arrivals is not None
    for name in ("fog", "outline", "depth_of_field"):
        session.toggle(name)
    session.arrivals.wait()
    running.frame()
    assert session.plugins.is_enabled("fog")
    assert session.arrivals.names == ("outline", "depth_of_field")
    session.toggle("outline")  # not wanted any more
    session.arrivals.wait()
    running.frame()
    assert session.arrivals.names == ()
    assert session.plugins.is_enabled("depth_of_field")
    assert not session.plugins.is_enabled("outline")


def switch_upscaling_on(running: Restless) -> None:
    running.session.plugins.enable("upscaling")
    running.frame()
    running.session.runtime.finish_compile()
    running.frame()
    assert rendered_size(running) == (43, 33)


def test_the_scene_is_rendered_at_its_size_until_it_is_upscaled(running: Restless, worker: HandDriven) -> None:
    session = running.session
    assert session.arrivals is not None
    whole, plan = rendered_size(running), id(session.runtime.plan)
    session.toggle("upscaling")
    session.arrivals.wait()
    running.frame()
    assert session.runtime.behind
    assert id(session.runtime.plan) == plan, "a plan of another size"
    worker.work()
    running.frame()
    assert rendered_size(running) < whole


def test_the_scene_is_rendered_at_its_size_until_the_plan_of_another_one_is_lowered(
    running: Restless, worker: HandDriven
) -> None:
    session = running.session
    switch_upscaling_on(running)
    worker.seconds_a_frame = 60.0  # for all nodes that are declared anew
    before = rendered_size(running)
    session.plugins.set("upscaling", "scale", 0.5)
    running.frame()
    worker.seconds_a_frame = ONE_NODE
    assert session.runtime.behind
    worker.work()
    frames = 0
    while rendered_size(running) == before:
        running.frame()
        frames += 1
    assert 10 < frames < 200
    assert rendered_size(running) == (32, 24)


def test_another_size_of_the_output_takes_the_rendered_one_along(running: Restless, worker: HandDriven) -> None:
    session = running.session
    switch_upscaling_on(running)
    worker.seconds_a_frame = 60.0  # for all nodes that are declared anew
    session.plugins.set("upscaling", "scale", 0.5)
    running.frame()
    worker.seconds_a_frame = ONE_NODE
    running.target.resize((96, 54))
    running.frame()
    assert rendered_size(running) == (48, 27)
    assert not session.runtime.behind


def test_an_environment_stays_until_no_frame_shows_it(running: Restless, worker: HandDriven) -> None:
    session = running.session
    scene = session.context.scene
    scene.environment = Environment(Panorama(np.ones((16, 32, 3), np.float32), "sky"))
    running.frame()
    worker.work()
    running.frame()
    assert not session.runtime.behind
    scene.environment = None
    session.plugins.enable("shadows")
    running.frame()
    assert session.runtime.behind
    running.frame()
    worker.work()
    running.frame()
    assert not session.runtime.behind


# the device ---------------------------------------------------------------------------------------------------------


class Still(Game):
    """A box."""

    plugins = ("tonemap",)

    def setup(self, context: GameContext) -> None:
        context.scene.camera.position = glm.vec3(2.0, 2.5, 2.5)
        context.scene.spawn(box(1.0), Material())


@pytest.mark.parametrize("ended", [False, True])
def test_the_device_is_lost_while_a_plan_is_made(worker: HandDriven, ended: bool) -> None:
    devices = LostDevices()
    opened: list[VulkanBackend] = []

    def backend() -> Backend:
        opened.append(VulkanBackend(validate=True, wrap=devices.wrap))
        return opened[-1]

    def session(backend: Backend, target: Target) -> Session:
        return Session(Still, backend, target.extent, clock=FixedStepClock(Still.step, frame=1 / 60), worker=worker)

    times = iter(range(0, 10**6, 60))
    opening = Opening(backend, lambda backend: backend.create_target((64, 36)), session)
    with closing(Show(opening, Losses(lambda: float(next(times))))) as show:
        for _ in range(3):
            show.session.step()
            show.render()
        show.session.plugins.enable("bloom")
        show.session.step()
        show.render()
        if ended:
            worker.work()
        devices.lose_at(1)
        show.session.step()
        show.render()
        assert devices.lost == 1
        assert not show.session.runtime.behind
        assert nodes_of(show.session, "bloom")
    assert devices.faults.living() == {}
    assert [message.text for one in opened for message in one.validation_messages] == []
