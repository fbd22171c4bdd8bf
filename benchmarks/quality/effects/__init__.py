"""Measurements of each effect against a reference of its own, a module for each group of effects.

A module has ``rows(backend)``, which yields its ``Row`` values. ``ALL`` are the modules by their command-line names, in
the order of the table.
"""

from collections.abc import Callable, Iterator

from benchmarks.quality.effects import (
    antialiasing,
    area_lights,
    bloom,
    contact_shadows,
    cookies,
    decals,
    depth_of_field,
    environment,
    fog,
    grading,
    images,
    lamp_light,
    motion_blur,
    occlusion,
    oit,
    outline,
    particles,
    path_traced,
    shadows,
    ssr,
    steadiness,
    tone,
    upscaling,
    volumetric_fog,
)
from benchmarks.quality.row import Row
from renderwright.render.backend.protocol import Backend

Measured = Callable[[Backend], Iterator[Row]]

ALL: dict[str, Measured] = {
    "ssao": occlusion.rows,
    "ssr": ssr.rows,
    "shadows": shadows.rows,
    "contact_shadows": contact_shadows.rows,
    "cookies": cookies.rows,
    "environment": environment.rows,
    "images": images.rows,
    "antialiasing": antialiasing.rows,
    "steadiness": steadiness.rows,
    "upscaling": upscaling.rows,
    "lamps": lamp_light.rows,
    "area_lights": area_lights.rows,
    "path_traced": path_traced.rows,
    "fog": fog.rows,
    "volumetric_fog": volumetric_fog.rows,
    "outline": outline.rows,
    "decals": decals.rows,
    "oit": oit.rows,
    "particles": particles.rows,
    "depth_of_field": depth_of_field.rows,
    "motion_blur": motion_blur.rows,
    "bloom": bloom.rows,
    "tonemap": tone.rows,
    "grading": grading.rows,
}
