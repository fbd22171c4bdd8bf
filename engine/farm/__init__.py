"""Films, posters and thumbnails, rendered by one process or by many.

A *job* is divided into numbered *pieces*: frames of a replay, tiles of a poster, models of a folder. A *crew* of
workers renders them, in any order; a piece that is lost with its worker is rendered by another one.

::

    job = RenderJob("marbles", frames=range(600), size=(1920, 1080), replay=Path("demo.yaml"))
    with Farm(workers=4) as farm:
        for frame in farm.render(job):
            show(frame.number, frame.texels())

``job.py`` is what is to be rendered. ``work.py`` says what a kind of job provides: ``frames.py``, ``poster.py`` and
``thumbnails.py`` are the kinds. ``dispatch.py`` hands pieces to a crew (``crew.py``: this process, ``dask_crew.py``:
many), ``strikes.py`` decides what is tried again. ``store.py`` keeps what is done, so that a job can go on.
"""

from renderwright.engine.farm.farm import Farm
from renderwright.engine.farm.frames import Frame
from renderwright.engine.farm.job import RenderJob

__all__ = ["Farm", "Frame", "RenderJob"]
