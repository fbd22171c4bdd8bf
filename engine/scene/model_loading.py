"""Models that are loaded on a thread of their own while the game runs."""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator
from concurrent.futures import CancelledError, Future
from pathlib import Path
from typing import Any

from renderwright.engine.scene.model import Model
from renderwright.engine.scene.model_limits import ModelLimits

Then = Callable[[Model], object]
Failed = Callable[[Exception], object]


class ModelLoading:
    """A model that is being loaded.

    ``progress`` goes from 0 to 1 by the nodes that are read with their meshes and images. Poll ``done`` in ``update``,
    ``await`` it in a coroutine, or use ``GameContext.load_model`` for a callback.
    """

    def __init__(self, path: Path, folder: str | Path | None = None, limits: ModelLimits | None = None) -> None:
        """Start to load, as ``load_gltf`` does."""
        self.path = path
        self.progress = 0.0
        self._cancelled = False
        self._result: Future[Model] = Future()
        self._thread = threading.Thread(target=self._run, args=(folder, limits), name=f"load {path.name}", daemon=True)
        self._thread.start()

    def __await__(self) -> Generator[Any, None, Model]:
        from asyncio import wrap_future  # a game without coroutines starts without it

        return wrap_future(self._result).__await__()

    @property
    def done(self) -> bool:
        """Whether the model is there, or an error in its place."""
        return self._result.done()

    def model(self, timeout: float | None = None) -> Model:
        """The model, after waiting for it. Raises the error of loading, ``TimeoutError`` or ``CancelledError``."""
        return self._result.result(timeout)

    def cancel(self) -> None:
        """Stop before the next node; waiting for the model raises ``CancelledError`` then."""
        self._cancelled = True

    def _run(self, folder: str | Path | None, limits: ModelLimits | None) -> None:
        from renderwright.engine.scene.gltf import load_gltf

        try:
            self._result.set_result(load_gltf(self.path, folder=folder, limits=limits, progress=self._report))
        except BaseException as error:
            self._result.set_exception(error)

    def _report(self, progress: float) -> None:
        self.progress = progress
        if self._cancelled:
            raise CancelledError


def load_gltf_beside(
    path: str | Path, *, folder: str | Path | None = None, limits: ModelLimits | None = None
) -> ModelLoading:
    """Start to load a model on a thread, with the arguments of ``load_gltf``, and return at once."""
    return ModelLoading(Path(path), folder, limits)


class ModelArrivals:
    """Callbacks of models that are being loaded, called between two steps of the game by ``deliver``."""

    def __init__(self) -> None:
        self._waiting: list[tuple[ModelLoading, Then, Failed | None]] = []

    def expect(self, loading: ModelLoading, then: Then, failed: Failed | None) -> None:
        """Call ``then`` with the model, or ``failed`` with the error."""
        self._waiting.append((loading, then, failed))

    def deliver(self) -> None:
        """Call the callbacks of all that has arrived, in the order of their requests.

        Raises the error of a model that could not be loaded and has no ``failed``. A cancelled one is forgotten.
        """
        for arrival in [each for each in self._waiting if each[0].done]:
            self._waiting.remove(arrival)
            loading, then, failed = arrival
            try:
                model = loading.model()
            except CancelledError:
                continue
            except Exception as error:
                if failed is None:
                    raise
                failed(error)
                continue
            then(model)
