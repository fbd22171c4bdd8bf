"""The table of all material images, on devices whose shaders index arrays of textures freely."""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np
import pytest
from playing import frames_of
from pyglm import glm

from renderwright.engine.clock import FixedStepClock
from renderwright.engine.game import Game, GameContext
from renderwright.engine.options import PluginChoice
from renderwright.engine.renderer.geometry import IMAGES
from renderwright.engine.renderer.image_table import ImageNumbers
from renderwright.engine.renderer.material_images import MaterialImages
from renderwright.engine.renderer.material_textures import KEPT_FRAMES, ImageSet, images_of
from renderwright.engine.scene.image import Image
from renderwright.engine.scene.material import Material
from renderwright.engine.scene.primitives import box
from renderwright.engine.scene.transform import Transform
from renderwright.engine.session import Session
from renderwright.render.backend.null import NullBackend
from renderwright.render.backend.vulkan.backend import VulkanBackend
from renderwright.render.errors import UsageError

TEXTURES = 4096


def image(number: int, *, srgb: bool = True) -> Image:
    return Image(f"image {number}", np.full((2, 2, 4), number, np.uint8), srgb)


def frame(backend: NullBackend) -> None:
    """Time goes on, and what is on its way arrives."""
    backend.begin_frame(0)
    backend.end_frame(0, [], None)


def names(images: MaterialImages, material: Material) -> list[str]:
    """The textures that the material finds in the table."""
    return [images.table.images[number].texture.name for number in images.numbers_of(images_of(material))]


def test_images_keep_their_numbers_while_they_are_used() -> None:
    chance = random.Random(7)
    every = [image(number) for number in range(6)]
    numbers = ImageNumbers()
    before: dict[ImageSet, tuple[int, ...]] = {}
    for _ in range(300):
        chosen = [chance.choice([None, *every]) for _ in range(chance.randrange(1, 5))]
        used = list(dict.fromkeys(images_of(Material(base_color_image=one, normal_image=one)) for one in chosen))
        numbers.follow(used)
        now = {images: numbers.of(images) for images in used}
        assert all(now[images] == before[images] for images in used if images in before)
        assert len({number[0] for number in now.values()}) == len(used)
        assert max(max(number) for number in now.values()) < 2 * len(every) + 4
        before = now


def test_a_material_finds_its_images_and_placeholders() -> None:
    backend = NullBackend(indexed_textures=TEXTURES)
    alive = backend.alive
    images = MaterialImages(backend, stream=True)
    plain = Material()
    images.update([images_of(plain)])
    white, flat, black = "plain (255, 255, 255, 255)", "plain (128, 128, 255, 255)", "plain (0, 0, 0, 255)"
    no_layers = [white, flat, white, white, white]
    assert names(images, plain) == [white, flat, white, white, white, *no_layers]
    shared = image(1)
    whole = Material(base_color_image=shared, normal_image=image(2, srgb=False), emissive_image=shared)
    wanted = [images_of(plain), images_of(whole)]
    images.update(wanted)
    arriving = images.table
    assert names(images, whole) == [white, flat, white, black, white, *no_layers]
    numbers = images.numbers_of(images_of(whole))
    frame(backend)
    images.update(wanted)
    assert images.table is not arriving
    assert images.numbers_of(images_of(whole)) == numbers
    assert names(images, whole) == ["image 1", "image 2", white, "image 1", white, *no_layers]
    resident = images.table
    images.update(list(wanted))
    assert images.table is resident, "the same images are the same table"
    for _ in range(KEPT_FRAMES + 2):
        images.update([images_of(plain)])
    assert not any("image 1" in each for each in backend.alive)
    images.close()
    assert backend.alive == alive


class Gallery(Game):
    """Boxes with an image each, on several shapes."""

    plugins = ("shadows",)
    count = 30

    def setup(self, context: GameContext) -> None:
        context.scene.camera.position, context.scene.camera.target = glm.vec3(0, 2, 8), glm.vec3(0)
        for number in range(self.count):
            self.add(number)

    def add(self, number: int) -> None:
        normal = image(number, srgb=False) if number % 2 else None
        material = Material(base_color_image=image(number), normal_image=normal, double_sided=number % 7 == 0)
        place = Transform(glm.vec3(number % 6 - 3, number // 6 - 2, 0))
        self.context.scene.spawn(box(0.8), material, place)


class ForwardGallery(Gallery):
    """The same by the forward skeleton."""

    skeleton = "forward"


@pytest.mark.parametrize("base", [Gallery, ForwardGallery])
def test_all_materials_are_drawn_with_one_set(base: type[Game]) -> None:
    drawn = []
    for count in (3, 30):
        game = type("Sized", (base,), {"count": count})
        backend = NullBackend(indexed_textures=TEXTURES)
        session = Session(game, backend, (64, 36), clock=FixedStepClock(game.step, frame=game.step))
        frames_of(session, 1)
        lines = [line.strip() for line in backend.log]
        sets = [line for line in lines if line.startswith("bind set 1")]
        assert sets == ["bind set 1 scene_images"] * 2  # of single-sided and of double-sided materials
        drawn.append(sum(line.startswith("draw indexed by") for line in lines))
        session.close()
    assert drawn[0] == drawn[1] > 0


@pytest.mark.parametrize("before", [0, TEXTURES])
def test_another_device_may_have_a_table_or_none(before: int) -> None:
    """After the loss of a device the game goes on with what the next one has."""
    first, second = NullBackend(indexed_textures=before), NullBackend(indexed_textures=TEXTURES - before)
    session = Session(Gallery, first, (64, 36), clock=FixedStepClock(Gallery.step, frame=Gallery.step))
    for backend in (first, second):
        if backend is second:
            session.abandon()
            session.move_to(second)
        frames_of(session, 2)
        indexed = backend.capabilities.indexed_textures > 0
        assert (IMAGES in session.graph.node_names) is indexed
        assert any("bind set 1 scene_images" in line for line in backend.log) is indexed
        assert any("bind set 1 base_color_image" in line for line in backend.log) is not indexed
    session.close()


@pytest.mark.vulkan
@pytest.mark.parametrize("game", [Gallery, ForwardGallery])
def test_pictures_are_those_of_a_set_for_each_material(game: type[Game]) -> None:
    """Streamed images arrive while the game runs. A device without such arrays plays without a table both times."""
    backend = VulkanBackend(validate=True)
    able = backend.capabilities
    shown = []
    for textures in (0, able.indexed_textures):
        backend.capabilities = replace(able, indexed_textures=textures)
        clock = FixedStepClock(game.step, frame=game.step)
        off = PluginChoice(disable=("tonemap",))
        session = Session(game, backend, (64, 36), choice=off, clock=clock, verify=True)
        assert (IMAGES in session.graph.node_names) is (textures > 0)
        shown.append(frames_of(session, 2))
        session.runner.game.add(game.count)
        shown[-1] += frames_of(session, 3)
        session.close()
    backend.close()
    assert [message.text for message in backend.validation_messages] == []
    assert np.array_equal(shown[0], shown[1])
    assert not np.array_equal(shown[0][1], shown[0][-1])


def test_more_images_than_the_device_has_room_for_are_refused() -> None:
    images = MaterialImages(NullBackend(indexed_textures=4))
    wanted = [images_of(Material(base_color_image=image(number))) for number in range(4)]
    images.update(wanted[:2])
    with pytest.raises(UsageError, match="have 6 images, and the device 4 at once"):
        images.update(wanted)
