"""Draw commands: those of all batches in their order, in few calls, on every kind of device."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from playing import frames_of
from pyglm import glm

from renderwright.engine.clock import FixedStepClock
from renderwright.engine.game import Game, GameContext
from renderwright.engine.options import PluginChoice
from renderwright.engine.renderer.draw_commands import draw_table, with_any_images
from renderwright.engine.renderer.drawn_surfaces import KINDS, GpuDraw, GpuSurface
from renderwright.engine.renderer.gpu_geometry import MeshRange
from renderwright.engine.renderer.material_textures import images_of
from renderwright.engine.scene.draw_list import DrawBatch
from renderwright.engine.scene.image import Image
from renderwright.engine.scene.material import ALPHA_MODES, Material
from renderwright.engine.scene.primitives import box, plane
from renderwright.engine.scene.transform import Transform
from renderwright.engine.session import Session
from renderwright.render.backend.protocol import INDIRECT_BYTES
from renderwright.render.backend.vulkan.backend import VulkanBackend

IMAGES = tuple(Image(f"image {number}", np.full((1, 1, 4), 80 * number, np.uint8)) for number in range(3))
MESHES = tuple((box(1.0 + number), MeshRange(30 * number, 6 + number, 20 * number)) for number in range(4))


def random_draws(seed: int) -> list[GpuDraw]:
    """Batches of a few meshes and images, of which many follow another of their kind."""
    chance = random.Random(seed)
    draws: list[GpuDraw] = []
    first = 0
    for _ in range(chance.randrange(30)):
        mesh, place = MESHES[chance.randrange(1 + chance.randrange(len(MESHES)))]
        image = chance.choice([None, *IMAGES])
        material = Material(
            base_color_image=image,
            double_sided=chance.random() < 0.3,
            alpha_mode=chance.choice(ALPHA_MODES),
            unlit=chance.random() < 0.2,
        )
        count = 1 + chance.randrange(5)
        batch = DrawBatch(mesh, material, first, count, chance.random() < 0.7)
        draws.append(GpuDraw(batch, GpuSurface(mesh, material, place, images_of(material))))
        first += count
    return draws


def expanded(commands: Any) -> list[tuple[int, ...]]:
    """What commands draw, one instance after the other."""
    return [(*rest, first + at) for number, count, *rest, first in commands for at in range(count) if number]


def of_draws(draws: list[GpuDraw]) -> list[tuple[int, ...]]:
    places = [(draw.surface.place, draw.batch) for draw in draws]
    return expanded((m.index_count, b.count, m.first_index, m.vertex_offset, b.first) for m, b in places)


@pytest.mark.parametrize("by_images", [True, False])
def test_every_kind_of_draws_has_the_commands_of_its_batches_in_order(by_images: bool) -> None:
    for seed in range(200):
        draws = random_draws(seed)
        table = draw_table(draws, by_images=by_images)
        images = [draw.surface.images for draw in draws for _ in range(draw.batch.count)]
        for kind in KINDS:
            mine = [
                draw
                for draw in draws
                if draw.batch.material.double_sided is kind.double_sided
                and draw.batch.material.alpha_mode == kind.alpha
                and ("layers" if draw.batch.material.unlit else "plain") == kind.surface
                and (not kind.casters_only or (draw.batch.casts_shadow and kind.alpha != "blend"))
            ]
            ranges = table.ranges[kind]
            assert expanded(command for each in ranges for command in table.used(each)) == of_draws(mine)
            for each in with_any_images(ranges):
                assert expanded(table.used(each)) == of_draws(mine)
            for each in ranges:
                used = list(table.used(each))
                assert table.commands[each.count_at // INDIRECT_BYTES]["indices"] == len(used) <= each.room
            assert by_images or len(ranges) <= 1
            if by_images:
                for each in ranges:
                    assert {images[at] for *_, at in expanded(table.used(each))} == {each.images}


def test_neighbours_with_one_mesh_are_one_command_unless_their_images_differ() -> None:
    mesh, place = MESHES[0]
    materials = [Material(roughness=0.1 * number, base_color_image=IMAGES[number // 2]) for number in range(4)]
    draws = [
        GpuDraw(DrawBatch(mesh, material, 3 * number, 3, True), GpuSurface(mesh, material, place, images_of(material)))
        for number, material in enumerate(materials)
    ]

    def commands(*, by_images: bool) -> list[list[tuple[int, ...]]]:
        table = draw_table(draws, by_images=by_images)
        return [list(table.used(each)) for each in table.ranges[KINDS[0]]]

    assert commands(by_images=False) == [[(6, 12, 0, 0, 0)]]
    assert commands(by_images=True) == [[(6, 6, 0, 0, 0)], [(6, 6, 0, 0, 6)]]
    other = draws[1]._replace(surface=replace(draws[1].surface, place=MESHES[1][1]))
    apart = [draws[0], other, *draws[2:]]
    assert len(list(draw_table(apart, by_images=False).commands.nonzero()[0])) == 4  # three, and their number


def test_what_has_not_moved_has_no_instances() -> None:
    for seed in range(50):
        draws = random_draws(seed)
        table = draw_table(draws, by_images=True)
        moved = np.random.default_rng(seed).random(sum(draw.batch.count for draw in draws)) < 0.2
        for kind in KINDS:
            for each in table.ranges[kind]:
                every = list(table.used(each))
                some = [command for command in every if moved[command[4] : command[4] + command[1]].any()]
                assert list(table.of_moved(np.flatnonzero(moved)).used(each)) == some
                assert list(table.still.used(each)) == []


class Crowd(Game):
    """Boxes side by side, each with a material of its own; every third has an image, every fifth both its sides."""

    boxes = 40

    def setup(self, context: GameContext) -> None:
        scene = context.scene
        scene.camera.position, scene.camera.target = glm.vec3(0, 4, 9), glm.vec3(0)
        scene.spawn(plane(20, 20), Material(roughness=0.9))
        meshes = [box(0.6), box(0.4)]
        for number in range(self.boxes):
            self.add(number, meshes[number % 2])

    def add(self, number: int, mesh: Any) -> None:
        color = (0.2 + 0.1 * (number % 7), 0.5, 0.9 - 0.1 * (number % 5), 1.0)
        image = IMAGES[number % 2] if number % 3 == 0 else None
        material = Material(base_color=color, base_color_image=image, double_sided=number % 5 == 0)
        place = glm.vec3(number % 8 - 4, 0.5 + 0.2 * (number % 3), number // 8 - 3)
        self.context.scene.spawn(mesh, material, Transform(position=place))


class ForwardCrowd(Crowd):
    """The same by the forward skeleton."""

    skeleton = "forward"


class Counted:
    """A backend whose calls are counted."""

    def __init__(self) -> None:
        self.calls: Counter[str] = Counter()
        self.backend = VulkanBackend(validate=True, wrap=self._wrap)

    def _wrap(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any) -> Any:
            self.calls[name] += 1
            return function(*arguments)

        return call


@pytest.fixture
def counted() -> Iterator[Counted]:
    made = Counted()
    yield made
    made.backend.close()
    assert [message.text for message in made.backend.validation_messages] == []


def session_of(game: type[Game], backend: VulkanBackend) -> Session:
    clock = FixedStepClock(game.step, frame=game.step)
    choice = PluginChoice(enable=("shadows", "taa"), disable=("bloom", "tonemap"))
    return Session(game, backend, (96, 54), choice=choice, clock=clock, verify=True)


def picture(game: type[Game], backend: VulkanBackend) -> np.ndarray:
    session = session_of(game, backend)
    try:
        return frames_of(session, 3)[-1]
    finally:
        session.close()


@pytest.mark.vulkan
@pytest.mark.parametrize("game", [Crowd, ForwardCrowd])
def test_every_device_draws_the_same(counted: Counted, game: type[Game], monkeypatch: pytest.MonkeyPatch) -> None:
    """With a table of images, where the device has one, and without; by counted commands, by commands without counts,
    by one command a call, and by direct draws."""
    backend = counted.backend
    shown = picture(game, backend)
    assert len(np.unique(shown.reshape(-1, 4), axis=0)) > 100
    for limit in ("table", "counts", "draws", "direct"):
        if limit == "table":
            backend.capabilities = replace(backend.capabilities, indexed_textures=0)
        elif limit == "counts":
            monkeypatch.setattr(backend._device, "indirect_counts", False)
        elif limit == "draws":
            monkeypatch.setattr(backend._device, "indirect_draws", 1)
        else:
            backend.capabilities = replace(backend.capabilities, indirect_instances=False)
            counted.calls.clear()
        assert np.array_equal(picture(game, backend), shown), limit
    assert not any("Indirect" in name for name in counted.calls)


class Plain(Crowd):
    """Boxes of two sizes in turn, without images, in front of a camera that does not move."""

    plugins = ("tonemap",)
    boxes = 5

    def setup(self, context: GameContext) -> None:
        self.meshes = [box(0.6), box(0.4)]
        super().setup(context)

    def add(self, number: int, mesh: Any) -> None:
        place = Transform(glm.vec3(number % 11 - 5, 0.3 * (number // 11), 0))
        self.context.scene.spawn(self.meshes[number % 2], Material(roughness=0.01 * number), place)


class ManyPlain(Plain):
    """More of them."""

    boxes = 100


@pytest.mark.vulkan
def test_another_material_is_no_other_call(counted: Counted) -> None:
    """A frame records as many draws with one batch as with many, and none at all when there is one more."""
    recorded = []
    for game in (Plain, ManyPlain):
        clock = FixedStepClock(game.step, frame=game.step)
        session = Session(game, counted.backend, (96, 54), clock=clock)
        counted.calls.clear()
        before = frames_of(session, 4)[-1]
        recorded.append(counted.calls["vkCmdDrawIndexedIndirectCount"])
        session.runner.game.add(game.boxes, None)
        assert not np.array_equal(frames_of(session, 1)[-1], before)
        assert counted.calls["vkCmdDrawIndexedIndirectCount"] == recorded[-1]
        assert counted.calls["vkCmdDrawIndexed"] == 0
        session.close()
    assert recorded[0] == recorded[1] > 0
