"""One case: a game is resized and changed at random while allocations fail; its pictures stay right, nothing leaks."""

from __future__ import annotations

import atexit
import logging
import random
from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from numpy.typing import NDArray
from vulkan_memory_stories import HOPELESS, LARGE, SMALL, Game, Stage

from renderwright.render.errors import OutOfMemoryError
from renderwright.render.types.resources import Extent

EXTENTS = (SMALL, LARGE, (33, 7))
CALLS = 120


@cache
def _stage() -> Stage:
    stage = Stage(Path(_folder().name))
    atexit.register(stage.backend.close)
    return stage


@cache
def _folder() -> TemporaryDirectory[str]:
    return TemporaryDirectory(prefix="renderwright-fuzz-")


@cache
def _right_picture(extent: Extent, glows: bool) -> NDArray[Any]:
    with closing(Game(_stage().backend, _stage().library, extent)) as game:
        if glows:
            game.change()
        game.frame()
        return _lasting(game.picture())


@contextmanager
def _quiet() -> Iterator[None]:
    """The runtime says a lot here that is of no interest."""
    log = logging.getLogger("renderwright.runtime")
    before = log.level
    log.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        log.setLevel(before)


def shortage_case(seed: int) -> str:
    """``recovered`` when some allocation failed and the game went on, ``ended`` when it could not."""
    rng = random.Random(seed)
    stage = _stage()
    with _quiet(), closing(Game(stage.backend, stage.library)) as game:
        ending = _walk(rng, stage, game)
    assert stage.faults.living() == stage.living, stage.faults.living()
    assert [message.text for message in stage.backend.validation_messages] == []
    return ending


def _walk(rng: random.Random, stage: Stage, game: Game) -> str:
    extent: Extent = SMALL
    glows, failed = False, False
    for _ in range(rng.randint(1, 8)):
        happens = rng.random()
        if happens < 0.4:
            extent = rng.choice(EXTENTS)
            game.resize(extent)
        elif happens < 0.8:
            glows = not glows
            game.change() if glows else game.graph.remove_node("glow")
        with stage.faults.armed(rng.randrange(CALLS), lasting=rng.random() < 0.5):
            try:
                game.frame()
            except OutOfMemoryError:
                if stage.faults.failed in HOPELESS:
                    return "ended"
        failed = failed or bool(stage.faults.failed)
        assert not game.failures, game.failures
        assert game.frame()
        assert np.array_equal(_lasting(game.picture()), _right_picture(extent, glows)), stage.faults.failed
    return "recovered" if failed else "untouched"


def _lasting(picture: NDArray[Any]) -> NDArray[Any]:
    """The picture without the channel that counts frames."""
    return picture[..., [0, 2, 3]]
