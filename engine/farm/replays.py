"""The frames of a replay."""

from __future__ import annotations

from pathlib import Path

from renderwright.engine.clock import HEADLESS_FRAME
from renderwright.engine.games import find_game
from renderwright.engine.input.mapping import InputMap
from renderwright.engine.input.replay import ReplaySource, load_replay
from renderwright.render.errors import UsageError


def frames_of(game: str, replay: Path | None, frames: range | None, frame: int | None) -> range:
    """The frames that are asked for, by default those until the last event of the replay. Raises ``UsageError``."""
    if frames is not None and frame is not None:
        raise UsageError("--frame and --frames cannot both be given", hint="leave one out")
    if frame is not None:
        return range(frame, frame + 1)
    if frames is not None:
        return frames
    if replay is None:
        raise UsageError("which frames to render is not known", hint="give --frames A-B, or a --replay")
    found = find_game(game)
    names = InputMap.from_dict(found.controls) if found.controls else None
    source = ReplaySource(load_replay(replay, names), found.step)
    return range(int((source.last_step + 1) * found.step / HEADLESS_FRAME) + 1)
