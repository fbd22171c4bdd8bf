"""The engine's nodes in stereo: geometry is drawn once for both eyes, and the picture is the one of two drawings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from typing import ClassVar

import numpy as np
import pytest
from numpy.typing import NDArray
from pyglm import glm

from renderwright.engine.clock import FixedStepClock
from renderwright.engine.game import Game, GameContext
from renderwright.engine.options import PluginChoice, SettingChange
from renderwright.engine.scene import Camera
from renderwright.engine.scene.material import Material
from renderwright.engine.scene.primitives import box, plane
from renderwright.engine.scene.transform import Transform
from renderwright.engine.session import Session
from renderwright.render.backend.null import NullBackend
from renderwright.render.backend.protocol import Backend
from renderwright.render.backend.vulkan.backend import VulkanBackend
from renderwright.render.inspect import explain
from renderwright.render.inspect.plan_json import plan_to_json
from renderwright.render.types.views import LEAST_VIEWS

EXTENT = (96, 56)
STEREO = (SettingChange("vr", "poses", "still"), SettingChange("vr", "ipd", "0.15"))


class Lone(Game):
    """A box that turns, within what either eye sees."""

    title = "Lone"
    max_players = 2
    plugins: ClassVar[tuple[str, ...]] = ("tonemap", "vr")

    def setup(self, context: GameContext) -> None:
        scene = context.scene
        scene.sun.direction = glm.vec3(0.6, -1.0, 0.3)
        self.box = scene.spawn(box(0.5), Material(base_color=(0.8, 0.2, 0.1, 1)), Transform(glm.vec3(0, 0.4, 0)))
        scene.cameras[:] = [Camera(glm.vec3(x, 2.0, 2.5), glm.vec3(0, 0.4, 0)) for x in (2.0, -1.0)[: context.players]]

    def update(self, dt: float) -> None:
        turn: glm.quat = glm.angleAxis(2.0 * dt, glm.vec3(0, 1, 0))
        self.box.transform.rotation *= turn

    def draw(self, alpha: float) -> None:
        pass


class Grounded(Lone):
    """The same on a ground, which is clipped, with a second box."""

    plugins: ClassVar[tuple[str, ...]] = ("shadows", "tonemap", "vr")

    def setup(self, context: GameContext) -> None:
        super().setup(context)
        context.scene.spawn(plane(20, 20), Material(base_color=(0.5, 0.5, 0.5, 1)))
        context.scene.spawn(box(0.3), Material(emissive=(4, 2, 1)), Transform(glm.vec3(-0.8, 0.3, 0.5)))


def session_of(
    backend: Backend,
    game: type[Game],
    skeleton: str = "deferred",
    *,
    views: int | None = None,
    players: int = 1,
    enable: Sequence[str] = (),
) -> Session:
    """A session whose nodes draw at most so many views at once; as many as the device is trusted with unless given."""
    named = type(game.__name__, (game,), {"skeleton": skeleton})
    choice = PluginChoice(enable=tuple(enable), settings=STEREO)
    clock = FixedStepClock(game.step, frame=1 / 60)
    session = Session(named, backend, EXTENT, choice=choice, clock=clock, players=players, strict=True)
    if views is not None:
        session.runtime.options = replace(session.runtime.options, views=views)
    return session


def pictures(session: Session, frames: int) -> list[NDArray[np.uint8]]:
    found = []
    with closing(session.backend.create_target(EXTENT)) as target:
        for _ in range(frames):
            session.step()
            assert session.render(target) is not None
            found.append(session.picture())
        session.backend.wait_idle()
    return found


def drawn_once(session: Session) -> set[str]:
    return {node.declaration.name for node in session.runtime.plan.graph.nodes if node.views is not None}


# what is drawn, without a GPU -----------------------------------------------------------------------------------------


def draws_of(skeleton: str, views: int, players: int = 1) -> Counter[str]:
    """How often the nodes draw in a frame, by name."""
    backend = NullBackend()
    session = session_of(
        backend, Grounded, skeleton, views=views, players=players, enable=("motion_blur", "split_screen")
    )
    with closing(backend.create_target(EXTENT)) as target:
        for _ in range(2):
            start = len(backend.log)
            session.step()
            session.render(target)
        lines = [line.strip() for line in backend.log[start:]]
    session.close()
    backend.close()
    found: Counter[str] = Counter()
    node = ""
    for line in lines:
        if line.startswith("[") and line.endswith("]"):
            node = line[1:-1].partition("@")[0]
        elif line.startswith("draw"):
            found[node] += 1
    return found


@pytest.mark.parametrize(
    ("skeleton", "geometry"),
    [("deferred", {"opaque", "still_motion"}), ("forward", {"depth_only", "sky", "forward_opaque", "still_motion"})],
)
@pytest.mark.parametrize("players", [1, 2])
def test_geometry_is_drawn_half_as_often(skeleton: str, geometry: set[str], players: int) -> None:
    twice, once = draws_of(skeleton, 1, players), draws_of(skeleton, LEAST_VIEWS, players)
    assert {node for node in twice if twice[node] != once[node]} == geometry | (
        {"object_motion"} if twice["object_motion"] else set()
    )
    assert all(twice[node] == 2 * once[node] > 0 for node in geometry)


@pytest.mark.parametrize("skeleton", ["deferred", "forward"])
def test_the_plan_says_what_is_drawn_at_once(skeleton: str) -> None:
    session = session_of(NullBackend(), Grounded, skeleton)
    pictures(session, 1)
    plan = session.runtime.plan
    assert plan.graph.apart == ()
    report = plan_to_json(plan)
    nodes = {node["id"]: node for node in report["nodes"]}
    name = "opaque" if skeleton == "deferred" else "forward_opaque"
    assert nodes[f"{name}@eye=*"]["multiview"] == {"dimension": "eye", "views": 2}
    masks = {node: item["view_mask"] for item in report["passes"] for node in item["nodes"] if item["render"]}
    assert masks[f"{name}@eye=*"] == 0b11
    assert masks["vr/lens@eye=1"] == 0
    assert "drawn once for the 2 instances of `eye`" in explain(plan, name)
    session.close()


def test_a_plan_for_single_views_says_why() -> None:
    session = session_of(NullBackend(views=1), Lone)
    pictures(session, 1)
    assert drawn_once(session) == set()
    text = explain(session.runtime.plan, "opaque")
    assert "could be drawn for several views at once, but is not (most): only one view can be drawn at once" in text
    session.close()


# what is shown --------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def backend() -> Iterator[VulkanBackend]:
    """One for all; the layer must not have said a word in the end."""
    backend = VulkanBackend(validate=True)
    yield backend
    backend.close()
    assert [str(message) for message in backend.validation_messages] == []


@pytest.mark.vulkan
@pytest.mark.parametrize("players", [1, 2])
def test_nothing_clipped_looks_the_same_on_every_driver(backend: VulkanBackend, players: int) -> None:
    shown = {}
    for views in (1, LEAST_VIEWS):
        session = session_of(backend, Lone, views=views, players=players, enable=("ssao", "bloom", "split_screen"))
        shown[views] = pictures(session, 3)
        assert drawn_once(session) == ({"gbuffer", "opaque"} if views > 1 else set())
        session.close()
    assert all(picture.std() > 5 for picture in shown[1])
    assert [np.array_equal(one, other) for one, other in zip(shown[1], shown[LEAST_VIEWS], strict=True)] == [True] * 3


@pytest.mark.vulkan
@pytest.mark.parametrize(("skeleton", "players"), [("deferred", 2), ("forward", 1)])
def test_a_driver_that_is_trusted_shows_the_same_picture(backend: VulkanBackend, skeleton: str, players: int) -> None:
    shown = []
    for views in (1, None):
        enable = ("taa", "motion_blur", "ssao", "split_screen")
        session = session_of(backend, Grounded, skeleton, views=views, players=players, enable=enable)
        shown.append(pictures(session, 3))
        assert bool(drawn_once(session)) is (views is None and backend.capabilities.views > 1)
        session.close()
    assert [np.array_equal(one, other) for one, other in zip(*shown, strict=True)] == [True] * 3


@pytest.mark.vulkan
def test_stereo_comes_and_goes_while_a_game_runs(backend: VulkanBackend) -> None:
    shown = {}
    for views in (1, LEAST_VIEWS):
        session = session_of(backend, Lone, views=views, enable=("ssao",))
        frames = pictures(session, 2)
        for vr in (False, True, True):
            if session.plugins.is_enabled("vr") is not vr:
                session.toggle("vr")
            frames += pictures(session, 2)
            assert drawn_once(session) == ({"gbuffer", "opaque"} if vr and views > 1 else set())
        for extent in ((30, 40), None):
            session.graph.set_dynamic_resolution("main_view", extent)
            frames += pictures(session, 2)
        shown[views] = frames
        session.close()
    assert all(np.array_equal(one, other) for one, other in zip(shown[1], shown[LEAST_VIEWS], strict=True))
