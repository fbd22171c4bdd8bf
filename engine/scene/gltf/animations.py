"""Animations of glTF files as keyframes of nodes.

Source: glTF 2.0 specification, section 3.11.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from renderwright.engine.animation.curve import Interpolation, Path
from renderwright.engine.animation.track import unit
from renderwright.engine.scene.decoding import shown
from renderwright.engine.scene.gltf.accessors import read_floats
from renderwright.engine.scene.gltf.file import GltfFile


@dataclass(frozen=True, eq=False)
class Channel:
    """Keyframes of one property of a node, by its place among the nodes of the model.

    ``values``, and ``arriving`` and ``leaving`` of cubic splines, are float32 (k, width); of morph weights (k, n).
    """

    place: int
    path: Path
    interpolation: Interpolation
    times: NDArray[np.float64]
    values: NDArray[np.float32]
    arriving: NDArray[np.float32] | None
    leaving: NDArray[np.float32] | None


class GltfAnimations:
    """Reads the animations of one file. ``places`` are the places of its nodes in the model, ``morphs`` the numbers of
    morph targets of nodes by place."""

    def __init__(self, file: GltfFile, places: Mapping[int, int], morphs: Mapping[int, int]) -> None:
        self._file = file
        self._places = places
        self._morphs = morphs
        self._times: dict[int, NDArray[np.float64]] = {}

    def read(self) -> dict[str, list[Channel]]:
        """The channels of each animation by name, without those of nodes outside of the scene. Raises AssetError."""
        found: dict[str, list[Channel]] = {}
        for index, animation in enumerate(self._file.document.animations):
            label = self._file.label("animations", index)
            name = str(animation.name or f"animation {index}")
            if name in found:
                name = f"{name} ({index})"
            channels = [self._channel(animation, source, f"{label} channel {n}") for n, source in _listed(animation)]
            found[name] = [channel for channel in channels if channel is not None]
        return found

    def _channel(self, animation: Any, source: Any, label: str) -> Channel | None:
        place = self._places.get(source.target.node)
        if source.target.path not in tuple(Path):
            named = source.target.path is not None
            what = f"{shown(str(source.target.path))} is not animated"
            self._file.notices.add(label, what if named else "it does not say what of its node is animated")
            return None
        path = Path(source.target.path)
        if place is None or (path is Path.WEIGHT and not self._morphs.get(place)):
            return None
        if path is not Path.WEIGHT and self._file.document.nodes[source.target.node].matrix:
            self._file.notices.add(label, "skipped, the node has a matrix")
            return None
        return self._read(animation, source, label, place, path)

    def _read(self, animation: Any, source: Any, label: str, place: int, path: Path) -> Channel:
        samplers = animation.samplers or ()
        if not isinstance(source.sampler, int) or not 0 <= source.sampler < len(samplers):
            raise self._file.problem(label, f"refers to sampler {source.sampler}, and there are {len(samplers)}")
        sampler = samplers[source.sampler]
        if sampler.interpolation not in tuple(Interpolation):
            raise self._file.problem(label, f"interpolation {shown(str(sampler.interpolation))} does not exist")
        interpolation = Interpolation(sampler.interpolation)
        times = self._keyframe_times(sampler.input, label)
        values = read_floats(self._file, sampler.output, path.width, f"{label} output")
        self._file.spend("keyframes", len(values), label)
        targets = self._morphs[place] if path is Path.WEIGHT else 1
        parts = 3 if interpolation is Interpolation.CUBIC else 1
        if len(values) != len(times) * targets * parts:
            raise self._file.problem(
                label, f"{len(values)} values instead of {len(times) * targets * parts} for {len(times)} keyframes"
            )
        if not np.isfinite(values).all():
            raise self._file.problem(label, "a value is not finite")
        table = values.reshape(len(times), parts, targets * path.width)
        middle = table[:, parts // 2]
        middle = unit(middle) if path is Path.ROTATION else middle
        arriving, leaving = (table[:, 0], table[:, 2]) if parts == 3 else (None, None)
        return Channel(place, path, interpolation, times, middle, arriving, leaving)

    def _keyframe_times(self, accessor: int, label: str) -> NDArray[np.float64]:
        if accessor not in self._times:
            times = read_floats(self._file, accessor, 1, f"{label} input")[:, 0].astype(np.float64)
            if not np.isfinite(times).all() or (np.diff(times) <= 0.0).any():
                raise self._file.problem(label, "its times are not ascending numbers")
            self._times[accessor] = times
        return self._times[accessor]


def _listed(animation: Any) -> list[tuple[int, Any]]:
    return list(enumerate(animation.channels or ()))
