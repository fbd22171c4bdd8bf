"""Plays games and looks at their frames. Every test may import this."""

from __future__ import annotations

from contextlib import closing
from typing import Any

import flip_evaluator
import numpy as np
from numpy.typing import NDArray

from renderwright.engine.options import SettingChange
from renderwright.engine.renderer.nodes import GLSL
from renderwright.engine.session import Session
from renderwright.render.shaders import ShaderLibrary
from renderwright.render.types.resources import Extent

Picture = NDArray[np.uint8]
SHADERS = ShaderLibrary([GLSL])
"""What the sessions of a test run load, so that they do not expand and reflect the same shaders over and over."""
SMALL_SHADOWS = (SettingChange("shadows", "size", 128), SettingChange("shadows", "light_size", 64))
"""Shadow maps of the default size take most of the time of so small pictures. Remembered settings: a game may do
without them."""


def frames_of(session: Session, count: int, extent: Extent | None = None, *, still: bool = False) -> list[Picture]:
    """The next frames' pictures, (height, width, 4), perhaps on an output of another size.

    With ``still`` no time passes: it is the same moment in all of them.
    """
    pictures = []
    with closing(session.backend.create_target(extent or session.extent)) as target:
        for _ in range(count):
            if not still:
                session.step()
            assert session.render(target) is not None
            pictures.append(session.picture())
        session.backend.wait_idle()
    return pictures


def flip(right: Picture, shown: Picture) -> float:
    """Mean FLIP of two pictures without alpha: 0 is alike, 1 as different as can be."""
    return flip_map(right, shown)[0]


def flip_map(right: Picture, shown: Picture) -> tuple[float, Picture]:
    """Mean FLIP and its map in colours: black where nothing is seen to differ, then violet, orange, yellow."""
    pair = [np.float32(one) / np.float32(255.0) for one in (right, shown)]
    result: Any = flip_evaluator.evaluate(*pair, "LDR")
    return float(result[1]), np.uint8(np.rint(255.0 * np.clip(result[0], 0.0, 1.0)))
