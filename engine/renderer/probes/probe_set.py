"""The blobs of probes: what lighting shaders know of all, and what is baked of one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from pyglm import glm

from renderwright.engine.renderer.lights.light_set import LightSet, Vec4
from renderwright.engine.renderer.sun_box import sun_box
from renderwright.engine.scene.algebra import matrix_of_columns
from renderwright.engine.scene.probe import MOST_PROBES, Probe

SUN_SIZE = 512
"""Texels along a side of the sun's shadow map."""

_SUN_REACH = 2.0
"""Radius of the sphere that the map covers, as a share of that around the box."""
_NEAR = 0.01
_FACES = (
    ((0, 0, -1), (0, -1, 0), (1, 0, 0)),
    ((0, 0, 1), (0, -1, 0), (-1, 0, 0)),
    ((1, 0, 0), (0, 0, 1), (0, 1, 0)),
    ((1, 0, 0), (0, 0, -1), (0, -1, 0)),
    ((1, 0, 0), (0, -1, 0), (0, 0, 1)),
    ((-1, 0, 0), (0, -1, 0), (0, 0, -1)),
)
"""Of each face of a cube: the directions to the right and down in its picture, and ahead (``cube.glsl``)."""

_NOTHING: Vec4 = (0.0, 0.0, 0.0, 0.0)


@dataclass(frozen=True)
class ProbeSet:
    """The blob ``probes``. Its members fill the uniform block of ``probes.glsl``, in the order of the scene.

    ``positions.w`` is the place of a probe's light in buffer and texture, ``lows.w`` the fade, ``highs.w`` 1 once the
    probe is baked.
    """

    requested_by: ClassVar = "request_environment(reg)"

    count: int
    positions: tuple[Vec4, ...]
    lows: tuple[Vec4, ...]
    highs: tuple[Vec4, ...]

    @classmethod
    def of(cls, probes: Sequence[Probe], places: Mapping[Probe, int], baked: Mapping[Probe, int]) -> ProbeSet:
        """The probes, with the places of their light and those that are ``baked``."""
        return cls(
            len(probes),
            _padded([(*each.position, float(places[each])) for each in probes]),
            _padded([(*each.low, each.fade) for each in probes]),
            _padded([(*each.high, float(each in baked)) for each in probes]),
        )


@dataclass(frozen=True)
class ProbeBake:
    """The blob ``probe_bake``: the probe that was baked last. Its members fill the uniform block of that name.

    ``sun_matrix`` transforms world space to the clip space of the sun's shadow map, ``sun_texel`` is the size of its
    texels in metres, or 0 if the sun casts no shadow. ``asked`` counts the bakes of all probes.
    """

    number: int
    position: glm.vec3
    sun_matrix: glm.mat4
    sun_texel: float
    asked: int

    @classmethod
    def of(cls, probe: Probe, number: int, lights: LightSet, asked: int) -> ProbeBake:
        """A bake of a probe whose light is at the place ``number``."""
        matrix, texel = _sun_map(probe, lights.sun_direction)
        casts = lights.sun_casts_shadow
        return cls(number, glm.vec3(probe.position), matrix, texel if casts else 0.0, asked)

    def face(self, number: int) -> glm.mat4:
        """World to clip space of a face, whose picture is mirrored: cubes are seen from outside."""
        right, down, ahead = (glm.vec3(*axis) for axis in _FACES[number])
        rows = (-right, -down, ahead)
        x, y, z = [(rows[0][axis], rows[1][axis], 0.0, rows[2][axis]) for axis in range(3)]
        across, up, away = (-glm.dot(row, self.position) for row in rows)
        return matrix_of_columns(x, y, z, (across, up, _NEAR, away))


def _sun_map(probe: Probe, direction: glm.vec3) -> tuple[glm.mat4, float]:
    """The map of the sun around a sphere around the probe's box, and the size of a texel in metres."""
    radius = _SUN_REACH * 0.5 * glm.distance(probe.low, probe.high)
    return sun_box(0.5 * (probe.low + probe.high), radius, direction), 2.0 * radius / SUN_SIZE


def _padded(vectors: Sequence[Vec4]) -> tuple[Vec4, ...]:
    return (*vectors, *[_NOTHING] * (MOST_PROBES - len(vectors)))
