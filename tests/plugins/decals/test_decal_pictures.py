"""Decals in frames: in each kind of view, on each backend, as they come, move and go."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from contextlib import closing
from typing import Any

import numpy as np
import pytest
from decal_scenes import EXTENT, Marked, Yard, arrow, of_skeleton, session_of
from playing import Picture, flip, frames_of
from pyglm import glm

from renderwright.engine.backends import make_backend
from renderwright.engine.game import Game, GameContext
from renderwright.engine.options import BackendName, PlayOptions, SettingChange
from renderwright.engine.scene import Camera, Image, Material, Transform
from renderwright.engine.scene.primitives import box
from renderwright.engine.screenshot import TiledScreenshot, TileGrid
from renderwright.engine.session import Session
from renderwright.plugins.decals import Decal
from renderwright.render.backend.protocol import Backend
from renderwright.render.backend.vulkan.backend import VulkanBackend
from renderwright.render.errors import PluginError
from renderwright.render.runtime.checks.poison import Poison
from renderwright.render.runtime.recording import Recording

pytestmark = pytest.mark.vulkan

FRAMES = 3


def picture_of(backend: Backend, game: type[Game], *enable: str, **more: Any) -> Picture:
    """The picture after some frames, without alpha."""
    with closing(session_of(backend, game, *enable, **more)) as session:
        return frames_of(session, FRAMES)[-1][..., :3]


def spots(backend: Backend, game: type[Game], *enable: str, **more: Any) -> np.ndarray:
    """Where decals change the picture."""
    without = picture_of(backend, game, *enable, decals=False, **more)
    return np.abs(picture_of(backend, game, *enable, **more).astype(int) - without).max(axis=2) > 8


def nodes_of(session: Session) -> list[str]:
    assert session.runtime.plan is not None
    return [node.declaration.name for node in session.runtime.plan.graph.nodes]


def test_each_player_sees_what_one_alone_would(backend: VulkanBackend) -> None:
    no_line = SettingChange("split_screen", "separator", "0")
    width, height = EXTENT
    both = picture_of(backend, Marked, "split_screen", players=2, settings=(no_line,), extent=(2 * width, height))
    assert np.array_equal(both[:, :width], picture_of(backend, Marked))
    assert not np.array_equal(both[:, width:], both[:, :width])


@pytest.mark.parametrize("views", ["vr", "ssaa"])
def test_eyes_and_samples_show_them(backend: VulkanBackend, views: str) -> None:
    settings = [SettingChange("vr", "poses", "still"), SettingChange("vr", "fill", "false")] if views == "vr" else []
    shown = spots(backend, Marked, views, settings=settings)
    halves = np.hsplit(shown, 2) if views == "vr" else [shown]
    for half in halves:
        assert half.mean() > 0.02


def test_tiles_are_those_of_the_whole_picture(backend: VulkanBackend) -> None:
    with closing(session_of(backend, Marked)) as session:
        whole = frames_of(session, 1)[-1][..., :3].astype(int)
        tiled = np.concatenate(list(TiledScreenshot(session, TileGrid(EXTENT, 3, 2, 0)).rows())).astype(int)
    apart = np.abs(tiled - whole).max(axis=2)
    assert (apart > 2).mean() < 0.005, "but where a curved surface has its next texel in another tile"


def test_they_look_the_same_on_opengl(backend: VulkanBackend) -> None:
    with closing(make_backend(PlayOptions(Marked, backend=BackendName.OPENGL))) as opengl:
        assert flip(picture_of(backend, Marked), picture_of(opengl, Marked)) < 0.002


def test_a_scene_without_decals_has_the_plan_of_before(backend: VulkanBackend) -> None:
    def nodes() -> set[str]:
        frames_of(session, 1)
        return set(nodes_of(session))

    with closing(session_of(backend, Yard)) as session:
        before = nodes()
        placed = session.context.scene.placed
        mark = placed.add(Decal(arrow()))
        assert nodes() - before == {"decals", "decals_painted", "decals_images", "decals/paint"}
        wet = placed.add(Decal(tint=None, roughness=0.1))
        assert nodes() - before == {
            *("decals", "decals_painted", "decals_images", "decals/paint"),
            *("decals_rough", "decals/roughen"),
        }
        placed.remove(mark)
        placed.remove(wet)
        assert nodes() == before
    with closing(session_of(backend, Yard, decals=False)) as session:
        assert nodes() == before


def test_decals_of_a_game_do_nothing_without_the_plugin(backend: VulkanBackend) -> None:
    assert np.array_equal(picture_of(backend, Marked, decals=False), picture_of(backend, Yard, decals=False))


class Painted(Yard):
    """One decal."""

    def setup(self, context: GameContext) -> None:
        super().setup(context)
        self.place(Decal(arrow()))


def test_without_a_g_buffer_the_plugin_says_why_it_does_nothing(
    backend: VulkanBackend, caplog: pytest.LogCaptureFixture
) -> None:
    marked, yard = (of_skeleton("forward", game) for game in (Painted, Yard))
    assert np.array_equal(picture_of(backend, marked, strict=False), picture_of(backend, yard, strict=False))
    said = [record.getMessage() for record in caplog.records if record.name == "renderwright.plan"]
    assert len(said) == 1, "only of the scene that has decals"
    assert 'plugin "decals" adds nothing to the frame' in said[0]
    assert "it needs `normal`, which nobody creates" in said[0]
    with pytest.raises(PluginError, match="adds nothing"):
        picture_of(backend, marked)


def test_they_are_drawn_between_geometry_and_lighting(backend: VulkanBackend) -> None:
    with closing(session_of(backend, Marked, "ssao", "shadows")) as session:
        frames_of(session, 1)
        order = nodes_of(session)
    own = [order.index(f"decals/{node}") for node in ("keep_normals", "paint", "bend", "roughen", "coat")]
    assert order.index("opaque") < min(own)
    assert max(own) < order.index("deferred_lighting")
    assert order.index("decals/bend") < order.index("ssao/search")


class Still(Yard):
    """One decal on the ground, seen from straight above."""

    seen_from = glm.vec3(0.0, 4.0, 2.0)

    def setup(self, context: GameContext) -> None:
        super().setup(context)
        context.scene.clear()
        context.scene.spawn(box((20.0, 1.0, 20.0)), Material((0.4, 0.4, 0.4, 1.0)), Transform(glm.vec3(0.0, -0.5, 0.0)))
        context.scene.sun.direction = glm.vec3(0.0, -1.0, 0.0)
        context.scene.cameras[:] = [Camera(self.seen_from, glm.vec3(0.0))]
        context.scene.snap_cameras()
        self.decals(context)

    def decals(self, context: GameContext) -> None:
        """Place them."""
        self.mark = self.place(Decal(arrow(), size=(1.5, 1.5, 0.5)))


def colored(picture: Picture, channel: int) -> np.ndarray:
    """Where a channel is far above the others."""
    others = np.delete(picture[..., :3].astype(int), channel, axis=2).max(axis=2)
    return picture[..., channel].astype(int) > others + 40


def test_the_top_of_an_image_is_on_top(backend: VulkanBackend) -> None:
    picture = picture_of(backend, Still)
    red, green = (np.argwhere(colored(picture, channel)).mean(axis=0) for channel in (0, 1))
    assert red[0] < green[0] - 5
    assert abs(red[1] - green[1]) < 1.0


@pytest.mark.parametrize(("orders", "channel"), [((0.0, 0.0), 1), ((1.0, 0.0), 0), ((0.0, 1.0), 1)])
def test_of_overlapping_decals_the_one_of_higher_order_is_on_top(
    backend: VulkanBackend, orders: tuple[float, float], channel: int
) -> None:
    class Two(Still):
        def decals(self, context: GameContext) -> None:
            for tint, order in zip(((1.0, 0.0, 0.0), (0.0, 1.0, 0.0)), orders, strict=True):
                self.place(Decal(tint=tint, order=order))

    shown = picture_of(backend, Two)
    assert colored(shown, channel).mean() > 0.01
    assert not colored(shown, 1 - channel).any()


def test_far_images_are_blurred_and_do_not_flicker(backend: VulkanBackend) -> None:
    """A chequered image of texels far below those of the picture is even grey."""

    class Chequered(Still):
        def decals(self, context: GameContext) -> None:
            light = (np.indices((512, 512)).sum(axis=0) % 2 * 255).astype(np.uint8)[..., None]
            pixels = np.concatenate([light, light, light, np.full_like(light, 255)], axis=-1)
            self.place(Decal(Image("chequered", pixels), size=(3.0, 3.0, 0.5)))

    class Even(Still):
        def decals(self, context: GameContext) -> None:
            self.place(Decal(tint=(0.5, 0.5, 0.5), size=(3.0, 3.0, 0.5)))

    shown, right = (picture_of(backend, game).astype(int) for game in (Chequered, Even))
    assert np.abs(shown - right).max() <= 3


def test_a_dynamic_resolution_shows_them_in_their_places(backend: VulkanBackend) -> None:
    width, height = EXTENT
    with closing(session_of(backend, Still)) as session:
        full = colored(frames_of(session, 1)[-1], 0)
        session.graph.set_dynamic_resolution("main_view", (2 * width // 3, 2 * height // 3))
        less = colored(frames_of(session, 2)[-1], 0)
    assert full.sum() > 60
    assert (full ^ less).sum() < 0.35 * full.sum()
    assert np.abs(np.argwhere(full).mean(axis=0) - np.argwhere(less).mean(axis=0)).max() < 1.0


@pytest.mark.parametrize("height", [None, 3.0])
def test_boxes_may_reach_behind_the_camera_and_beyond_the_far_plane(
    backend: VulkanBackend, height: float | None
) -> None:
    class Deep(Still):
        depth = 60.0

        def decals(self, context: GameContext) -> None:
            context.scene.camera.height, context.scene.camera.depth_range = height, 7.0
            context.scene.snap_cameras()
            self.place(Decal(arrow(), size=(1.5, 1.5, self.depth)))

    shown = picture_of(backend, Deep)
    assert colored(shown, 0).mean() > 0.01
    assert np.array_equal(shown, picture_of(backend, type("Shallow", (Deep,), {"depth": 0.5})))


class Cart(Still):
    """A box that slides with a decal on its top, over a decal on the ground that stays."""

    def decals(self, context: GameContext) -> None:
        blue = Material((0.1, 0.1, 0.6, 1.0))
        self.cart = context.scene.spawn(box(0.6), blue, Transform(glm.vec3(-1.0, 0.3, 0.0)))
        self.place(Decal(None, glm.vec3(0.0, 0.3, 0.0), size=(0.4, 0.4, 0.1), tint=(1.0, 0.0, 0.0), follow=self.cart))

    def update(self, dt: float) -> None:
        self.cart.transform.position += glm.vec3(12.0 * dt, 0.0, 0.0)


def test_a_decal_stays_on_an_entity_that_moves(backend: VulkanBackend) -> None:
    with closing(session_of(backend, Cart, frame=Cart.step * 0.7)) as session:
        pictures = frames_of(session, 10)
    marks, carts = ([np.argwhere(colored(picture, channel)) for picture in pictures] for channel in (0, 2))
    for mark, cart in zip(marks, carts, strict=True):
        middle = 0.5 * (cart[:, 1].min() + cart[:, 1].max())
        assert abs(mark[:, 1].mean() - middle) < 1.5
    assert marks[-1][:, 1].mean() > marks[0][:, 1].mean() + 5


class Changing(Marked):
    """Decals come, go, move, and change their images."""

    def setup(self, context: GameContext) -> None:
        super().setup(context)
        self.steps = 0

    def update(self, dt: float) -> None:
        self.steps += 1
        self.mark.rotation += 0.3
        if self.steps % 2:
            self.extra = self.place(Decal(arrow(8 * self.steps), glm.vec3(-0.5, 0.0, 1.0), order=self.steps % 3))
            self.mark.image = arrow(10 + self.steps)
        else:
            self.context.scene.placed.remove(self.extra)


def test_pictures_depend_on_nothing_else(backend: VulkanBackend) -> None:
    def played(**options: Any) -> list[Picture]:
        with closing(session_of(backend, Changing, frame=Changing.step, **options)) as session:
            return frames_of(session, 8)

    plain = played()
    assert len({picture.tobytes() for picture in plain}) == 8
    for other in (played(recording=Recording.ALWAYS), played(recording=Recording.VERIFIED), played(poison=Poison.NAN)):
        assert [np.array_equal(a, b) for a, b in zip(plain, other, strict=True)] == [True] * 8


def test_an_unchanged_frame_records_nothing() -> None:
    calls: Counter[str] = Counter()

    def counted(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any) -> Any:
            calls[name] += 1
            return function(*arguments)

        return call

    with (
        closing(VulkanBackend(validate=True, wrap=counted)) as backend,
        closing(session_of(backend, Still)) as session,
        closing(backend.create_target(session.extent)) as target,
    ):
        session.step()
        recorded = []
        for _ in range(8):
            calls.clear()
            session.render(target)
            recorded.append({name for name in calls if name.startswith(("vkCmd", "vkBeginCommandBuffer"))})
        assert "vkCmdDraw" in recorded[0]
        assert recorded[-3:] == [set()] * 3
        assert backend.validation_messages == []
