"""A glTF file with a skin, morph targets and animations of every kind, and what the specification makes of it."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from gltf_builder import GltfBuilder

TIMES = np.float32([0.0, 0.5, 1.25])
HALF = math.sqrt(0.5)


class Walker(GltfBuilder):
    """Two joints below a turned and stretched armature, a skinned mesh with two targets, and a lamp on a joint."""

    def __init__(self, interpolation: str = "LINEAR", *, normals: bool = True) -> None:
        super().__init__()
        random = np.random.default_rng(5)
        self.positions = random.uniform(-1, 1, (12, 3)).astype(np.float32)
        self.joints = random.integers(0, 2, (12, 4)).astype(np.uint8)
        weights = random.uniform(0.1, 1.0, (12, 4)).astype(np.float32)
        self.weights = (weights / weights.sum(axis=1, keepdims=True)).astype(np.float32)
        self.targets = random.normal(size=(2, 12, 3)).astype(np.float32)
        self.binds = np.tile(np.eye(4, dtype=np.float32), (2, 1, 1))
        self.binds[1, :3, 3] = (0.0, -1.0, 0.2)
        self.turns = random.normal(size=(3, 4)).astype(np.float32)
        self.turns /= np.linalg.norm(self.turns, axis=1, keepdims=True)
        self.slides = random.normal(size=(3, 3)).astype(np.float32)
        self.blends = random.uniform(size=(3, 2)).astype(np.float32)
        self.interpolation = interpolation
        self._meshes(normals)
        self._nodes()
        self._animation()

    def _meshes(self, normals: bool) -> None:
        attributes = {
            "POSITION": self.accessor(self.positions),
            "JOINTS_0": self.accessor(self.joints),
            "WEIGHTS_0": self.accessor(self.weights),
        }
        if normals:
            attributes["NORMAL"] = self.accessor(np.tile(np.float32([0, 0, 1]), (12, 1)))
        targets = [{"POSITION": self.accessor(target)} for target in self.targets]
        self.mesh({"attributes": attributes, "targets": targets, "indices": self.accessor(np.uint16(range(12)))})
        self.document["meshes"][0]["weights"] = [0.25, 0.0]
        self.document["meshes"][0]["extras"] = {"targetNames": ["smile", "frown"]}
        self.mesh(self.quad(), name="Lamp")

    def _nodes(self) -> None:
        matrices = np.ascontiguousarray(self.binds.transpose(0, 2, 1)).reshape(2, 16)
        stored = self.accessor(matrices.reshape(-1, 4), type="MAT4", count=2)
        self.document["skins"] = [{"joints": [2, 3], "inverseBindMatrices": stored}]
        self.document["nodes"] = [
            {"name": "armature", "rotation": [0, 0, HALF, HALF], "scale": [2, 2, 2], "children": [2]},
            {"name": "body", "mesh": 0, "skin": 0, "translation": [50, 0, 0]},
            {"name": "hip", "translation": [0, 1, 0], "children": [3]},
            {"name": "knee", "translation": [0, 1, 0], "scale": [1, 1.5, 1], "children": [4]},
            {"name": "lamp", "mesh": 1, "translation": [0.5, 0, 0]},
        ]
        self.document["scenes"] = [{"nodes": [0, 1]}]

    def _animation(self) -> None:
        samplers: list[dict[str, Any]] = []
        times = self.accessor(TIMES)

        def sampler(values: np.ndarray) -> int:
            if self.interpolation == "CUBICSPLINE":
                flat = values.reshape(len(TIMES), 1, -1)
                values = np.concatenate([flat * 0.5, flat, flat * -0.25], axis=1).reshape(-1, values.shape[-1])
            values = np.ascontiguousarray(values, np.float32)
            samplers.append({"input": times, "output": self.accessor(values), "interpolation": self.interpolation})
            return len(samplers) - 1

        channels = [
            {"sampler": sampler(self.turns), "target": {"node": 3, "path": "rotation"}},
            {"sampler": sampler(self.slides), "target": {"node": 2, "path": "translation"}},
        ]
        weights = self.blends.reshape(-1, 1) if self.interpolation != "CUBICSPLINE" else self.blends
        output = sampler(weights)
        self.document["accessors"][samplers[output]["output"]].update(
            {"type": "SCALAR", "count": 3 * 2 * (3 if self.interpolation == "CUBICSPLINE" else 1)}
        )
        channels.append({"sampler": output, "target": {"node": 1, "path": "weights"}})
        self.document["animations"] = [{"name": "Walk", "samplers": samplers, "channels": channels}]

    # -- what it is at a time

    def value(self, keys: np.ndarray, time: float) -> np.ndarray:
        """The value of a curve, by the formulas of appendix C."""
        keys = keys.astype(np.float64)
        after = int(np.searchsorted(TIMES, time, side="right"))
        if after == 0 or after == len(TIMES):
            return keys[min(after, len(TIMES) - 1)]
        span = float(TIMES[after] - TIMES[after - 1])
        t = (time - float(TIMES[after - 1])) / span
        a, b = keys[after - 1], keys[after]
        if self.interpolation == "STEP":
            return a
        if self.interpolation == "CUBICSPLINE":
            value = (
                (2 * t**3 - 3 * t**2 + 1) * a
                + span * (t**3 - 2 * t**2 + t) * (-0.25 * a)
                + (-2 * t**3 + 3 * t**2) * b
                + span * (t**3 - t**2) * (0.5 * b)
            )
            return value / np.linalg.norm(value) if keys.shape[1] == 4 else value
        if keys.shape[1] != 4:
            return a + (b - a) * t
        cosine = float(a @ b)
        angle = math.acos(abs(cosine))
        return (math.sin((1 - t) * angle) * a + math.copysign(math.sin(t * angle), cosine) * b) / math.sin(angle)

    def globals_at(self, time: float) -> dict[str, np.ndarray]:
        """The matrices of the nodes that move, in model space."""
        armature = matrix([0, 0, 0], [0, 0, HALF, HALF], [2, 2, 2])
        hip = armature @ matrix(self.value(self.slides, time), [0, 0, 0, 1], [1, 1, 1])
        knee = hip @ matrix([0, 1, 0], self.value(self.turns, time), [1, 1.5, 1])
        return {"hip": hip, "knee": knee, "lamp": knee @ matrix([0.5, 0, 0], [0, 0, 0, 1], [1, 1, 1])}

    def skinned_at(self, time: float) -> np.ndarray:
        """The positions of the body's vertices in model space."""
        nodes, blend = self.globals_at(time), self.value(self.blends, time)
        joints = [nodes["hip"] @ self.binds[0], nodes["knee"] @ self.binds[1]]
        found = []
        for number, position in enumerate(self.positions.astype(np.float64)):
            moved = position + sum(blend[target] * self.targets[target, number] for target in range(2))
            matrix_ = sum(
                weight * joints[joint]
                for weight, joint in zip(self.weights[number].tolist(), self.joints[number].tolist(), strict=True)
            )
            found.append((matrix_ @ [*moved, 1.0])[:3])
        return np.array(found)


def matrix(t: Any, r: Any, s: Any) -> np.ndarray:
    x, y, z, w = r
    found = np.eye(4)
    found[:3, 3] = t
    found[:3, :3] = np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
        ]
    ) @ np.diag(s)
    return found
