"""Ambient occlusion against rays cast on the CPU: around large things, with bounces, and around thin posts.

Ambient occlusion with bounces is an approximation by definition: surfaces beyond the radius count as sky, and all
bounces are of the surface's own albedo. So its bound starts from the error of the definition, evaluated by rays.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

import numpy as np

from benchmarks.quality.flip import encoded, flip_of_shown
from benchmarks.quality.occlusion_rays import (
    RADIUS,
    RAYS,
    Seen,
    bounced,
    each_texel,
    hidden_less,
    seen_in,
    with_bounces,
)
from benchmarks.quality.play import Floats, Settings, chosen, played
from benchmarks.quality.ray_scene import ALBEDO, SKY, RayScene
from benchmarks.quality.row import HALF, NEAR, Row, compared
from benchmarks.quality.thin_posts import ThinPosts, places
from renderwright.engine.game import GameContext
from renderwright.render.backend.protocol import Backend
from renderwright.render.types.resources import Extent

EXTENT: Extent = (200, 120)
POSTS_EXTENT: Extent = (320, 180)
WIDE = 2.0
CORNER = 0.05
"""The bound of the mean error near posts, which is that of the corners of large things in the tests of the plugin."""
VISIBILITY: Settings = {"radius": str(RADIUS), "multi_bounce": "false"}


class OnGround(RayScene):
    """The same scene with a sky that is as bright as the ground below the horizon, as a game would set it."""

    def setup(self, context: GameContext) -> None:
        """Build the scene."""
        super().setup(context)
        context.scene.sky = replace(context.scene.sky, ground=(ALBEDO * SKY,) * 3)


def rows(backend: Backend) -> Iterator[Row]:
    """Rows of visibility within a radius, of the light of the whole sky with bounces, and of thin posts."""
    seen = seen_in(RayScene, EXTENT)
    bare = _lit(RayScene, backend, EXTENT)
    near = (bare * each_texel(hidden_less, seen)[..., None]).astype(np.float32)
    with_it = _lit(RayScene, backend, EXTENT, VISIBILITY)
    yield compared("ssao, visibility", f"{RAYS} rays a texel", near, bare, with_it)
    yield _row_of_bounces(backend, seen, bare)
    yield from _rows_of_posts(backend)


def _row_of_bounces(backend: Backend, seen: Seen, bare: Floats) -> Row:
    """The light of the whole sky with bounces; the bound is the usual one beyond the error of the definition."""
    path = (bare * each_texel(bounced, seen)[..., None]).astype(np.float32)
    without = _lit(OnGround, backend, EXTENT)
    with_it = _lit(OnGround, backend, EXTENT, {"radius": str(WIDE)})
    visibility = with_bounces(each_texel(partial(hidden_less, radius=WIDE), seen))
    defined = (without * visibility[..., None]).astype(np.float32)
    most = NEAR + flip_of_shown(encoded(path), encoded(defined))
    return compared("ssao, light with bounces", f"{RAYS} paths a texel", path, without, with_it, most=most)


def _rows_of_posts(backend: Backend) -> Iterator[Row]:
    """The mean error of visibility where thin posts make it difficult."""
    seen = seen_in(ThinPosts, POSTS_EXTENT)
    right = each_texel(hidden_less, seen)
    bare = _lit(ThinPosts, backend, POSTS_EXTENT)
    with_it = _lit(ThinPosts, backend, POSTS_EXTENT, VISIBILITY)
    visibility = with_it[..., 0] / bare[..., 0]
    where = places(seen)
    reference = (bare * right[..., None]).astype(np.float32)
    pictures = {"reference": encoded(reference), "without": encoded(bare), "with": encoded(with_it)}
    for name, mask in (("beside", where.beside), ("at their feet", where.feet), ("across a corner", where.crossing)):
        before = float((1.0 - right[mask]).mean())
        after = float(np.abs(visibility[mask] - right[mask]).mean())
        bound = min(CORNER, HALF * before)
        yield Row(f"ssao, posts: {name}", f"{RAYS} rays a texel", "mean error", before, after, bound, pictures)


def _lit(game: type[RayScene], backend: Backend, extent: Extent, settings: Settings | None = None) -> Floats:
    choice = chosen() if settings is None else chosen(["ssao"], ssao=settings)
    with played(game, backend, extent, choice) as play:
        return play.picture()
