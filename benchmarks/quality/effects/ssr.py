"""Screen-space reflections in a floor of metal against rays on the CPU, which find also what the picture hides."""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.quality.mirror_rays import OverMirror, Reflection, blurred_light, mirrored_light
from benchmarks.quality.play import Floats, chosen, played
from benchmarks.quality.row import Row, compared
from renderwright.engine.options import PluginChoice
from renderwright.render.backend.protocol import Backend
from renderwright.render.types.resources import Extent

EXTENT: Extent = (320, 180)
RAYS = 64
FRAMES = 32


class RoughFloor(OverMirror):
    """The boxes over a floor that blurs."""

    roughness = 0.3


def rows(backend: Backend) -> Iterator[Row]:
    """The row of a mirror and that of a rough floor."""
    yield _row(backend, OverMirror, mirrored_light(EXTENT)[0], "ssr, a mirror", "a ray a texel")
    blurred = blurred_light(RoughFloor.roughness, EXTENT, RAYS)
    yield _row(backend, RoughFloor, blurred, "ssr, roughness 0.3", f"{RAYS} rays a texel")


def _row(backend: Backend, game: type[OverMirror], right: Reflection, title: str, reference: str) -> Row:
    before, after = (_picture(backend, game, choice) for choice in (PluginChoice(), chosen(["ssr"])))
    return compared(title, reference, right.over(before), before, after)


def _picture(backend: Backend, game: type[OverMirror], choice: PluginChoice) -> Floats:
    with played(game, backend, EXTENT, choice) as play:
        play.frames(FRAMES)
        return play.light()
