"""Fixtures of pytest for tests of plugins and games. In a ``conftest.py``::

pytest_plugins = ["renderwright.engine.testing.fixtures"]
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from renderwright.engine.testing.nodes import run_node
from renderwright.engine.testing.pictures import assert_alike
from renderwright.engine.testing.played_game import PlayedGame
from renderwright.render.backend.protocol import Backend
from renderwright.render.testing import device_for_tests


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add ``--update-pictures``."""
    parser.addoption(
        "--update-pictures", action="store_true", help="write the pictures that tests compare with their files"
    )


@pytest.fixture(scope="module")
def device() -> Iterator[Backend]:
    """A device for the tests of a file, on Vulkan. What its validation layer objects to is an error at the end."""
    with device_for_tests() as backend:
        yield backend


@pytest.fixture
def node_results(device: Backend) -> Callable[..., dict[str, Any]]:
    """``run_node`` on the file's device, or on the ``backend`` of a call."""
    return partial(run_node, backend=device)


@pytest.fixture
def played(device: Backend) -> Iterator[Callable[..., PlayedGame]]:
    """``PlayedGame`` on the file's device, or on the ``backend`` of a call. Games end with the test."""
    with ExitStack() as stack:

        def play(game: Any, **options: Any) -> PlayedGame:
            return stack.enter_context(PlayedGame(game, **{"backend": device, **options}))

        yield play


@pytest.fixture
def alike(request: pytest.FixtureRequest) -> Callable[..., None]:
    """``assert_alike``; a name instead of a path is a PNG in the folder ``pictures`` beside the test's file.

    ``--update-pictures`` writes these files.
    """
    update = bool(request.config.getoption("--update-pictures"))
    folder = request.path.parent / "pictures"

    def check(shown: Any, expected: Any, **bounds: float) -> None:
        wanted = folder / f"{expected}.png" if isinstance(expected, str) else expected
        assert_alike(shown, wanted, update=update and isinstance(wanted, Path), **bounds)

    return check
