"""References by the path tracer Mitsuba 3, kept in the folder ``references`` because it is no dependency.

``python -m benchmarks.quality.path_tracer`` renders them again, where ``pip install mitsuba`` has been run. Surfaces
are of Mitsuba's principled material, panes of its thin dielectric. Masked squares are cut out, because its masks cast
the shadows of whole squares. Lamps have no radius there, and all have shadows.
"""

from __future__ import annotations

import math
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from benchmarks.quality.path_scenes import GlassAndLeaves, ManyLamps, Panel, PathScene, Room
from benchmarks.quality.play import Floats
from renderwright.engine.game import GameContext
from renderwright.engine.scene import DirectionalLight, Image, Material, PointLight, Scene
from renderwright.engine.scene.entity import Entity
from renderwright.engine.scene.mesh import Mesh
from renderwright.engine.scene.primitives import plane
from renderwright.render.types.resources import Extent

FOLDER = Path(__file__).parent / "references"
EXTENT: Extent = (160, 90)
SCENES: dict[str, type[PathScene]] = {
    "room": Room,
    "glass_and_leaves": GlassAndLeaves,
    "panel": Panel,
    "many_lamps": ManyLamps,
}


def kept_reference(name: str) -> Floats:
    """The kept reference of a scene, linear light, float32 (height, width, 3)."""
    with np.load(FOLDER / f"{name}.npz") as stored:
        return np.asarray(stored["light"], np.float32)


def traced(game: type[PathScene], extent: Extent = EXTENT) -> Floats:
    """Render the reference of a scene, linear light, float32 (height, width, 3)."""
    import mitsuba  # type: ignore[import-not-found, unused-ignore]

    mitsuba.set_variant("scalar_rgb")
    context = GameContext()
    built = game()
    built.context = context
    built.setup(context)
    with TemporaryDirectory() as folder:
        description = _described(mitsuba, context.scene, extent, game.depth, Path(folder))
        picture = mitsuba.render(mitsuba.load_dict(description), spp=game.samples)
    return np.asarray(picture, np.float32)[..., :3]


def _described(mitsuba: Any, scene: Scene, extent: Extent, depth: int, folder: Path) -> dict[str, Any]:
    """The scene as Mitsuba's dictionary. Panes count as surfaces of a path there."""
    passed = 4 if any(material.transmission for material in scene.materials()) else 0
    camera = scene.camera
    assert camera.target is not None
    look = mitsuba.ScalarTransform4f().look_at(list(camera.position), list(camera.target), list(camera.up))
    film = {"type": "hdrfilm", "width": extent[0], "height": extent[1], "rfilter": {"type": "box"}}
    view = {"fov": math.degrees(camera.fov_y), "fov_axis": "y", "near_clip": camera.near, "far_clip": 1e4}
    described: dict[str, Any] = {
        "type": "scene",
        "integrator": {"type": "path", "max_depth": depth + 1 + passed, "rr_depth": 64},
        "sensor": {"type": "perspective", "to_world": look, "film": film, **view},
    }
    for number, entity in enumerate(scene.entities):
        described[f"entity{number}"] = _shape(mitsuba, entity, folder / f"{number}.ply")
    if scene.environment is not None:
        light = scene.environment.panorama.pixels[0, 0] * scene.environment.intensity
        described["sky"] = {"type": "constant", "radiance": _rgb(light)}
    for number, lamp in enumerate([*scene.lights, scene.sun]):
        if isinstance(lamp, PointLight):
            power = _rgb(np.array(lamp.color) * lamp.intensity)
            described[f"light{number}"] = {"type": "point", "position": list(lamp.position), "intensity": power}
        elif isinstance(lamp, DirectionalLight) and f"sun{id(lamp)}" not in described:
            power = _rgb(np.array(lamp.color) * lamp.intensity)
            sun = {"type": "directional", "direction": list(lamp.direction), "irradiance": power}
            described[f"sun{id(lamp)}"] = sun
    return described


def _shape(mitsuba: Any, entity: Entity, path: Path) -> dict[str, Any]:
    mesh = cut_out(entity.mesh, entity.material) if entity.material.alpha_mode == "mask" else entity.mesh
    matrix = np.array((entity.transform.matrix() * entity.local).to_list()).T
    positions = mesh.positions @ matrix[:3, :3].T + matrix[:3, 3]
    normals = mesh.normals @ np.linalg.inv(matrix[:3, :3])
    count = len(positions)
    made = mitsuba.Mesh(path.stem, count, len(mesh.indices) // 3, has_vertex_normals=True, has_vertex_texcoords=True)
    values = mitsuba.traverse(made)
    values["vertex_positions"] = positions.astype(np.float32).reshape(-1)
    values["vertex_normals"] = normals.astype(np.float32).reshape(-1)
    values["vertex_texcoords"] = mesh.uvs.astype(np.float32).reshape(-1)
    values["faces"] = mesh.indices.astype(np.uint32)
    values.update()
    made.write_ply(str(path))
    shape: dict[str, Any] = {"type": "ply", "filename": str(path), "bsdf": _surface(mitsuba, entity.material)}
    if max(entity.material.emissive) > 0.0:
        shape["emitter"] = {"type": "area", "radiance": _rgb(np.array(entity.material.emissive))}
    return shape


def _surface(mitsuba: Any, material: Material) -> dict[str, Any]:
    red, green, blue, _ = material.base_color
    color = np.array((red, green, blue), np.float32)
    if material.transmission:
        return {"type": "thindielectric", "int_ior": 1.5, "specular_transmittance": _rgb(color)}
    image = material.base_color_image
    texels = None if image is None else _texels(image)
    base = _rgb(color) if texels is None else _bitmap(mitsuba, texels[..., :3] * color)
    rough = {"roughness": material.roughness, "metallic": material.metallic, "specular": 0.5}
    return {"type": "twosided", "bsdf": {"type": "principled", "base_color": base, **rough}}


def cut_out(square: Mesh, material: Material) -> Mesh:
    """The cells of a flat square, one for each texel of its image, that the mask leaves."""
    image = material.base_color_image
    assert image is not None
    height, width = image.pixels.shape[:2]
    fine = plane(segments=width)
    origin, across, along = (square.positions[_corner(square, at)] for at in ((0, 0), (1, 0), (0, 1)))
    normal = square.normals[0]
    vertices = fine.vertices.copy()
    vertices[:, :3] = origin + fine.uvs[:, :1] * (across - origin) + fine.uvs[:, 1:] * (along - origin)
    vertices[:, 3:6] = normal
    corners = fine.indices.reshape(-1, 3)
    u, v = fine.uvs[corners].mean(axis=1).T
    alpha = image.pixels[(v * height).astype(int), (u * width).astype(int), 3] / 255.0
    left = np.ascontiguousarray(corners[alpha >= material.alpha_cutoff]).reshape(-1)
    return Mesh(f"{square.name} (cut out)", vertices, left)


def _corner(square: Mesh, uv: tuple[int, int]) -> int:
    return int(np.abs(square.uvs - np.array(uv, np.float32)).sum(axis=1).argmin())


def _texels(image: Image) -> Floats:
    """Linear colours and alpha, from 0 to 1."""
    values = image.pixels.astype(np.float32) / np.float32(255.0)
    low, high = values[..., :3] / 12.92, ((values[..., :3] + 0.055) / 1.055) ** 2.4
    return np.concatenate([np.where(values[..., :3] <= 0.04045, low, high), values[..., 3:]], axis=2)


def _bitmap(mitsuba: Any, texels: np.ndarray) -> dict[str, Any]:
    data = mitsuba.Bitmap(np.ascontiguousarray(texels, np.float32))
    return {"type": "bitmap", "bitmap": data, "raw": True, "filter_type": "bilinear"}


def _rgb(color: np.ndarray) -> dict[str, Any]:
    return {"type": "rgb", "value": [float(value) for value in color]}


def main(names: list[str]) -> None:
    """Render and keep the references of the named scenes, or of all."""
    FOLDER.mkdir(exist_ok=True)
    for name, game in SCENES.items():
        if name in names or not names:
            np.savez_compressed(FOLDER / f"{name}.npz", light=traced(game).astype(np.float16))


if __name__ == "__main__":
    main(sys.argv[1:])
