"""One case: a mutated model or image is loaded, or refused by name, and takes and reads nothing that it should not."""

from __future__ import annotations

import logging
import math
import os
import sys
import tempfile
import threading
import tracemalloc
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from asset_files import AssetMaker

from renderwright.engine.scene import Image, Scene, decode_image
from renderwright.engine.scene.gltf import load_gltf
from renderwright.engine.scene.model import Model
from renderwright.engine.scene.model_limits import ModelLimits
from renderwright.engine.scene.radiance import load_radiance
from renderwright.render.errors import AssetError, RenderwrightError, UsageError

LIMITS = ModelLimits(bytes=1 << 20, values=20_000, objects=2_000, vertices=1 << 12, indices=1 << 13, texels=1 << 12)
MEMORY = 32 << 20
"""The most that Python and numpy may take for a file within these limits, and twice the texels of what was loaded."""

LONGEST_MESSAGE = 1000

_log = logging.getLogger("renderwright.assets")


class _Opened:
    """Notes the files that a thread opens; an audit hook cannot be removed, so there is one for the whole process.

    Scenes have loops compiled on another thread, which looks into folders of its own.
    """

    def __init__(self) -> None:
        self.paths: list[str] | None = None
        self._thread = 0
        self._hooked = False

    def _hook(self, event: str, arguments: tuple[Any, ...]) -> None:
        if event != "open" or self.paths is None or threading.get_ident() != self._thread:
            return
        if isinstance(arguments[0], (str, os.PathLike)):
            self.paths.append(os.path.realpath(arguments[0]))

    def during(self, work: Callable[[], Any]) -> tuple[Any, list[str]]:
        """The result of ``work``, and the files that it opened."""
        if not self._hooked:
            # Each event of the process costs a call from then on, and no hook can be taken away.
            sys.addaudithook(self._hook)
            self._hooked = True
        self._thread = threading.get_ident()
        self.paths = paths = []
        try:
            return work(), paths
        finally:
            self.paths = None


OPENED = _Opened()


def assets_case(seed: int) -> str:
    """``model``, ``image`` or ``panorama``, and ``loaded`` or ``refused``."""
    with tempfile.TemporaryDirectory(prefix="renderwright-fuzz-") as whole:
        outside = Path(whole) / "outside.bin"
        outside.write_bytes(bytes(1 << 12))
        folder = Path(whole) / "models"
        _furnish(folder)
        maker = AssetMaker(seed, folder, outside)
        kind = maker.rng.choices(("model", "image", "panorama"), (6, 3, 2))[0]
        match kind:
            case "model":
                path = maker.model()
                found = _judged(lambda: load_gltf(path, limits=LIMITS), AssetError, folder)
            case "image":
                data = maker.image()
                found = _judged(lambda: decode_image("picture", data), AssetError, folder)
            case _:
                path = folder / "sky.hdr"
                path.write_bytes(maker.panorama())
                found = _judged(lambda: load_radiance(path), UsageError, folder)
    return f"{kind} {'refused' if found is None else 'loaded'}"


def _furnish(folder: Path) -> None:
    (folder / "folder").mkdir(parents=True)
    os.mkfifo(folder / "fifo.bin")
    (folder / "link.bin").symlink_to("../outside.bin")
    (folder / "circle.bin").symlink_to("circle.bin")


def _judged(load: Callable[[], Any], error: type[RenderwrightError], folder: Path) -> Any:
    """What was loaded; None if it was refused. Fails if either is not as it should be."""

    def attempt() -> Any:
        try:
            return load()
        except error as refused:
            _check_message(refused)
            return None

    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        tracemalloc.start()
        disabled, _log.disabled = _log.disabled, True  # models warn of what is not drawn
        try:
            found, opened = OPENED.during(attempt)
            peak = tracemalloc.get_traced_memory()[1]
        finally:
            _log.disabled = disabled
            tracemalloc.stop()
    assert not warned, warned[0]
    texels = found.pixels if isinstance(found, Image) else found
    most = MEMORY + (2 * texels.nbytes if isinstance(texels, np.ndarray) else 0)
    assert peak < most, f"{peak >> 20} MiB"
    # The interpreter may import what it needs, and packages look at what else is installed.
    installed = [path for path in sys.path if path.endswith(("site-packages", "dist-packages"))]
    known = str(folder.resolve()), sys.prefix, sys.base_prefix, *installed
    strange = [path for path in opened if not path.startswith(known)]
    strange = [path for path in strange if not path.endswith((".py", ".pyc", ".so"))]
    assert not strange, strange
    if isinstance(found, Model):
        _check_model(found)
    elif isinstance(found, Image):
        assert found.pixels.shape[2] == 4
    elif found is not None:
        assert np.isfinite(found).all()
    return found


def _check_message(refused: RenderwrightError) -> None:
    text = str(refused)
    assert refused.hint, text
    assert len(text) < LONGEST_MESSAGE, len(text)
    assert all(character.isprintable() for line in text.splitlines() for character in line), ascii(text)
    assert len(text.splitlines()) <= 3, text


def _check_model(model: Model) -> None:
    """A model that was loaded can be drawn: its numbers are finite, and its names can be written."""
    meshes = {part.mesh for part in model.parts}
    assert sum(len(mesh.vertices) for mesh in meshes) <= 2 * LIMITS.vertices  # mirrored ones come twice
    images = {image for part in model.parts for image in part.material.images()}
    assert sum(image.extent[0] * image.extent[1] for image in images) <= 3 * LIMITS.texels  # with baked factors
    for node in model.nodes:
        node.name.encode()
        assert all(math.isfinite(value) for column in node.matrix for value in column)
    for part in model.parts:
        assert math.isfinite(part.mesh.bounds.radius)
        factors = (*part.material.base_color, *part.material.emissive, part.material.metallic, part.material.roughness)
        assert all(math.isfinite(factor) for factor in factors)
    scene = Scene()
    model.instantiate(scene, lights=True)
    character = model.spawn(scene)
    for animation in character.animations:
        character.play(animation, fade=0.3)
        scene.begin_step(0.2)
        poses = scene.draw_list().poses.by_rig[model.animations.rig]
        assert np.isfinite(poses.palettes).all()
        assert np.isfinite(poses.weights).all()
