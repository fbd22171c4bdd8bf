"""Pictures of the glTF models of a folder as pieces of work."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from pyglm import glm

from renderwright.engine.backends import make_backend
from renderwright.engine.clock import HEADLESS_FRAME, FixedStepClock
from renderwright.engine.farm.stage import backend_with_texels, same_on_any_load
from renderwright.engine.farm.texels import digest_of, png_of
from renderwright.engine.farm.versions import engine_versions
from renderwright.engine.farm.work import Made, PieceFailedError
from renderwright.engine.game import Game, GameContext
from renderwright.engine.options import BackendName, PlayOptions
from renderwright.engine.scene import Camera
from renderwright.engine.scene.gltf import load_gltf
from renderwright.engine.session import Session
from renderwright.render.errors import AssetError, UsageError
from renderwright.render.types.resources import Extent

SUFFIXES = (".glb", ".gltf")
_FRAMES = 2
_DIRECTION = (0.65, 0.4, 1.0)
"""From the model to the camera: from the front, a little from above and from the right."""
_ROOM = 1.05
_FOV = math.radians(35.0)
_NEAR = 0.02


def models_in(folder: Path) -> tuple[str, ...]:
    """The models in a folder and the folders in it, by their paths from there. Raises ``UsageError`` without any."""
    found = sorted(file for file in folder.rglob("*") if file.suffix.lower() in SUFFIXES and file.is_file())
    if not found:
        raise UsageError(f'"{folder}" has no models', hint=f"they are files that end in {' or '.join(SUFFIXES)}")
    return tuple(file.relative_to(folder).as_posix() for file in found)


@dataclass(frozen=True)
class ThumbnailWork:
    """A picture of each of the ``models`` below ``folder``, which all workers have."""

    folder: Path
    models: tuple[str, ...]
    size: Extent
    backend: BackendName | None = None
    device: str = ""
    in_one_run: ClassVar[bool] = False

    @property
    def count(self) -> int:
        """The number of models."""
        return len(self.models)

    def before(self, number: int) -> int:
        """None."""
        return 0

    def open(self) -> ThumbnailMaker:
        """Open a device."""
        return ThumbnailMaker(self)

    def run_from_start(self) -> ThumbnailWork:
        """The same work: pictures of models know nothing of each other."""
        return self

    def file_of(self, number: int) -> str:
        """``chairs/oak.glb.png`` for the model ``chairs/oak.glb``."""
        return f"{self.models[number]}.png"

    def source_of(self, number: int) -> str:
        """A digest of the model's file. Raises ``OSError``."""
        with (self.folder / self.models[number]).open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()

    def title_of(self, number: int) -> str:
        """The path of the model."""
        return self.models[number]

    def identity(self) -> Mapping[str, str]:
        """The size of the pictures, and the device."""
        width, height = self.size
        return {"size": f"{width}x{height}", "backend": str(self.backend), "device": self.device}

    def versions(self) -> Mapping[str, str]:
        """The engine's."""
        return engine_versions()


class ShownModel(Game):
    """A model in front of the camera, under the sun. A subclass has its ``file``, and the ``aspect`` of the picture."""

    plugins = ("shadows", "tonemap")
    file: ClassVar[Path]
    aspect: ClassVar[float]

    def setup(self, context: GameContext) -> None:
        """Load the model. Raises ``AssetError``."""
        scene = context.scene
        load_gltf(self.file).instantiate(scene)
        bounds = scene.bounds()
        if not bounds.radius > 0.0:
            raise AssetError(f"{self.file.name} has nothing that could be shown", hint="export it with its meshes")
        slope = math.tan(_FOV / 2.0) * min(1.0, self.aspect)
        away = _ROOM * bounds.radius / math.sin(math.atan(slope))
        position = bounds.center + away * glm.normalize(glm.vec3(*_DIRECTION))
        scene.camera = Camera(position, bounds.center, fov_y=_FOV, near=_NEAR * bounds.radius)


class ThumbnailMaker:
    """Renders pictures of models on one device."""

    def __init__(self, work: ThumbnailWork) -> None:
        same_on_any_load()
        self._work = work
        backend = backend_with_texels(work.backend)
        self._backend = make_backend(PlayOptions("", backend=backend, device=work.device))
        self._target = self._backend.create_target(work.size)

    def make(self, number: int) -> Made:
        """Render a model. One that cannot be loaded is a failure of its own."""
        (width, height), file = self._work.size, self._work.folder / self._work.models[number]
        game: type[ShownModel] = type("Shown", (ShownModel,), {"file": file, "aspect": width / height})
        clock = FixedStepClock(game.step, frame=HEADLESS_FRAME)
        source = self._work.source_of(number)
        try:
            session = Session(game, self._backend, self._work.size, clock=clock)
        except AssetError as error:
            raise PieceFailedError(str(error).replace("\n", ";"), final=True) from error
        try:
            for _ in range(_FRAMES):
                session.step()
                if session.render(self._target) is None:
                    raise PieceFailedError("there was not enough memory for the picture")
            texels = session.picture()[..., :3]
        finally:
            session.close()
        return Made(png_of(texels), digest_of(texels), source=source)

    def close(self) -> None:
        """Close the device."""
        self._backend.close()
