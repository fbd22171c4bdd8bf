"""The entity under a ray: the first triangle of all, and nothing that is hidden."""

from __future__ import annotations

import math

import numpy as np
import pytest
from pyglm import glm

from renderwright.engine.scene import Camera, Entity, Material, Mesh, Ray, Scene, Transform
from renderwright.engine.scene.primitives import box, plane, sphere, torus

RED = Material((1.0, 0.0, 0.0, 1.0))
AHEAD = Ray(glm.vec3(0.0), glm.vec3(0.0, 0.0, -1.0))


def at(x: float, y: float, z: float) -> Transform:
    return Transform(glm.vec3(x, y, z))


def brute_force(scene: Scene, ray: Ray) -> tuple[int, float] | None:
    """The number of the first entity and the distance, from all triangles in world space."""
    found = []
    drawn = scene.draw_list()
    for batch in drawn.batches:
        for place in range(batch.first, batch.first + batch.count):
            points = np.column_stack([batch.mesh.positions, np.ones(len(batch.mesh.positions))]) @ drawn.models[place]
            a, b, c = points[batch.mesh.indices.reshape(-1, 3), :3].swapaxes(0, 1)
            systems = np.stack([a - b, a - c, np.broadcast_to(ray.direction, a.shape)], axis=2)
            seen = (np.linalg.det(systems) < 0.0) | batch.material.double_sided
            solved = np.linalg.solve(systems[seen], (a - np.array(ray.origin))[seen, :, None])
            for u, v, distance in solved[..., 0]:
                if min(u, v, 1.0 - u - v, distance) >= 0.0:
                    found.append((distance, int(drawn.numbers[place])))
    return (min(found)[1], min(found)[0]) if found else None


@pytest.mark.parametrize("seed", range(8))
def test_it_is_the_first_triangle_of_all(seed: int) -> None:
    random = np.random.default_rng(seed)
    scene = Scene()
    meshes = (box(), sphere(0.5, segments=8, rings=4), plane(1.0, 1.0), torus(0.5, 0.15))
    for number in range(30):
        turn = glm.normalize(glm.quat(*random.normal(size=4).tolist()))
        place = Transform(glm.vec3(*random.normal(scale=2.0, size=3).tolist()), turn)
        place.scale = glm.vec3(*random.uniform(0.4, 1.5, 3).tolist())
        local = glm.mat4(1.0)
        if number % 3 == 0:
            local[0][1] = 0.7
        material = Material(double_sided=number % 4 == 0)
        scene.add(Entity(meshes[number % 4], material, place, local=local))
    hits = 0
    for _ in range(30):
        origin = glm.vec3(*random.normal(scale=4.0, size=3).tolist())
        aim = glm.vec3(*random.normal(scale=1.5, size=3).tolist())
        ray = Ray(origin, glm.normalize(aim - origin))
        hit, expected = scene.pick(ray), brute_force(scene, ray)
        assert (hit is None) == (expected is None)
        if hit is not None and expected is not None:
            hits += 1
            assert hit.entity.number == expected[0]
            assert hit.distance == pytest.approx(expected[1], abs=1e-4)
            assert glm.distance(hit.position, ray.origin + ray.direction * hit.distance) < 1e-4
    assert hits > 5


def test_the_middle_of_the_picture_is_what_the_camera_looks_at() -> None:
    scene = Scene()
    scene.camera = Camera(glm.vec3(3.0, 2.0, 5.0), glm.vec3(0.0), fov_y=math.radians(40.0))
    ball = scene.spawn(sphere(1.0), RED)
    scene.spawn_many(box(), RED, [(-3.0, 0.0, 0.0), (6.0, 0.0, 0.0)])
    hit = scene.pick(scene.camera.ray((0.0, 0.0), 16 / 9))
    assert hit is not None
    assert hit.entity is ball
    assert hit.distance == pytest.approx(math.sqrt(38.0) - 1.0, abs=0.02)
    assert scene.pick(scene.camera.ray((0.9, 0.9), 16 / 9)) is None


def test_a_ray_through_a_hole_meets_what_is_behind() -> None:
    scene = Scene()
    ring = scene.spawn(torus(1.0, 0.2), RED, Transform(rotation=glm.angleAxis(math.pi / 2, glm.vec3(1, 0, 0))))
    ring.transform.position = glm.vec3(0.0, 0.0, -3.0)
    behind = scene.spawn(box(), RED, at(0, 0, -8))
    hit = scene.pick(AHEAD)
    assert hit is not None
    assert hit.entity is behind
    ring.transform.position.x = 1.0
    hit = scene.pick(AHEAD)
    assert hit is not None
    assert hit.entity is ring


def test_hidden_entities_and_other_layers_are_passed() -> None:
    scene = Scene()
    near, middle, far = (scene.spawn(box(), RED, at(0, 0, -z)) for z in (2, 4, 6))
    near.visible, middle.layers = False, 2
    found = [scene.pick(AHEAD), scene.pick(AHEAD, layers=1), scene.pick(AHEAD, layers=4)]
    assert [hit and hit.entity for hit in found] == [middle, far, None]
    assert scene.pick(Ray(glm.vec3(0.0), glm.vec3(0.0, 0.0, 1.0))) is None, "behind the ray"


def test_back_faces_count_where_they_are_drawn() -> None:
    scene = Scene()
    wall = scene.spawn(box(), RED, at(0, 0, 0.2))
    behind = scene.spawn(box(), RED, at(0, 0, -4))
    hit = scene.pick(AHEAD)
    assert hit is not None
    assert hit.entity is behind, "the ray starts in the box"
    wall.material = Material(double_sided=True)
    hit = scene.pick(AHEAD)
    assert hit is not None
    assert (hit.entity, hit.distance) == (wall, pytest.approx(0.3))


def test_a_mirrored_mesh_has_its_front_outside() -> None:
    scene = Scene()
    mirror = glm.scale(glm.mat4(1.0), glm.vec3(-1.0, 1.0, 1.0))
    mirrored: Mesh = box().mirrored()
    scene.add(Entity(mirrored, RED, at(0, 0, -5), local=mirror))
    hit = scene.pick(AHEAD)
    assert hit is not None
    assert hit.distance == pytest.approx(4.5)
    scene.add(Entity(box(), RED, Transform(glm.vec3(0, 0, -2), scale=glm.vec3(1.0, 0.0, 1.0))))
    assert scene.pick(AHEAD) is not None, "a flat mesh is no obstacle"
