"""The folders of the engine, the renderer and the plugins that come with them: no mistake of a game is in there."""

from __future__ import annotations

import os
from pathlib import Path

from renderwright import engine, render

_ENGINE = Path(engine.__path__[0])

OWN_FOLDERS = tuple(f"{folder}{os.sep}" for folder in (_ENGINE, Path(render.__path__[0]), _ENGINE.parent / "plugins"))
