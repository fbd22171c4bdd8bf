"""What becomes of the model files of a folder: loaded, drawn in one frame, and listed with what was said."""

from __future__ import annotations

import traceback
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray
from pyglm import glm

from benchmarks.quality.play import chosen, played
from renderwright.engine.game import Game, GameContext
from renderwright.engine.scene import Camera, Sky
from renderwright.engine.scene.algebra import transform_point
from renderwright.engine.scene.bounds import Bounds, bounds_of_points, bounds_of_spheres
from renderwright.engine.scene.gltf import load_gltf
from renderwright.engine.scene.model import Model, ModelPart
from renderwright.render.backend.protocol import Backend
from renderwright.render.errors import RenderwrightError
from renderwright.render.types.resources import Extent

ENDINGS = (".glb", ".gltf")
EXTENT: Extent = (160, 120)
FRAMES = 2
FOV = 0.7
VIEWS = (glm.vec3(0.55, 0.35, 1.0), glm.vec3(-0.55, -0.35, -1.0))
"""Directions from the model to the camera. The second is for models that face the other way."""
SEEN = 3 / 255
"""The least difference from the picture without the model by which a texel shows the model."""

SHOWN, NOTED, EMPTY, UNSEEN, REFUSED, CRASHED = "shown", "noted", "empty", "unseen", "refused", "crashed"
MEANINGS = {
    SHOWN: "drawn, without a notice",
    NOTED: "drawn, with notices of what is left out or approximated",
    EMPTY: "nothing to draw, with a notice, or with lights or cameras alone",
    REFUSED: "an error that names the file and its element",
    UNSEEN: "drawn, and no texel of two pictures from opposite sides shows it",
    CRASHED: "any other error",
}


@dataclass(frozen=True, eq=False)
class Outcome:
    """What became of a file: a key of ``MEANINGS``, the lines that were said, and the picture (uint8), if any."""

    path: Path
    kind: str
    lines: tuple[str, ...] = ()
    picture: NDArray[np.uint8] | None = None


class Shown(Game):
    """A model in the middle of the picture, in its rest pose, below a sun and a sky."""

    title = "Shown"
    plugins: ClassVar[tuple[str, ...]] = ("tonemap",)
    model: Model
    view = VIEWS[0]
    with_it = True

    def setup(self, context: GameContext) -> None:
        """Build the scene."""
        scene = context.scene
        scene.sky = Sky((0.5, 0.6, 0.8), (0.25, 0.3, 0.35), (0.06, 0.05, 0.04))
        bounds = model_bounds(self.model)
        radius = bounds.radius or 1.0
        distance = 1.02 * radius / np.sin(FOV / 2)
        place = bounds.center + glm.normalize(self.view) * distance
        scene.camera = Camera(place, bounds.center, fov_y=FOV, near=max(1e-6, (distance - radius) * 0.5))
        if self.with_it:
            self.model.spawn(scene)


def model_bounds(model: Model) -> Bounds:
    """A sphere around all parts; parts that animations move count with all that they reach."""
    every = [_part_bounds(part) for part in model.parts]
    centers = np.array([tuple(bounds.center) for bounds in every], np.float32).reshape(-1, 3)
    return bounds_of_spheres(centers, np.array([bounds.radius for bounds in every], np.float32))


def _part_bounds(part: ModelPart) -> Bounds:
    if part.deformation is not None:
        return part.deformation.bounds
    low, high = part.mesh.positions.min(axis=0), part.mesh.positions.max(axis=0)
    corners = [glm.vec3(*np.where(pick, high, low)) for pick in np.ndindex(2, 2, 2)]
    return bounds_of_points(np.array([tuple(transform_point(part.matrix, corner)) for corner in corners], np.float32))


def model_files(folder: Path) -> list[Path]:
    """The model files in a folder and its folders, sorted."""
    return sorted(path for path in folder.rglob("*") if path.suffix.lower() in ENDINGS and path.is_file())


def outcome(path: Path, backend: Backend, extent: Extent = EXTENT) -> Outcome:
    """Load and draw a file."""
    try:
        model = load_gltf(path)
        if not model.parts:
            return Outcome(path, EMPTY if said_why(model) else UNSEEN, model.notices)
        for view in VIEWS:
            picture, without = (_picture(model, backend, extent, view, with_it=with_it) for with_it in (True, False))
            if (np.abs(picture - without).max(axis=2) > SEEN).any():
                break
        else:
            return Outcome(path, UNSEEN, model.notices, _texels(picture))
    except RenderwrightError as error:
        return Outcome(path, REFUSED, tuple(str(error).splitlines()))
    except Exception:
        # The table is to go on, and to show it.
        return Outcome(path, CRASHED, tuple(traceback.format_exc().splitlines()[-3:]))
    return Outcome(path, NOTED if model.notices else SHOWN, model.notices, _texels(picture))


def said_why(model: Model) -> bool:
    """Whether a model without parts has something else, or says why it has none."""
    return bool(model.notices or model.lights or model.cameras)


def _texels(picture: NDArray[np.float32]) -> NDArray[np.uint8]:
    return np.round(picture * 255.0).astype(np.uint8)


def _picture(model: Model, backend: Backend, extent: Extent, view: glm.vec3, *, with_it: bool) -> NDArray[np.float32]:
    game = type("OneModel", (Shown,), {"model": model, "view": view, "with_it": with_it})
    with played(game, backend, extent, chosen()) as play:
        play.frames(FRAMES)
        return play.shown()
