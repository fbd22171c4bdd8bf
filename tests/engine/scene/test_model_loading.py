"""Models are loaded on a thread, with progress, and arrive between two steps."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from concurrent.futures import CancelledError
from pathlib import Path

import pytest
from gltf_builder import GltfBuilder
from patience import PATIENCE

from renderwright.engine.game import Game, GameContext, GameRunner
from renderwright.engine.scene import model_loading
from renderwright.engine.scene.gltf import load_gltf
from renderwright.engine.scene.model import Model
from renderwright.engine.scene.model_loading import load_gltf_beside
from renderwright.render.errors import AssetError


def saved(folder: Path, nodes: int = 1) -> Path:
    builder = GltfBuilder()
    builder.mesh(builder.quad())
    builder.document["nodes"] = [{"mesh": 0} for _ in range(nodes)]
    builder.document["scenes"] = [{"nodes": list(range(nodes))}]
    return builder.save(folder)


def test_progress_grows_to_one(tmp_path: Path) -> None:
    seen: list[float] = []
    load_gltf(saved(tmp_path, 4), progress=seen.append)
    assert seen == [0.0, 0.25, 0.5, 0.75, 1.0]


def test_it_gives_the_model_that_load_gltf_gives(tmp_path: Path) -> None:
    path = saved(tmp_path, 3)
    loading = load_gltf_beside(path)
    model = loading.model(60.0)
    assert loading.done
    assert loading.progress == 1.0
    assert [part.node for part in model.parts] == [part.node for part in load_gltf(path).parts]


def test_it_can_be_awaited(tmp_path: Path) -> None:
    async def waiting() -> Model:
        return await load_gltf_beside(saved(tmp_path))

    assert len(asyncio.run(waiting()).parts) == 1


def test_errors_come_with_the_model(tmp_path: Path) -> None:
    with pytest.raises(AssetError, match=r"gone\.glb"):
        load_gltf_beside(tmp_path / "gone.glb").model(60.0)


def test_loading_stops_when_it_is_cancelled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    begun, go_on = threading.Event(), threading.Event()
    report = model_loading.ModelLoading._report

    def held(self: model_loading.ModelLoading, progress: float) -> None:
        begun.set()
        go_on.wait(PATIENCE)
        report(self, progress)

    monkeypatch.setattr(model_loading.ModelLoading, "_report", held)
    loading = load_gltf_beside(saved(tmp_path, 3))
    assert begun.wait(PATIENCE)
    loading.cancel()
    go_on.set()
    with pytest.raises(CancelledError):
        loading.model(60.0)
    assert loading.progress == 0.0


class Waiting(Game):
    """A game that loads a model while it runs."""

    def __init__(self, path: Path, *, catches: bool = False) -> None:
        self.path = path
        self.catches = catches
        self.errors: list[Exception] = []

    def setup(self, context: GameContext) -> None:
        place = lambda model: model.instantiate(context.scene)  # noqa: E731
        self.loading = context.load_model(self.path, place, self.errors.append if self.catches else None)


def arrived(game: Waiting) -> GameRunner:
    """The runner after a step that finds the model, or its error."""
    runner = GameRunner(game, GameContext())
    runner.start()
    with contextlib.suppress(AssetError):
        game.loading.model(60.0)
    assert len(runner.context.scene) == 0  # nothing happens outside of steps
    runner.frame(game.step)
    return runner


def test_a_game_is_called_with_the_model_between_two_steps(tmp_path: Path) -> None:
    game = Waiting(saved(tmp_path, 2))
    runner = arrived(game)
    assert len(runner.context.scene) == 2
    runner.frame(game.step)
    assert len(runner.context.scene) == 2


def test_an_error_is_the_steps_or_goes_to_the_game(tmp_path: Path) -> None:
    with pytest.raises(AssetError, match="gone"):
        arrived(Waiting(tmp_path / "gone.glb"))
    game = Waiting(tmp_path / "gone.glb", catches=True)
    arrived(game)
    [error] = game.errors
    assert isinstance(error, AssetError)
