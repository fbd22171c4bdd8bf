"""The light of a rectangle on a floor: rendered, and by numerical integration of the engine's surface model."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass
from typing import cast

import numpy as np
from numpy.typing import NDArray
from pyglm import glm

from renderwright.engine.game import Game, GameContext
from renderwright.engine.renderer.lights.area_fit import lobe
from renderwright.engine.scene import Camera, Material, RectangleLight, Sky
from renderwright.engine.scene.primitives import plane
from renderwright.engine.session import Session
from renderwright.render.backend.protocol import Backend
from renderwright.render.types.physical import PhysicalTexture

Doubles = NDArray[np.float64]
_DIELECTRIC = 0.04


EXTENT = (40, 30)
PANEL = RectangleLight(glm.vec3(0, 1.5, -1), glm.vec3(0, -1, 0.6), glm.vec3(0, 1, 0), 2.0, 1.0, radius=1e4)
SUNKEN = RectangleLight(glm.vec3(0.5, 0.2, -1.5), glm.vec3(-0.2, 0, 1), glm.vec3(0, 1, 0), 1.5, 1.0, radius=1e4)
BACK = RectangleLight(
    glm.vec3(0, 0.8, 0), glm.vec3(0, 0.3, -1), glm.vec3(0, 1, 0), 1.0, 0.6, radius=1e4, two_sided=True
)
CAMERA = Camera(glm.vec3(0.3, 1.4, 3.0), glm.vec3(0, 0.2, 0))


@dataclass(frozen=True)
class Floor:
    """The surface y = 0: grey of ``color``, a metal or not."""

    color: float
    metallic: float
    roughness: float


def lit_floor(backend: Backend, floor: Floor, light: RectangleLight, skeleton_name: str = "deferred") -> Doubles:
    """What the renderer makes of it: linear light (height, width)."""

    class Room(Game):
        skeleton = skeleton_name
        plugins = ()

        def setup(self, context: GameContext) -> None:
            scene = context.scene
            scene.sky, scene.sun, scene.camera = Sky(intensity=0.0), None, CAMERA
            grey = (floor.color, floor.color, floor.color, 1.0)
            scene.spawn(plane(60, 60), Material(grey, metallic=floor.metallic, roughness=floor.roughness))
            scene.add_light(light)

    session = Session(Room, backend, EXTENT, strict=True)
    with closing(session), closing(backend.create_target(EXTENT)) as target:
        session.graph.add_sink("hdr")
        session.step()
        session.render(target)
        runtime = session.runtime
        assert "area_light_table" in runtime.graph.node_names
        instance = next(item.id for item in runtime.plan.graph.resources if "hdr" in item.resource.names)
        texture = cast(PhysicalTexture, runtime.resource(instance))
        layout = dict(runtime.plan.sync.layouts_left)[instance]
        texels = np.asarray(backend.read_texture(texture, layout), np.float64)
    return texels[..., 1]


def floor_points(camera: Camera, width: int, height: int) -> Doubles:
    """Where the rays of a picture's texels meet the floor, (height, width, 3); NaN above the horizon."""
    slope = np.tan(camera.fov_y / 2.0)
    x = ((np.arange(width) + 0.5) / width * 2.0 - 1.0) * slope * width / height
    y = (1.0 - (np.arange(height) + 0.5) / height * 2.0) * slope
    rays = np.stack(np.broadcast_arrays(x[None], y[:, None], -1.0), axis=-1) @ np.array(camera.view())[:3, :3]
    place = np.array(camera.position, float)
    with np.errstate(divide="ignore", invalid="ignore"):
        away = np.where(rays[..., 1] < 0.0, -place[1] / rays[..., 1], np.nan)
    points: Doubles = place + rays * away[..., None]
    return points


def single_albedo(roughness: float, n_v: Doubles) -> tuple[Doubles, Doubles]:
    """The specular albedo of single scattering, by integration over visible normals: factors of f0 and of f90."""
    alpha = np.full(n_v.size, max(roughness, 0.045) ** 2)
    light, weight = lobe(alpha, n_v.reshape(-1).clip(1e-3, 1.0))
    view = np.stack([np.sqrt(1.0 - n_v.reshape(-1) ** 2), np.zeros(n_v.size), n_v.reshape(-1)], axis=1)
    half = light + view[:, None]
    half /= np.linalg.norm(half, axis=2, keepdims=True)
    grazing = (1.0 - np.einsum("nsc,nc->ns", half, view).clip(0.0, 1.0)) ** 5
    shares = [(weight * part).mean(axis=1).reshape(n_v.shape) for part in (1.0 - grazing, grazing)]
    return shares[0], shares[1]


def radiance(points: Doubles, eye: Doubles, floor: Floor, light: RectangleLight, cells: int) -> Doubles:
    """Radiance of points of the floor towards the eye, (...,), from ``cells`` x ``cells`` parts of the light."""
    right, up = (np.array(side, float) for side in light.half_sides())
    facing, middle = np.cross(up, right), np.array(light.position, float)
    cell = 4.0 * np.linalg.norm(facing) / cells**2
    facing /= np.linalg.norm(facing)
    view = eye - points
    view /= np.linalg.norm(view, axis=-1, keepdims=True)
    n_v = view[..., 1]
    x, y = single_albedo(floor.roughness, n_v)
    gain = 1.0 / (x + y) - 1.0
    dielectric, metal = 1.0 + _DIELECTRIC * gain, 1.0 + floor.color * gain
    f0 = _DIELECTRIC * dielectric * (1.0 - floor.metallic) + floor.color * metal * floor.metallic
    f90 = dielectric * (1.0 - floor.metallic) + metal * floor.metallic
    total = np.zeros(points.shape[:-1])
    steps = (np.arange(cells) + 0.5) / cells * 2.0 - 1.0
    for across in steps:
        for along in steps:
            to_light = middle + right * across + up * along - points
            distance2 = (to_light**2).sum(axis=-1)
            to_light /= np.sqrt(distance2)[..., None]
            n_l, leaving = to_light[..., 1].clip(0.0), -(to_light @ facing)
            leaving = np.abs(leaving) if light.two_sided else leaving.clip(0.0)
            total += _reflected(view, to_light, floor, f0, f90) * n_l * leaving / distance2
    return total * cell * light.intensity


def _reflected(view: Doubles, light: Doubles, floor: Floor, f0: Doubles, f90: Doubles) -> Doubles:
    half = view + light
    half /= np.linalg.norm(half, axis=-1, keepdims=True)
    n_v, n_l, n_h = view[..., 1], light[..., 1].clip(1e-9), half[..., 1]
    grazing = (1.0 - (view * half).sum(axis=-1)) ** 5
    a2 = floor.roughness**4
    distribution = a2 / (np.pi * (n_h**2 * (a2 - 1.0) + 1.0) ** 2)
    visibility = 0.5 / (n_l * np.sqrt(n_v**2 * (1.0 - a2) + a2) + n_v * np.sqrt(n_l**2 * (1.0 - a2) + a2))
    through = (1.0 - _DIELECTRIC) * (1.0 - grazing)
    diffuse = floor.color * (1.0 - floor.metallic) * through / np.pi
    reflected: Doubles = diffuse + (f0 + (f90 - f0) * grazing) * distribution * visibility
    return reflected


@dataclass(frozen=True)
class Deviation:
    """How far a rendered floor is from the integral, as shares of the mean: of the mean light, and of texels."""

    bias: float
    mean: float


def deviation(backend: Backend, floor: Floor, light: RectangleLight, cells: int = 96) -> Deviation:
    """The deviation within 12 metres from an integral over ``cells`` x ``cells`` parts of the light."""
    points = floor_points(CAMERA, *EXTENT)
    seen = np.isfinite(points[..., 0]) & (np.abs(points).max(axis=-1) < 12.0)
    right = radiance(points[seen], np.array(CAMERA.position, float), floor, light, cells)
    off = lit_floor(backend, floor, light)[seen] - right
    return Deviation(abs(float(off.mean() / right.mean())), float(np.abs(off).mean() / right.mean()))
