"""Large pictures by tiles: the same as rendered at once, within bounds of memory, and coherent over time."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import PIL.Image
import pytest
from playing import flip
from tiled_play import EXTENT, Play, Unnamed, as_at_once, difference

from renderwright.engine.screenshot import TiledScreenshot, TileGrid, save_by_tiles
from renderwright.engine.screenshot.tiled import SETTLED
from renderwright.render.errors import UsageError

pytestmark = pytest.mark.vulkan


@pytest.mark.parametrize("grid", [(1, 1), (3, 2), (5, 4)])
def test_without_screen_space_effects_tiles_are_what_is_rendered_at_once(play: Play, grid: tuple[int, int]) -> None:
    running = play()
    assert as_at_once(running.tiled(*grid), running.still())


def test_bloom_needs_its_border_and_then_leaves_no_seam(play: Play) -> None:
    running = play("bloom", bloom__intensity="0.3")
    at_once = running.still()
    seam = slice(EXTENT[1] // 2 - 1, EXTENT[1] // 2 + 1)
    bare, bordered = (difference(running.tiled(1, 2, border), at_once)[seam] for border in (0, 64))
    assert bare.mean() > 1.0
    assert bordered.max() <= 2


def test_a_downscaled_picture_agrees_with_a_direct_one(play: Play) -> None:
    running = play("bloom", "shadows", game=Unnamed)
    picture = running.tiled(3, 3, 32, (3 * EXTENT[0], 3 * EXTENT[1]))
    small = np.asarray(PIL.Image.fromarray(picture).resize(EXTENT, PIL.Image.Resampling.BOX))
    assert flip(running.still(), small) <= 0.05


def test_supersampling_goes_along_with_tiles(play: Play) -> None:
    running = play("ssaa", ssaa__samples="4")
    assert as_at_once(running.tiled(3, 2), running.still())


def test_taa_settles_in_each_tile(play: Play) -> None:
    running = play("taa")
    shot = TiledScreenshot(running.session, TileGrid(EXTENT, 2, 2, 16))
    tiled = np.concatenate(list(shot.rows()))
    assert shot.frames == 4 * SETTLED
    assert flip(running.still(SETTLED), tiled) <= 0.02


def test_the_exposure_stays_that_of_the_last_frame(play: Play) -> None:
    running = play(tonemap__auto_exposure="true")
    running.play(20)
    at_once = running.still(2)
    assert as_at_once(running.tiled(3, 2), at_once)
    # Each tile by itself would have been exposed for what it shows.
    assert np.array_equal(running.still(2), at_once)


def test_before_any_frame_the_exposure_is_that_of_the_whole_picture(play: Play) -> None:
    shown, new = (play(frames=frames, tonemap__auto_exposure="true") for frames in (1, 0))
    new.session.step()
    assert np.array_equal(new.tiled(3, 2), shown.tiled(3, 2))


def test_the_game_goes_on_as_if_nothing_had_been(play: Play) -> None:
    one, other = play("bloom"), play("bloom")
    one.tiled(2, 2)
    one.play(2)
    other.play(2)
    assert np.array_equal(one.still(), other.still())


def test_the_file_holds_the_rows(play: Play, tmp_path: Path) -> None:
    running = play()
    written: list[int] = []
    path = tmp_path / "large.png"
    shot = save_by_tiles(path, running.session, TileGrid((300, 200), 2, 3, 8), written.append)
    assert sum(written) == 200
    assert shot.frames == 6
    with PIL.Image.open(path) as image:
        assert np.array_equal(np.asarray(image), running.tiled(2, 3, 8, (300, 200)))


def test_more_memory_than_allowed_is_refused(play: Play) -> None:
    running = play()
    shot = TiledScreenshot(running.session, TileGrid((512, 512), 1, 1), memory=1 << 20)
    with pytest.raises(UsageError, match="MiB of transient memory"):
        list(shot.rows())
    assert running.still().shape == (EXTENT[1], EXTENT[0], 3)


def test_smaller_tiles_take_less_memory(play: Play) -> None:
    heaps = []
    for tiles in (1, 2, 4):
        shot = TiledScreenshot(play("bloom").session, TileGrid((1024, 768), tiles, tiles))
        for _ in shot.rows():
            pass
        heaps.append(shot.heap_bytes)
    assert heaps[1] < 0.4 * heaps[0]
    assert heaps[2] < 0.4 * heaps[1]
