"""Figures that move: a mannequin from a file, a serpent with a skin, and a shape that breathes by morph targets."""

from __future__ import annotations

import math
import pathlib

import numpy as np
from numpy.typing import NDArray

from renderwright.engine.animation.clip import Clip
from renderwright.engine.animation.curve import Curve, Interpolation, Path
from renderwright.engine.scene import Material
from renderwright.engine.scene.computed_models import (
    Floats,
    Swing,
    jointed_rig,
    morphed_model,
    row_influences,
    row_rig,
    skinned_model,
    swinging_clip,
)
from renderwright.engine.scene.figure_content import load_figure
from renderwright.engine.scene.model import Model
from renderwright.engine.scene.primitives import sphere, turned

FILE = pathlib.Path(__file__).parent / "mannequin.yaml"


def mannequin(material: Material) -> Model:
    """The jointed figure of ``mannequin.yaml``. It can dance, wave and think."""
    return load_figure(FILE).model("mannequin", material)


def serpent(material: Material) -> Model:
    """A tube of 12 joints that winds upwards, 2.4 m long."""
    count, length = 12, 2.4
    step = length / count
    rig = row_rig(count, step)
    height = np.linspace(0.0, length, 72)
    share = height / length
    radius = 0.15 * np.sqrt(np.clip(4.0 * share * (1.0 - share), 0.0, 1.0)) * (1.15 - 0.6 * share) + 1e-4
    body = turned(radius, height, segments=24)
    swings: dict[str, Swing] = {
        name: Swing(
            (0.30 * math.sin(1.7 * number), 0.5, 0.36 * math.cos(1.1 * number)),
            (0.12, 0.10, 0.14),
            1,
            number / count,
        )
        for number, name in enumerate(rig.names)
        if number
    }
    clip = swinging_clip("sway", 7.0, list(rig.names), swings)
    return skinned_model("serpent", body, rig, [clip], row_influences(body, count, step), material)


def breath(material: Material) -> Model:
    """A sphere of half a metre that folds and unfolds, by four morph targets."""
    mesh = sphere(0.42, segments=96, rings=64)
    random = np.random.default_rng(12)
    normals = mesh.normals.astype(np.float64)
    targets = np.zeros((4, len(normals), 9), np.float32)
    for number, often in enumerate((2.5, 4.0, 6.0, 9.0)):
        axis = random.normal(size=3)
        wave = often * axis / np.linalg.norm(axis)
        phase, high = normals @ wave, 0.42 / often
        slope = high * np.cos(phase)[:, None] * wave / 0.42
        targets[number, :, :3] = high * np.sin(phase)[:, None] * normals
        targets[number, :, 3:6] = -(slope - normals * (slope * normals).sum(axis=1, keepdims=True))
    rig = jointed_rig(["middle"], np.array([-1], np.intp), np.zeros((1, 3), np.float32), morphs=4)
    times = np.linspace(0.0, 12.0, 97)
    curves = [
        Curve(number, Path.WEIGHT, Interpolation.LINEAR, times, _beat(times / 12.0, number)[:, None])
        for number in range(4)
    ]
    clip = Clip.of("breathe", curves)
    folds = {f"fold {number}": target for number, target in enumerate(targets)}
    return morphed_model("breath", mesh, rig, [clip], folds, material)


def _beat(share: NDArray[np.float64], number: int) -> Floats:
    return np.asarray(0.5 - 0.5 * np.cos(math.tau * (share * (number + 1) + 0.2 * number)), np.float32)
