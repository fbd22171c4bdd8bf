"""Random rigs and clips."""

from __future__ import annotations

import numpy as np

from renderwright.engine.animation.clip import Clip
from renderwright.engine.animation.curve import Curve, Interpolation, Path
from renderwright.engine.animation.pose import Pose
from renderwright.engine.animation.rig import Rig, depths_of, write_matrices


def random_units(random: np.random.Generator, *shape: int) -> np.ndarray:
    values = random.normal(size=(*shape, 4))
    return (values / np.linalg.norm(values, axis=-1, keepdims=True)).astype(np.float32)


def random_rig(random: np.random.Generator, joints: int, *, still: int = 0, morphs: int = 0) -> Rig:
    """A tree of joints, of which the last ``still`` are not animated."""
    parents = np.array([-1, *(int(random.integers(max(0, node - 4), node)) for node in range(1, joints))], np.intp)
    order = np.argsort(depths_of(parents), kind="stable")
    place = np.empty(joints, np.intp)
    place[order] = np.arange(joints)
    parents = np.array([-1 if parents[node] < 0 else place[parents[node]] for node in order], np.intp)
    translations = random.normal(size=(joints, 3)).astype(np.float32)
    rotations = random_units(random, joints)
    scales = random.uniform(0.8, 1.2, size=(joints, 3)).astype(np.float32)
    fixed = np.empty((3, 4, joints), np.float32)
    write_matrices(fixed, translations.T, rotations.T, scales.T)
    animated = np.arange(joints - still)
    inverse = random.normal(size=(joints, 3, 4)).astype(np.float32)
    rest = Pose(
        {
            Path.TRANSLATION: translations[None, animated],
            Path.ROTATION: rotations[None, animated],
            Path.SCALE: scales[None, animated],
            Path.WEIGHT: random.uniform(size=(1, morphs, 1)).astype(np.float32),
        }
    )
    names = tuple(f"joint {node}" for node in range(joints))
    fixed = np.ascontiguousarray(fixed.transpose(2, 0, 1))
    return Rig(names, parents, fixed, animated, rest, np.arange(joints), inverse)


def random_curve(random: np.random.Generator, target: int, path: Path, way: Interpolation, times: np.ndarray) -> Curve:
    count, width = len(times), path.width
    if path is Path.ROTATION:
        values = random_units(random, count)
    else:
        values = random.uniform(0.5, 1.5, size=(count, width)).astype(np.float32)
    if way is not Interpolation.CUBIC:
        return Curve(target, path, way, times, values)
    slopes = random.normal(size=(2, count, width)).astype(np.float32)
    return Curve(target, path, way, times, values, slopes[0], slopes[1])


def random_clip(
    random: np.random.Generator, rig: Rig, name: str, *, alike: bool, ways: tuple[Interpolation, ...]
) -> tuple[Clip, list[Curve]]:
    """A clip that moves most of a rig, and its curves; ``alike`` curves have the same times."""
    same = np.sort(random.uniform(0.0, 2.0, size=7)).astype(np.float32).astype(np.float64)
    curves = []
    for path in Path:
        for target in range(rig.rest[path].shape[1]):
            if not alike and random.uniform() < 0.3:
                continue
            count = int(random.integers(1, 6))
            times = same if alike else np.sort(random.uniform(0.0, 2.0, size=count)).astype(np.float32)
            curves.append(random_curve(random, target, path, random.choice(list(ways)), times.astype(np.float64)))
    return Clip.of(name, curves), curves
