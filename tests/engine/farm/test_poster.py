"""Tiles of a poster by several workers."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from renderwright.engine.farm.job import RenderJob
from renderwright.engine.farm.poster import PosterWork, TileFile, write_poster
from renderwright.engine.farm.preparation import poster_work
from renderwright.engine.farm.store import Store
from renderwright.engine.farm.work import Piece
from renderwright.engine.options import PluginChoice, SettingChange
from renderwright.render.errors import CheckError

pytestmark = pytest.mark.vulkan
ADAPTING = PluginChoice(settings=(SettingChange("tonemap", "auto_exposure", True),))


def job(game: str, plugins: PluginChoice) -> RenderJob:
    return RenderJob(game, range(5, 6), (192, 128), plugins=plugins, tiles=(2, 2), tile_border=16)


def pieces(work: PosterWork, numbers: tuple[int, ...]) -> dict[int, Piece]:
    """Tiles of a worker."""
    with closing(work.open()) as maker:
        return {number: Piece(number, maker.make(number)) for number in numbers}


def test_all_workers_find_the_same_exposure(game: str) -> None:
    work = poster_work(job(game, ADAPTING))
    assert (work.from_start, work.in_one_run) == (True, False)
    whole, other = pieces(work, (0, 1, 2, 3)), pieces(work, (3, 1))
    assert {number: piece.made.digest for number, piece in other.items()} == {
        number: whole[number].made.digest for number in other
    }


def test_tiles_that_take_over_textures_go_to_one_worker(game: str, taa: PluginChoice) -> None:
    assert poster_work(job(game, taa)).in_one_run
    assert not poster_work(replace(job(game, taa), warm_up=4)).in_one_run


def test_tiles_of_another_moment_are_not_put_together(game: str, tmp_path: Path) -> None:
    work = poster_work(job(game, PluginChoice()))
    assert (work.from_start, work.in_one_run) == (False, False)
    made = pieces(work, (0, 1, 2, 3))
    odd = replace(TileFile.of(made[2].made.data), before="another").data()
    made[2] = Piece(2, replace(made[2].made, data=odd))
    store = Store(tmp_path / "parts", work)
    for piece in made.values():
        store.put(piece)
    with pytest.raises(CheckError, match="tile 2/1 is of another moment than tile 1/1"):
        write_poster(tmp_path / "poster.png", work, store, lambda rows: None)
    assert not (tmp_path / "poster.png").exists()
