"""What a job's replay says of the job."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from renderwright.engine.farm.job import RenderJob
from renderwright.engine.games import find_game
from renderwright.engine.replays import as_recorded, frames_until_the_end, replay_in, replay_of
from renderwright.render.errors import UsageError


def frames_of(game: str, replay: Path | None, frames: range | None, frame: int | None) -> range:
    """The frames that are asked for, by default those until the end of the replay. Raises ``UsageError``."""
    if frames is not None and frame is not None:
        raise UsageError("--frame and --frames cannot both be given", hint="leave one out")
    if frame is not None:
        return range(frame, frame + 1)
    if frames is not None:
        return frames
    if replay is None:
        raise UsageError("which frames to render is not known", hint="give --frames A-B, or a --replay")
    found = find_game(game)
    return range(frames_until_the_end(replay_of(found, replay), found.step))


def job_as_recorded(job: RenderJob, script: str) -> RenderJob:
    """The job with its seed and its players, which are those of the replay where the job says nothing.

    ``script`` is the text of the replay. Raises ``AssetError`` with its place in it if it is not for the game.
    """
    game = find_game(job.game)
    source = None if job.replay is None else replay_in(game, script, str(job.replay))
    options = as_recorded(job.play_options(), source)
    return replace(job, seed=options.seed or 0, players=options.players or game.min_players, plugins=options.plugins)
