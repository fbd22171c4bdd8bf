"""Scenes whose entities appear, vanish and change: the GPU has what it has of a scene that is built at once."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pytest
from playing import frames_of
from pyglm import glm

from renderwright.engine.clock import FixedStepClock
from renderwright.engine.game import Game, GameContext
from renderwright.engine.options import PluginChoice
from renderwright.engine.renderer import drawn_surfaces
from renderwright.engine.renderer.command_layout import BOUNDS
from renderwright.engine.renderer.draw_commands import CommandRange
from renderwright.engine.renderer.drawn_surfaces import KINDS, DrawnSurfaces, GpuSurface
from renderwright.engine.renderer.gpu_geometry import MeshRange
from renderwright.engine.renderer.gpu_scene import GpuScene
from renderwright.engine.renderer.instances import INSTANCE
from renderwright.engine.renderer.material_table import MATERIAL
from renderwright.engine.renderer.material_textures import PLAIN_SLOTS
from renderwright.engine.renderer.surface_variants import NO_SURFACES, ChosenSurface, ChosenSurfaces
from renderwright.engine.scene import Scene
from renderwright.engine.scene.draw_list import DrawBatch
from renderwright.engine.scene.entity import Entity
from renderwright.engine.scene.image import Image
from renderwright.engine.scene.material import ALPHA_MODES, Material
from renderwright.engine.scene.primitives import box, plane, sphere
from renderwright.engine.scene.surface_shader import SurfaceShader
from renderwright.engine.scene.transform import Transform
from renderwright.engine.session import Session
from renderwright.engine.views import ViewSet
from renderwright.render.backend.null import NullBackend
from renderwright.render.backend.protocol import INDIRECT_BYTES
from renderwright.render.backend.vulkan.backend import VulkanBackend
from renderwright.render.errors import OutOfMemoryError

IMAGES = tuple(Image(f"image {number}", np.full((1, 1, 4), 60 * number, np.uint8)) for number in range(4))
MESHES = (box(0.6), box(0.4), sphere(0.3, levels=1), plane(0.5, 0.5))
SHADERS = (SurfaceShader("one.glsl", plugin="some"), SurfaceShader("two.glsl", plugin="some"))


def material(chance: random.Random, shaders: Sequence[SurfaceShader] = ()) -> Material:
    mode = chance.choice(ALPHA_MODES)
    image = chance.choice([None, *IMAGES])
    return Material(
        (chance.choice([0.2, 0.9]), 0.5, 0.7, 0.5 if mode == "blend" else 1.0),
        roughness=chance.choice([0.3, 0.8]),
        base_color_image=image,
        emissive_image=image if chance.random() < 0.5 else None,
        double_sided=chance.random() < 0.3,
        alpha_mode=mode,
        unlit=chance.random() < 0.2,
        surface=chance.choice(shaders) if shaders and chance.random() < 0.3 else None,
    )


def place(chance: random.Random) -> Transform:
    return Transform(position=glm.vec3(chance.uniform(-3, 3), chance.uniform(0.3, 2), chance.uniform(-3, 1)))


def spawn(scene: Scene, chance: random.Random, shaders: Sequence[SurfaceShader] = ()) -> Entity:
    return scene.spawn(chance.choice(MESHES), material(chance, shaders), place(chance))


def change(scene: Scene, entities: list[Entity], chance: random.Random, shaders: Sequence[SurfaceShader] = ()) -> None:
    """One entity appears, vanishes, or is another one."""
    what = chance.choice(["spawn", "remove", "mesh", "material", "visible", "casts_shadow", "layers", "place"])
    if what == "spawn" or not entities:
        entities.append(spawn(scene, chance, shaders))
        return
    entity = chance.choice(entities)
    if what == "remove":
        entities.remove(entity)
        scene.remove(entity)
    elif what == "mesh":
        entity.mesh = chance.choice(MESHES)
    elif what == "material":
        entity.material = material(chance, shaders)
    elif what == "visible":
        entity.visible = not entity.visible
    elif what == "casts_shadow":
        entity.casts_shadow = not entity.casts_shadow
    elif what == "layers":
        entity.layers = chance.choice([1, 2, 3])
    else:
        entity.transform.position = place(chance).position


class Read:
    """What a scene on the GPU draws, without the numbers and places that its parts have there."""

    def __init__(self, gpu: GpuScene) -> None:
        self.gpu = gpu
        self.mesh_at = {place.vertex_offset: mesh for mesh, place in gpu._geometry.ranges.items()}
        table = gpu.draws.table
        self.draws = {kind: [self.of_range(each) for each in table.ranges[kind]] for kind in KINDS}
        self.blended = [
            [self.of_command(command) for each in draws.ranges for command in self.used(draws.commands, each)]
            + draws.instances.tolist()
            for draws in gpu.blended.draws
        ]

    @staticmethod
    def used(commands: Any, part: CommandRange) -> Iterator[Any]:
        start = part.offset // INDIRECT_BYTES
        return iter(commands[start : start + int(commands[start - 1]["indices"])])

    def of_command(self, command: Any) -> tuple[Any, ...]:
        _, instances, _, vertex_offset, first_instance = command.tolist()
        return self.mesh_at[vertex_offset], instances, first_instance

    def of_range(self, part: CommandRange) -> tuple[Any, ...]:
        table = self.gpu.draws.table
        commands = list(self.used(table.commands, part))
        start = part.offset // INDIRECT_BYTES
        bounds = table.bounds[start : start + len(commands)]
        return part, [self.of_command(command) for command in commands], bounds.tobytes()

    def instances(self, count: int, slot: int) -> list[tuple[Any, ...]]:
        """Each instance with all that its material says."""
        assert self.gpu.instances.data is not None
        assert self.gpu.materials.data is not None
        rows = np.frombuffer(self.gpu.instances.data, INSTANCE, count)
        materials = np.frombuffer(self.gpu.materials.data, MATERIAL, len(self.gpu._materials._rows))
        found = []
        for row in rows:
            number, layers, entity, _ = row["material"].tolist()
            of_material = materials[number].copy()
            images: list[str] = []
            if self.gpu.images.indexed:
                textures = self.gpu.images.table.images
                images = [textures[image].texture.name for image in of_material["images"].tolist()]
            of_material["images"] = (0,) * PLAIN_SLOTS
            found.append((row["model"].tobytes(), layers, entity, of_material.tobytes(), images))
        return found


@pytest.mark.parametrize("textures", [0, 64])
@pytest.mark.parametrize("seed", range(8))
def test_after_any_changes_the_gpu_has_what_it_has_of_a_scene_built_at_once(textures: int, seed: int) -> None:
    chance = random.Random(seed)
    backend = NullBackend(indexed_textures=textures)
    scene = Scene()
    entities = [spawn(scene, chance, SHADERS) for _ in range(chance.randrange(12))]
    surfaces: ChosenSurfaces = NO_SURFACES
    hud = np.zeros((0, 8), np.float32)
    gpu = GpuScene(backend)
    for frame in range(60):
        for _ in range(chance.choice([0, 1, 1, 2, 6])):
            change(scene, entities, chance, SHADERS)
        if chance.random() < 0.1:
            chosen = chance.sample(SHADERS, chance.randrange(len(SHADERS) + 1))
            surfaces = {shader: ChosenSurface.of(shader, shader.file) for shader in chosen}
        draws, slot = scene.draw_list(1.0), frame % 2
        views = ViewSet.of((scene.camera,), (64, 64)).views
        fresh = GpuScene(backend)
        for each in (gpu, fresh):
            each.update(draws, hud, slot, views=views, surfaces=surfaces)
        now, wanted = Read(gpu), Read(fresh)
        assert now.draws == wanted.draws
        assert [each for each in now.blended if each] == [each for each in wanted.blended if each]
        instances = now.instances(len(draws.models), slot)
        assert instances == wanted.instances(len(draws.models), slot)
        for drawn in draws.batches if textures else ():
            names = instances[drawn.first][-1]
            images = drawn.material.slots()[:PLAIN_SLOTS]
            assert all(image is None or name == image.name for image, name in zip(images, names, strict=True))
        assert {*gpu._image_sets} == {*fresh._image_sets}
        assert {*gpu.images.shown} == {*fresh.images.shown}
        assert {*gpu._meshes} == {*fresh._meshes}
        assert np.frombuffer(gpu.draws.bounds.data or b"", BOUNDS, len(gpu.draws.table.bounds)).tobytes() == (
            gpu.draws.table.bounds.tobytes()
        )
        fresh.close()
    gpu.close()


def batch(mesh: Any, material: Material, first: int) -> DrawBatch:
    return DrawBatch(mesh, material, first, 1, True)


def test_only_a_surface_that_was_not_drawn_before_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[str] = []

    def counted(mesh: Any, material: Material, *rest: Any) -> GpuSurface:
        made.append(mesh.name)
        return GpuSurface(mesh, material, *rest)

    monkeypatch.setattr(drawn_surfaces, "GpuSurface", counted)
    ranges = {mesh: MeshRange(10 * number, 3, 10 * number) for number, mesh in enumerate(MESHES[:2])}
    drawn = DrawnSurfaces()
    materials = [Material(roughness=0.1 * number) for number in range(9)]
    batches = [batch(MESHES[0], each, number) for number, each in enumerate(materials)]
    first = drawn.draws(tuple(batches), ranges, NO_SURFACES)
    assert len(made) == 9
    # The first one vanishes, so that all others have other instances, and another one appears.
    later = [batch(MESHES[0], each, number) for number, each in enumerate(materials[1:])]
    now = drawn.draws((*later, batch(MESHES[1], materials[0], 8)), ranges, NO_SURFACES)
    assert len(made) == 10
    assert [draw.surface for draw in now[:8]] == [draw.surface for draw in first[1:]]
    assert now[8].surface.place == ranges[MESHES[1]]
    # Meshes elsewhere, and other surface functions, are for all of them.
    drawn.draws(tuple(batches), dict(ranges), NO_SURFACES)
    assert len(made) == 19
    drawn.draws(tuple(batches), dict(ranges), {SHADERS[0]: ChosenSurface.of(SHADERS[0], SHADERS[0].file)})
    assert len(made) == 28


def test_surfaces_that_are_not_drawn_any_more_are_forgotten() -> None:
    ranges = {MESHES[0]: MeshRange(0, 3, 0)}
    drawn = DrawnSurfaces()
    for number in range(100):
        drawn.draws((batch(MESHES[0], Material(roughness=0.01 * number), 0),), ranges, NO_SURFACES)
        assert len(drawn._known) == 1


class Changing(Game):
    """Entities that change at random: ``changes`` of them before the first frame, the others on demand."""

    changes = 0

    def setup(self, context: GameContext) -> None:
        scene = context.scene
        scene.camera.position, scene.camera.target = glm.vec3(0, 2, 6), glm.vec3(0, 1, 0)
        self.chance = random.Random(3)
        self.entities = [spawn(scene, self.chance) for _ in range(12)]
        self.change(self.changes)

    def change(self, times: int) -> None:
        for _ in range(times):
            change(self.context.scene, self.entities, self.chance)


class Changed(Changing):
    """The same after all changes."""

    changes = 40


@pytest.mark.vulkan
@pytest.mark.parametrize("plugins", [(), ("shadows",)])
def test_pictures_of_a_changing_scene_are_those_of_a_scene_built_at_once(plugins: tuple[str, ...]) -> None:
    backend = VulkanBackend(validate=True)

    def session_of(game: type[Game]) -> Session:
        choice = PluginChoice(enable=plugins, disable=("taa", "bloom"))
        return Session(game, backend, (96, 54), choice=choice, clock=FixedStepClock(game.step, frame=game.step))

    session = session_of(Changing)
    before = frames_of(session, 2)[-1]
    for _ in range(20):
        session.runner.game.change(2)
        frames_of(session, 1)
    changed = frames_of(session, 4)[-1]
    session.close()
    session = session_of(Changed)
    wanted = frames_of(session, 4)[-1]
    session.close()
    assert not np.array_equal(before, wanted)
    assert np.array_equal(changed, wanted)
    backend.close()
    assert [message.text for message in backend.validation_messages] == []


def test_images_have_their_numbers_after_an_update_that_found_no_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    backend = NullBackend(indexed_textures=64)
    scene = Scene()
    entity = scene.spawn(MESHES[0], Material(base_color_image=IMAGES[0]), place(random.Random(0)))
    gpu = GpuScene(backend)
    hud = np.zeros((0, 8), np.float32)
    gpu.update(scene.draw_list(1.0), hud, 0)
    entity.material = Material(base_color_image=IMAGES[1], roughness=0.1)
    draws = scene.draw_list(1.0)

    def full(*_: Any) -> None:
        raise OutOfMemoryError("full")

    with monkeypatch.context() as patched:
        patched.setattr(backend, "create_texture", full)
        with pytest.raises(OutOfMemoryError):
            gpu.update(draws, hud, 1)
    for slot in (0, 1):
        gpu.update(draws, hud, slot)
        assert "image 1" in Read(gpu).instances(1, slot)[0][-1]
    gpu.close()
