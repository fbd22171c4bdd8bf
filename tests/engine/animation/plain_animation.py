"""The rules of glTF 2.0 for animations, one value and one joint after the other, in double precision.

Written from the specification: section 3.11 and appendix C for the values between keyframes, section 3.7.3 for skins,
and section 3.5.3 for the matrices of nodes.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from renderwright.engine.animation.curve import Curve, Interpolation, Path
from renderwright.engine.animation.rig import Rig


def value_at(curve: Curve, time: float) -> list[float]:
    """The value of a curve at a time."""
    times = curve.times.tolist()
    values = [[float(number) for number in value] for value in curve.values]
    if time <= times[0] or len(times) == 1:
        return values[0]
    if time >= times[-1]:
        return values[-1]
    after = next(number for number, key in enumerate(times) if key > time)
    before = after - 1
    span = times[after] - times[before]
    t = (time - times[before]) / span
    a, b = values[before], values[after]
    if curve.interpolation is Interpolation.STEP:
        return a
    if curve.interpolation is Interpolation.CUBIC:
        assert curve.leaving is not None
        assert curve.arriving is not None
        found = []
        for number in range(len(a)):
            out, into = float(curve.leaving[before][number]), float(curve.arriving[after][number])
            found.append(
                (2 * t**3 - 3 * t**2 + 1) * a[number]
                + span * (t**3 - 2 * t**2 + t) * out
                + (-2 * t**3 + 3 * t**2) * b[number]
                + span * (t**3 - t**2) * into
            )
        return normalized(found) if curve.path is Path.ROTATION else found
    if curve.path is Path.ROTATION:
        return slerp(a, b, t)
    return [x + (y - x) * t for x, y in zip(a, b, strict=True)]


def slerp(a: list[float], b: list[float], t: float) -> list[float]:
    d = sum(x * y for x, y in zip(a, b, strict=True))
    sign = -1.0 if d < 0.0 else 1.0
    angle = math.acos(min(1.0, abs(d)))
    if angle < 1e-9:
        return a
    u, v = math.sin(angle * (1.0 - t)) / math.sin(angle), sign * math.sin(angle * t) / math.sin(angle)
    return [u * x + v * y for x, y in zip(a, b, strict=True)]


def normalized(values: Sequence[float]) -> list[float]:
    length = math.sqrt(sum(value * value for value in values))
    return [value / length for value in values]


Values = dict[tuple[Path, int], list[float]]


def rest_values(rig: Rig) -> Values:
    return {
        (path, target): [float(number) for number in rig.rest[path][0, target]]
        for path in Path
        for target in range(rig.rest[path].shape[1])
    }


def clip_values(rig: Rig, curves: Sequence[Curve], time: float) -> Values:
    """All animated values of a rig at a time of a clip."""
    return rest_values(rig) | {(curve.path, curve.target): value_at(curve, time) for curve in curves}


def blended(parts: Sequence[tuple[float, Values]]) -> Values:
    """The weighted mean; rotations are added on the side of the first one and made unit."""
    total = sum(weight for weight, _ in parts)
    found: Values = {}
    for key in parts[0][1]:
        sums = [0.0] * len(parts[0][1][key])
        for weight, values in parts:
            value = values[key]
            if key[0] is Path.ROTATION and sum(x * y for x, y in zip(sums, value, strict=True)) < 0.0:
                value = [-number for number in value]
            sums = [x + weight * y for x, y in zip(sums, value, strict=True)]
        found[key] = normalized(sums) if key[0] is Path.ROTATION else [number / total for number in sums]
    return found


def palette(rig: Rig, values: Mapping[tuple[Path, int], list[float]]) -> np.ndarray:
    """The joint matrices (p, 3, 4) of a rig."""
    place = {node: number for number, node in enumerate(rig.animated.tolist())}
    globals_: list[np.ndarray] = []
    for node, parent in enumerate(rig.parents.tolist()):
        local = np.eye(4)
        local[:3] = rig.fixed[node]
        if node in place:
            local = matrix_of(*(values[path, place[node]] for path in (Path.TRANSLATION, Path.ROTATION, Path.SCALE)))
        globals_.append(globals_[parent] @ local if parent >= 0 else local)
    found = []
    for number, node in enumerate(rig.joints.tolist()):
        bind = np.eye(4)
        bind[:3] = rig.inverse_binds[number]
        found.append((globals_[node] @ bind)[:3])
    return np.array(found)


def matrix_of(t: list[float], r: list[float], s: list[float]) -> np.ndarray:
    x, y, z, w = r
    matrix = np.eye(4)
    matrix[:3, 3] = t
    turn = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
        [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
        [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
    ]
    matrix[:3, :3] = np.array(turn) @ np.diag(s)
    return matrix
