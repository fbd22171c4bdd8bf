"""What a start must not import: each takes time, and most runs do not use it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from patience import PATIENCE

LOADED = "import json, sys; print(json.dumps(sorted(sys.modules)))"

COMMAND_LINE = "import renderwright.engine.cli.commands"

FIRST_FRAME = """
import renderwright.engine.app
from renderwright.engine.games import find_game
from renderwright.engine.session import Session
from renderwright.render.backend.null.backend import NullBackend

backend = NullBackend()
session = Session(find_game("marbles"), backend, (96, 54))
session.step()
session.render(backend.create_target((96, 54)))
"""

NOT_FOR_THE_COMMAND_LINE = {
    "numpy": "commands import what they run when they are invoked, so that --help is quick",
    "pydantic": "see numpy",
    "rich": "see numpy",
    "vulkan": "see numpy",
    "renderwright.render.compiler": "see numpy",
    "renderwright.engine.app": "see numpy",
    "renderwright.engine.farm": "see numpy",
}

NOT_FOR_A_FIRST_FRAME = {
    "PIL.Image": "the glyph atlas is kept; pictures, models and other fonts bring it",
    "asyncio": "only a coroutine that awaits a model needs it",
    "av": "only films need it",
    "distributed": "only several workers need it",
    "moderngl": "only tools use it",
    "numba": "it compiles the packer's loops beside the frames, where there are many textures",
    "ortools": "only tests search exactly",
    "pyglet": "only a window needs it",
    "rich": "only a progress bar on a terminal needs it",
    "vulkan": "only the backend of that name needs it",
    "renderwright.engine.farm": "only renderwright render and renderwright thumbnails need it",
    "renderwright.engine.input.replay": "only --replay reads input scripts",
    "renderwright.render.inspect.plan_stream": "only --verify describes plans as streams of commands",
    "renderwright.render.sync.oracle": "only --verify and --record bring the judge of barriers",
}


def loaded(program: str, cache: Path) -> set[str]:
    """The modules that a Python process has imported after the program."""
    ran = subprocess.run(
        [sys.executable, "-c", f"{program}\n{LOADED}"],
        env={**os.environ, "RENDERWRIGHT_CACHE_DIR": str(cache)},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    return set(json.loads(ran.stdout.splitlines()[-1]))


@pytest.fixture(scope="module")
def first_frame(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    cache = tmp_path_factory.mktemp("cache")
    loaded(FIRST_FRAME, cache)  # fills the cache
    return loaded(FIRST_FRAME, cache)


@pytest.fixture(scope="module")
def command_line(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    return loaded(COMMAND_LINE, tmp_path_factory.mktemp("cache"))


@pytest.mark.parametrize("module", NOT_FOR_THE_COMMAND_LINE)
def test_the_command_line_does_without(module: str, command_line: set[str]) -> None:
    assert module not in command_line, NOT_FOR_THE_COMMAND_LINE[module]


@pytest.mark.parametrize("module", NOT_FOR_A_FIRST_FRAME)
def test_a_first_frame_does_without(module: str, first_frame: set[str]) -> None:
    assert "renderwright.engine.app" in first_frame
    assert module not in first_frame, NOT_FOR_A_FIRST_FRAME[module]
