"""Where the cascades lie: slices of the view, each in a sphere of fixed size that moves by whole texels.

The sphere does not change as the camera turns, and the steps are whole texels, so edges do not crawl (Valient,
"Stable Rendering of Cascaded Shadow Maps", ShaderX6).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from pyglm import glm

from renderwright.engine.renderer.blobs import CameraView
from renderwright.engine.scene.algebra import matrix_of_columns, multiply, transform_point
from renderwright.plugins.shadows.settings import ShadowSettings

CASCADES = 4
SPARE = 0.12
"""What a cascade with a rate of its own covers beyond its slice, as a share of the slice's radius."""
BEHIND = 0.25
"""What a map covers behind its sphere, as a share of the radius, so that it need not end within the sphere."""
_TURNED = math.cos(0.02)
"""Cosine of the angle by which the sun may turn before all cascades follow at once."""


def rates(settings: ShadowSettings) -> tuple[int, ...]:
    """In one of how many frames each cascade is drawn: the farthest at the rate that is set, each nearer one twice as
    often."""
    return tuple(max(1, settings.rate >> (CASCADES - 1 - number)) for number in range(CASCADES))


@dataclass(frozen=True)
class MapPlace:
    """Where a cascade's map is: a layer of a texture, which has all cascades of one rate, ``layers`` of them."""

    texture: int
    layer: int
    layers: int
    rate: int


def map_places(settings: ShadowSettings) -> tuple[MapPlace, ...]:
    """Of each cascade. What is drawn at different rates has to be in different textures."""
    each = rates(settings)
    known = list(dict.fromkeys(each))
    return tuple(
        MapPlace(known.index(rate), each[:number].count(rate), each.count(rate), rate)
        for number, rate in enumerate(each)
    )


@dataclass(frozen=True)
class Cascade:
    """One cascade as it is drawn: a box around a sphere, seen from the sun.

    ``matrix`` goes from world to the cascade's clip space (depth 1 towards the sun, 0 away from it). ``center`` and
    ``radius`` are the sphere's, ``texel`` the size of a texel and ``length`` the way from depth 1 to 0, in metres.
    ``sun`` is the way the light travels; without ``casts`` there is nothing to draw. ``frame`` is that in which it was
    placed, so that a cascade that is due differs from the one before.
    """

    matrix: glm.mat4
    center: glm.vec3
    radius: float
    texel: float
    length: float
    sun: glm.vec3
    casts: bool
    frame: int

    def covers(self, center: glm.vec3, radius: float) -> bool:
        """Whether a sphere lies within the cascade's, the steps of whole texels allowed for."""
        return glm.distance(self.center, center) + radius <= self.radius + 2.0 * self.texel


@dataclass(frozen=True)
class ShadowCascades:
    """The blob ``shadows/cascades``: the cascades as they were last drawn; members fill the uniform block.

    ``end`` is the distance along the view axis where shadows end, in metres.
    """

    cascades: tuple[Cascade, ...]
    places: tuple[MapPlace, ...]
    end: float

    @property
    def textures(self) -> tuple[int, ...]:
        """The number of each cascade's texture."""
        return tuple(place.texture for place in self.places)

    @property
    def layers(self) -> tuple[int, ...]:
        """Each cascade's layer in its texture."""
        return tuple(place.layer for place in self.places)

    @property
    def matrices(self) -> tuple[glm.mat4, ...]:
        """Of each cascade."""
        return tuple(cascade.matrix for cascade in self.cascades)

    @property
    def texels(self) -> tuple[float, ...]:
        """Of each cascade, in metres."""
        return tuple(cascade.texel for cascade in self.cascades)

    @property
    def lengths(self) -> tuple[float, ...]:
        """Of each cascade, in metres."""
        return tuple(cascade.length for cascade in self.cascades)

    @property
    def sun(self) -> glm.vec3:
        """The way the light travels, as the nearest cascade has it."""
        return self.cascades[0].sun

    @property
    def casts(self) -> int:
        """Whether there are shadows of the sun at all."""
        return int(self.cascades[0].casts)


@dataclass(frozen=True)
class ViewShape:
    """What the cascades of a view are fitted to.

    ``slope`` is the tangent of the largest angle between the viewing axis and what is seen.
    """

    position: glm.vec3
    forward: glm.vec3
    near: float
    slope: float

    @classmethod
    def of(cls, camera: CameraView) -> ViewShape:
        """Of a camera, whatever part of its picture the textures hold, and however its frustum lies."""
        shape = camera.projection
        across, up = ((1.0 + abs(shape[2][axis])) / shape[axis][axis] for axis in (0, 1))
        return cls(camera.position, camera.forward, camera.near, math.hypot(across, up))


@dataclass(frozen=True)
class Sun:
    """``direction`` is the way the light travels, of unit length."""

    direction: glm.vec3
    casts: bool = True


def next_cascades(
    before: ShadowCascades | None, view: ViewShape, sun: Sun, settings: ShadowSettings, frame: int
) -> ShadowCascades:
    """The cascades of a frame: those of the frame before, as far as they need not be drawn anew.

    A cascade is due when its turn has come, and at once when the view's slice has left what it covers, when the sun
    has turned, and when it begins or ceases to cast shadows.
    """
    ends = split_distances(view.near, settings.distance, settings.split)
    cascades = []
    for number, (start, end, rate) in enumerate(zip((view.near, *ends), ends, rates(settings), strict=False)):
        along, radius = bounding_sphere(start, end, view.slope)
        center = view.position + view.forward * along
        old = before.cascades[number] if before is not None else None
        # The phases of different rates are different, as far as they can be.
        turn = frame % rate == number % rate
        if old is None or turn or not old.covers(center, radius) or _has_changed(old, sun):
            spare = 1.0 + SPARE if rate > 1 else 1.0
            old = _placed(center, radius * spare, sun, settings, frame)
        cascades.append(old)
    return ShadowCascades(tuple(cascades), map_places(settings), ends[-1])


def _has_changed(old: Cascade, sun: Sun) -> bool:
    return old.casts is not sun.casts or glm.dot(old.sun, sun.direction) < _TURNED


def _placed(center: glm.vec3, radius: float, sun: Sun, settings: ShadowSettings, frame: int) -> Cascade:
    """The box around a sphere, moved by less than a texel so that texels stay where they are in the world."""
    axis = glm.vec3(0.0, 0.0, 1.0) if abs(sun.direction.y) > 0.99 else glm.vec3(0.0, 1.0, 0.0)
    turn = glm.lookAt(glm.vec3(0.0), sun.direction, axis)
    texel = 2.0 * radius / settings.size
    middle = transform_point(turn, center)
    middle.x = math.floor(middle.x / texel) * texel
    middle.y = math.floor(middle.y / texel) * texel
    behind = radius * (1.0 + BEHIND)
    length = behind + radius + settings.casters
    # Orthographic and reversed: depth 1 at ``casters`` metres before the sphere, 0 behind it.
    projection = matrix_of_columns(
        (1.0 / radius, 0.0, 0.0, 0.0),
        (0.0, 1.0 / radius, 0.0, 0.0),
        (0.0, 0.0, 1.0 / length, 0.0),
        (-middle.x / radius, -middle.y / radius, (behind - middle.z) / length, 1.0),
    )
    return Cascade(multiply(projection, turn), center, radius, texel, length, sun.direction, sun.casts, frame)


def split_distances(near: float, far: float, weight: float) -> tuple[float, ...]:
    """Ends of the cascades: a mix of even and exponential steps (Zhang et al. 2006)."""
    near = max(near, 0.5)
    ends = []
    for number in range(1, CASCADES + 1):
        share = number / CASCADES
        even = near + (far - near) * share
        exponential = near * (far / near) ** share
        ends.append(even + (exponential - even) * weight)
    return tuple(ends)


def bounding_sphere(near: float, far: float, slope: float) -> tuple[float, float]:
    """Distance of the centre along the view axis, and radius, of the smallest sphere around a slice of the view.

    ``slope`` is the tangent of the half angle across the picture's diagonal.
    """
    square = slope * slope
    if square >= (far - near) / (far + near):
        return far, far * slope
    radius = 0.5 * math.sqrt((far - near) ** 2 + 2 * (far**2 + near**2) * square + (far + near) ** 2 * square**2)
    return 0.5 * (far + near) * (1.0 + square), radius
