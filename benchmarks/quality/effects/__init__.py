"""Each effect of the plugins against a reference of its own; a module measures what belongs together.

A module has ``rows(backend)``, which yields one ``Row`` after the other. ``ALL`` are the modules by the names under
which the command line knows them, in the order of the table.
"""

from collections.abc import Callable, Iterator

from benchmarks.quality.effects import (
    antialiasing,
    bloom,
    depth_of_field,
    environment,
    fog,
    motion_blur,
    occlusion,
    outline,
    shadows,
    steadiness,
    tone,
)
from benchmarks.quality.row import Row
from renderwright.render.backend.protocol import Backend

Measured = Callable[[Backend], Iterator[Row]]

ALL: dict[str, Measured] = {
    "ssao": occlusion.rows,
    "shadows": shadows.rows,
    "environment": environment.rows,
    "antialiasing": antialiasing.rows,
    "steadiness": steadiness.rows,
    "fog": fog.rows,
    "outline": outline.rows,
    "depth_of_field": depth_of_field.rows,
    "motion_blur": motion_blur.rows,
    "bloom": bloom.rows,
    "tonemap": tone.rows,
}
