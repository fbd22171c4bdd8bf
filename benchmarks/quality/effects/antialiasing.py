"""Anti-aliasing against 256 samples a texel, and temporal anti-aliasing against 64 as well."""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.quality.averages import mean_shown, texel_grid
from benchmarks.quality.play import Floats, Settings, chosen, played
from benchmarks.quality.row import HALF, Row, compared
from benchmarks.quality.scenes import Beams, StillScene
from renderwright.engine.game import Game
from renderwright.render.backend.protocol import Backend
from renderwright.render.types.resources import Extent

EXTENT: Extent = (160, 90)
WITHOUT_DITHER: dict[str, Settings] = {"tonemap": {"dither": "false"}}
STILL_FRAMES = 32
CHEAP = 0.8
"""Share of the error that a post-process with one sample a texel (FXAA) may leave."""


def rows(backend: Backend) -> Iterator[Row]:
    """Rows of TAA, supersampling and FXAA."""
    taa = "taa, 32 still frames"
    few, without = _samples(StillScene, backend, 8), _frame(StillScene, backend)
    with_it = _frame(StillScene, backend, STILL_FRAMES, "taa")
    yield _row(f"{taa}: thin things", "64 samples a texel", few, without, with_it, share=1.0)
    many, without = _samples(Beams, backend, 16), _frame(Beams, backend)
    reference = "256 samples a texel"
    with_it = _frame(Beams, backend, STILL_FRAMES, "taa")
    yield _row(f"{taa}: edges", reference, many, without, with_it)
    for samples in (4, 16):
        with_it = _frame(Beams, backend, 2, "ssaa", ssaa={"samples": str(samples)})
        yield _row(f"ssaa, {samples} samples", reference, many, without, with_it)
    with_it = _frame(Beams, backend, 2, "fxaa")
    yield _row("fxaa", reference, many, without, with_it, share=CHEAP)


def _row(effect: str, reference: str, right: Floats, without: Floats, with_it: Floats, share: float = HALF) -> Row:
    """A row of displayed pictures."""
    return compared(effect, reference, right, without, with_it, linear=False, share=share, steps=False)


def _frame(game: type[Game], backend: Backend, frames: int = 2, *enable: str, **settings: Settings) -> Floats:
    with played(game, backend, EXTENT, chosen(enable, **WITHOUT_DITHER, **settings)) as play:
        play.frames(frames)
        return play.shown()


def _samples(game: type[Game], backend: Backend, side: int) -> Floats:
    with played(game, backend, EXTENT, chosen(**WITHOUT_DITHER)) as play:
        return mean_shown(play, texel_grid(side))
