"""``renderwright render`` and ``renderwright thumbnails``: a job from the command line's options."""

from __future__ import annotations

import logging
import random
from collections.abc import Sequence
from pathlib import Path

from renderwright.engine.farm.farm import Farm
from renderwright.engine.farm.options import FarmOptions, RenderOptions, ThumbnailOptions
from renderwright.engine.farm.output import output_for
from renderwright.engine.farm.preparation import carried_of, frame_work, poster_work
from renderwright.engine.farm.progress import rendering
from renderwright.engine.farm.report import titles
from renderwright.engine.farm.store import Store
from renderwright.engine.farm.thumbnails import ThumbnailWork, models_in
from renderwright.engine.farm.work import Work
from renderwright.engine.messages import say
from renderwright.render.errors import CheckError, UsageError

EXIT_MISSING = 3
"""Some pieces could not be rendered."""

_log = logging.getLogger("renderwright.farm")


def render(options: RenderOptions) -> int:
    """Render a job's frames or its poster; returns the process's exit code."""
    job = options.job
    output = output_for(options.out, job)
    many = options.farm.workers > 1 or bool(options.farm.scheduler)
    work: Work
    if job.tiles is not None:
        work, numbers, unit = poster_work(job), range(job.tiles[0] * job.tiles[1]), "tiles"
    else:
        pattern = output.path.name if "%" in output.path.name else f"%05d{'.exr' if job.resource else '.png'}"
        work, numbers, unit = frame_work(job, many=many, pattern=pattern), job.frames, "frames"
    if work.in_one_run and many:
        say(_why_in_order(carried_of(job)))
    if job.warm_up is not None:
        say(
            f"With --warm-up {job.warm_up} frames are near those of one process, not equal to them: no worker has more "
            "history than that."
        )
    store = Store(output.folder, work, anew=options.farm.anew)
    missing = _produce(options.farm, work, store, numbers, unit)
    if missing:
        say(f"{output.path} is incomplete; what is whole is in {output.folder}. The same command tries the rest again.")
        return EXIT_MISSING
    if options.verify:
        _verify(work, store, numbers, options.verify)
    output.finish(work, store, numbers)
    say(f"{len(numbers)} {unit} are in {output.path}")
    return 0


def thumbnails(options: ThumbnailOptions) -> int:
    """Render a picture of each model of a folder; returns the process's exit code."""
    if not options.folder.is_dir():
        raise UsageError(f'there is no folder "{options.folder}"', hint="give the folder of the models")
    folder = options.folder.resolve()
    work = ThumbnailWork(folder, models_in(folder), options.size, options.backend, options.device)
    store = Store(options.out, work, anew=options.farm.anew)
    missing = _produce(options.farm, work, store, range(work.count), "models")
    say(f"{work.count - len(missing)} of {work.count} pictures are in {options.out}")
    return EXIT_MISSING if missing else 0


def _produce(options: FarmOptions, work: Work, store: Store, numbers: Sequence[int], unit: str) -> Sequence[int]:
    """Make what the store lacks, and say what happened; returns what is missing in the end."""
    todo = store.missing(numbers)
    if len(todo) < len(numbers):
        say(f"{len(numbers) - len(todo)} of {len(numbers)} {unit} are there already")
    if not todo:
        return ()
    with Farm(options.workers, scheduler=options.scheduler) as farm:
        try:
            with rendering(f"rendering {unit}", unit, len(todo)) as advance:
                for piece in farm.run(work, todo):
                    store.put(piece)
                    advance()
        except KeyboardInterrupt:
            left = len(store.missing(numbers))
            say(f"\n{len(numbers) - left} of {len(numbers)} {unit} are whole; the same command goes on from there.")
            raise
        finally:
            _tell(farm, work)
    return store.missing(numbers)


def _tell(farm: Farm, work: Work) -> None:
    report = farm.report
    if not farm.says_notices:
        for notice in report.notices:
            _log.warning("%s", notice)
    if report.carried:
        say(_why_in_order(report.carried))
    if table := report.table(work.title_of):
        say(table)
    for line in report.losses(work.title_of):
        say(line)


def _why_in_order(carried: Sequence[str]) -> str:
    return (
        f"Each frame takes over {', '.join(carried)} from the one before, so one worker renders all of them from 0 on. "
        "With --warm-up N it renders N before, and workers share the frames; the result is near."
    )


def _verify(work: Work, store: Store, numbers: Sequence[int], count: int) -> None:
    """Render some pieces again in this process. Raises ``CheckError`` if they are others."""
    chosen = sorted(random.sample(list(numbers), min(count, len(numbers))))
    with Farm() as farm:
        differing = [
            piece.number for piece in farm.run(work, chosen) if piece.made.digest != store.digest(piece.number)
        ]
        for number, reason in farm.report.given_up.items():
            raise CheckError(f"{work.title_of(number)} could not be rendered again: {reason}")
    if differing:
        raise CheckError(
            f"{titles(differing, work.title_of)} of {len(chosen)} that were rendered again came out otherwise",
            hint="its game takes time or random numbers from elsewhere than its context, or devices differ",
        )
    say(f"{titles(chosen, work.title_of)} came out alike when rendered again")


def default_folder(folder: Path) -> Path:
    """The folder for pictures of models, where none is given."""
    return Path("out") / f"{folder.resolve().name}-thumbnails"
