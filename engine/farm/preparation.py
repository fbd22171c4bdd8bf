"""Work for a job, with what is known before any device is opened."""

from __future__ import annotations

from renderwright.engine.farm.carried import carried_over
from renderwright.engine.farm.frames import FrameWork
from renderwright.engine.farm.job import RenderJob
from renderwright.engine.farm.poster import PosterWork
from renderwright.engine.farm.replays import job_as_recorded
from renderwright.engine.input.script_format import MAX_BYTES
from renderwright.engine.options import BackendName, PlanOptions
from renderwright.engine.planning import plan_of
from renderwright.engine.screenshot.tiled import PREVIEW, SETTLED, frames_to_settle
from renderwright.render.compiler.values.plan import Plan
from renderwright.render.errors import AssetError, SourceLocation
from renderwright.render.files.reading import read_text


def frame_work(job: RenderJob, *, many: bool, pattern: str = "") -> FrameWork:
    """The frames of a job as work. For ``many`` workers it is planned first, since they may not share it.

    A frame of which nothing is known before it is rendered may still say so then (``CarriedError``).
    """
    job, script = _as_recorded(job)
    work = FrameWork(job, script, pattern or ("%05d.exr" if job.resource else "%05d.png"))
    if many and job.warm_up is None and carried_over(_first_plan(job)):
        return work.run_from_start()
    return work


def poster_work(job: RenderJob) -> PosterWork:
    """The tiles of a job as work."""
    job, script = _as_recorded(job)
    plan = _first_plan(job)
    exact = job.warm_up is None
    from_start = exact and bool(carried_over(plan))
    return PosterWork(job, script, from_start, exact and frames_to_settle(plan) == SETTLED)


def carried_of(job: RenderJob) -> tuple[str, ...]:
    """What the game's first frame passes on to the next."""
    job, _ = _as_recorded(job)
    return carried_over(_first_plan(job))


def _first_plan(job: RenderJob) -> Plan:
    """The plan of the game's first frame, which takes no device."""
    backend = BackendName.OPENGL if job.backend is BackendName.OPENGL else BackendName.VULKAN
    return plan_of(PlanOptions(job.game, size=PREVIEW, plugins=job.plugins, players=job.players, backend=backend))


def _as_recorded(job: RenderJob) -> tuple[RenderJob, str]:
    """The job as it is played, with the seed and the players of its replay, and the text of that."""
    script = _script_of(job)
    return job_as_recorded(job, script), script


def _script_of(job: RenderJob) -> str:
    """The text of the replay, '' without one. Raises ``AssetError`` if it cannot be read."""
    if job.replay is None:
        return ""
    try:
        return read_text(job.replay, MAX_BYTES)
    except (OSError, UnicodeDecodeError) as error:
        raise AssetError(
            f"the input script cannot be read: {getattr(error, 'strerror', None) or error}",
            hint="check that it is a readable UTF-8 text file",
            where=SourceLocation(str(job.replay)),
        ) from error
