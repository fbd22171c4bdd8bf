"""Renders jobs from Python."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from types import TracebackType
from typing import Self

from renderwright.engine.farm.crew import Crew, OneProcess
from renderwright.engine.farm.dispatch import Dispatch
from renderwright.engine.farm.frames import Frame
from renderwright.engine.farm.job import RenderJob
from renderwright.engine.farm.preparation import frame_work
from renderwright.engine.farm.report import Report
from renderwright.engine.farm.work import Piece, Work
from renderwright.render.errors import UsageError


class Farm:
    """Workers that render jobs; a context manager.

    One worker is this process. Several are processes of this machine, on ``dask.distributed`` (the extra ``farm``);
    with ``scheduler``, the address of one, they are the workers that it has. A script that makes local workers needs
    the usual ``if __name__ == "__main__":``, since they import it.

    Raises ``UsageError`` if the extra is missing or the scheduler cannot be reached.
    """

    def __init__(self, workers: int = 1, *, scheduler: str = "") -> None:
        if workers < 1:
            raise UsageError(f"a farm cannot have {workers} workers", hint="give at least 1")
        #: What happened in the last job.
        self.report = Report()
        self._crew = _crew(workers, scheduler)

    def render(self, job: RenderJob) -> Iterator[Frame]:
        """The frames of a job in order, as they come. Those that could not be rendered are left out.

        ``report.given_up`` has the reasons.

        Raises ``RenderwrightError`` for a job that no worker could do.
        """
        if job.tiles is not None:
            raise UsageError("a poster is not a frame", hint="renderwright render --tiles writes it")
        work = frame_work(job, many=len(self._crew.workers()) > 1)
        early: dict[int, Piece] = {}
        wanted = job.frames.start
        for piece in self.run(work, job.frames):
            early[piece.number] = piece
            while wanted in early or wanted in self.report.given_up:
                if wanted in early:
                    yield Frame.of(early.pop(wanted), job)
                wanted += 1
        for number in sorted(early):
            yield Frame.of(early[number], job)

    def run(self, work: Work, numbers: Iterable[int]) -> Iterator[Piece]:
        """Make pieces of any kind of work, in any order; ``report`` follows it."""
        dispatch = Dispatch(work, self._crew, numbers)
        self.report = dispatch.report
        yield from dispatch.run()

    @property
    def says_notices(self) -> bool:
        """Whether warnings of the engine have been shown where they arose; else ``report.notices`` has them."""
        return self._crew.says_notices

    def close(self) -> None:
        """Let go of the workers."""
        self._crew.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _crew(workers: int, scheduler: str) -> Crew:
    if workers == 1 and not scheduler:
        return OneProcess()
    from renderwright.engine.farm.dask_crew import DaskCrew

    return DaskCrew(scheduler=scheduler) if scheduler else DaskCrew(workers=workers)
