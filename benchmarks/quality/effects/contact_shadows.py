"""Contact shadows against rays of the same length on the CPU: their picture, and what shadow maps leave lit."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from benchmarks.quality.flip import encoded
from benchmarks.quality.play import Floats, chosen, played
from benchmarks.quality.ray_scene import Doubles, cast, eye_rays
from benchmarks.quality.ray_shadows import OFF_THE_SURFACE, Contact
from benchmarks.quality.row import HALF, Row, compared
from renderwright.engine.options import PluginChoice
from renderwright.engine.scene import DirectionalLight
from renderwright.render.backend.protocol import Backend
from renderwright.render.types.resources import Extent

EXTENT: Extent = (320, 180)
LENGTH, THICKNESS, STEPS = 0.15, 0.15, 24
"""The plugin's defaults."""
FADE = 0.25
"""The share of the ray at whose end shadows fade, by definition of the effect."""
COARSE = {"size": "512"}
"""Shadow maps of large texels, as large worlds have them."""


def rows(backend: Backend) -> Iterator[Row]:
    """The row of contact shadows alone, and that beside shadow maps."""
    own = {"length": str(LENGTH), "thickness": str(THICKNESS), "steps": str(STEPS)}
    touching = {"contact_shadows": own}
    bare = _picture(backend, PluginChoice(disable=("shadows",)))
    settings = chosen(["contact_shadows"], **touching).settings
    alone = _picture(backend, PluginChoice(enable=("contact_shadows",), disable=("shadows",), settings=settings))
    visible = visibility()
    right = (bare * visible[..., None]).astype(np.float32)
    yield compared("contact_shadows", f"a ray of {LENGTH:g} m a texel", right, bare, alone)

    maps = _picture(backend, chosen(shadows=COARSE))
    both = _picture(backend, chosen(["contact_shadows"], shadows=COARSE, **touching))
    dark = (visible == 0.0) & (bare.min(axis=-1) > 0.0)
    before, after = (float((seen[dark] / bare[dark]).mean()) for seen in (maps, both))
    pictures = {"reference": encoded(right), "without": encoded(maps), "with": encoded(both)}
    title = "contact_shadows, beside shadow maps"
    yield Row(title, "a ray of that length", "light left at contacts", before, after, HALF * before, pictures)


def _picture(backend: Backend, choice: PluginChoice) -> Floats:
    with played(Contact, backend, EXTENT, choice) as play:
        return play.picture()


def visibility() -> Doubles:
    """What a ray towards the sun sees past the shapes, from the surface of each texel, (height, width)."""
    origin, to = eye_rays(Contact, EXTENT)
    flat = to.reshape(-1, 3)
    hits = cast(np.broadcast_to(origin, flat.shape), flat, Contact.shapes)
    shown = np.nonzero(hits.thing >= 0)[0]
    starts = origin + flat[shown] * hits.distance[shown, None] + hits.normal[shown] * OFF_THE_SURFACE
    assert isinstance(Contact.light, DirectionalLight)
    sun = -np.array(Contact.light.direction.to_list())
    towards = np.broadcast_to(sun / np.linalg.norm(sun), starts.shape)
    blocked = 1.0 - cast(starts, towards, Contact.shapes).distance / LENGTH
    result = np.ones(len(flat))
    result[shown] = 1.0 - np.clip(blocked / FADE, 0.0, 1.0)
    return result.reshape(to.shape[:2])
