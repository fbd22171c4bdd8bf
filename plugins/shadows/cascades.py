"""Fitting of the cascades: a bounding sphere around each slice of the view frustum, snapped to whole texels.

The sphere's size does not depend on the camera's rotation, and it moves by whole texels, so edges do not crawl
(Valient, "Stable Rendering of Cascaded Shadow Maps", ShaderX6).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

from pyglm import glm

from renderwright.engine.renderer.blobs import CameraView
from renderwright.engine.renderer.sun_maps import SunMapPlace, SunMaps
from renderwright.engine.scene.algebra import matrix_of_columns, multiply, transform_point
from renderwright.plugins.shadows.settings import ShadowSettings

CASCADES = 4
SPARE = 0.12
"""Margin of a cascade that is not drawn in every frame, as a share of its slice's radius."""
BEHIND = 0.25
"""Depth that a map covers behind its sphere, as a share of the radius, so that it does not end within the sphere."""
_SUN_TURN_COSINE = math.cos(0.02)
"""Cosine of the angle by which the sun may turn before all cascades are redrawn."""


def rates(settings: ShadowSettings) -> tuple[int, ...]:
    """Update interval of each cascade in frames: ``settings.rate`` for the farthest, halved for each nearer one."""
    return tuple(max(1, settings.rate >> (CASCADES - 1 - number)) for number in range(CASCADES))


@dataclass(frozen=True)
class MapPlace:
    """The texture layer that holds a cascade's map. A texture holds all ``layers`` cascades of one update rate."""

    texture: int
    layer: int
    layers: int
    rate: int


def map_places(settings: ShadowSettings) -> tuple[MapPlace, ...]:
    """The place of each cascade. Cascades of different update rates need different textures."""
    return _places(rates(settings))


def sun_map_places(settings: ShadowSettings) -> tuple[SunMapPlace, ...]:
    """The same for nodes of other plugins that draw into the maps."""
    return tuple(
        SunMapPlace(place.texture, place.layer, f"shadows/cascade_{number}" if place.rate > 1 else "")
        for number, place in enumerate(map_places(settings))
    )


@lru_cache(maxsize=64)
def _places(each: tuple[int, ...]) -> tuple[MapPlace, ...]:
    known = list(dict.fromkeys(each))
    return tuple(
        MapPlace(known.index(rate), each[:number].count(rate), each.count(rate), rate)
        for number, rate in enumerate(each)
    )


@dataclass(frozen=True)
class Cascade:
    """One cascade as drawn: an orthographic box around a bounding sphere, oriented along the sunlight.

    ``matrix`` transforms world space to the cascade's clip space (depth 1 towards the sun, 0 away from it). ``center``
    and ``radius`` describe the sphere, in metres. ``texel`` is the size of a texel and ``length`` the distance from
    depth 1 to 0, both in metres. ``sun`` is the direction in which the light travels. If ``casts`` is false, the map
    stays empty. ``frame`` is the frame of the fit of a cascade that is not drawn in every frame: it makes one
    that is due unequal to the previous one.
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
        """Whether a sphere lies within the cascade's sphere, with a tolerance of two texels for the snapping."""
        return glm.distance(self.center, center) + radius <= self.radius + 2.0 * self.texel

    def is_fit_to(self, center: glm.vec3, radius: float, sun: Sun) -> bool:
        """Whether a new fit would be the same one."""
        return bool(
            self.center == center and self.radius == radius and self.casts is sun.casts and self.sun == sun.direction
        )


@dataclass(frozen=True)
class ShadowCascades:
    """The blob ``shadows/cascades``: the cascades as last drawn. Its members fill the uniform block.

    ``end`` is the distance along the view axis at which shadows end, in metres.
    """

    cascades: tuple[Cascade, ...]
    places: tuple[MapPlace, ...]
    end: float

    @property
    def maps(self) -> SunMaps:
        """What other plugins need of them."""
        return SunMaps(self.matrices, self.textures, self.layers, self.casts)

    @property
    def textures(self) -> tuple[int, ...]:
        """Texture index of each cascade."""
        return tuple(place.texture for place in self.places)

    @property
    def layers(self) -> tuple[int, ...]:
        """Texture layer of each cascade."""
        return tuple(place.layer for place in self.places)

    @property
    def matrices(self) -> tuple[glm.mat4, ...]:
        """World-to-clip matrix of each cascade."""
        return tuple(cascade.matrix for cascade in self.cascades)

    @property
    def texels(self) -> tuple[float, ...]:
        """Texel size of each cascade, in metres."""
        return tuple(cascade.texel for cascade in self.cascades)

    @property
    def lengths(self) -> tuple[float, ...]:
        """Depth range of each cascade, in metres."""
        return tuple(cascade.length for cascade in self.cascades)

    @property
    def sun(self) -> glm.vec3:
        """Direction in which the sunlight travels, as of the nearest cascade's last fit."""
        return self.cascades[0].sun

    @property
    def casts(self) -> int:
        """1 if the sun casts shadows, else 0."""
        return int(self.cascades[0].casts)


@dataclass(frozen=True)
class ViewShape:
    """The view frustum that cascades are fitted to.

    ``slope`` is the tangent of the largest angle between the view axis and a view ray. If all rays are parallel it is
    0, ``reach`` the largest distance of one from the view axis, and ``depth_range`` that of the near and far planes.
    """

    position: glm.vec3
    forward: glm.vec3
    near: float
    slope: float
    reach: float = 0.0
    depth_range: float = math.inf

    @classmethod
    def of(cls, camera: CameraView) -> ViewShape:
        """The shape of a camera's view. Handles asymmetric frusta (eyes, tiles)."""
        shape = camera.projection
        if camera.height:
            reach = math.hypot(*((1.0 + abs(shape[3][axis])) / shape[axis][axis] for axis in (0, 1)))
            return cls(camera.position, camera.forward, camera.near, 0.0, reach, 1.0 / shape[2][2])
        across, up = ((1.0 + abs(shape[2][axis])) / shape[axis][axis] for axis in (0, 1))
        return cls(camera.position, camera.forward, camera.near, math.hypot(across, up))


@dataclass(frozen=True)
class Sun:
    """The sun. ``direction`` is the unit vector in which the light travels."""

    direction: glm.vec3
    casts: bool = True


def next_cascades(
    before: ShadowCascades | None, view: ViewShape, sun: Sun, settings: ShadowSettings, frame: int
) -> ShadowCascades:
    """The cascades of a frame. Cascades that are not due keep their previous fit.

    A cascade is due at its update rate. It is also due when the view's slice leaves its sphere, when the sun has
    turned, and when the sun starts or stops casting shadows.
    """
    cascades = []
    spheres, end = _slices_of(view, settings)
    for number, ((along, radius), rate) in enumerate(zip(spheres, rates(settings), strict=True)):
        center = view.position + view.forward * along
        old = before.cascades[number] if before is not None else None
        if rate == 1:
            if old is None or not old.is_fit_to(center, radius, sun):
                old = _fitted(center, radius, sun, settings, 0)
        # Cascades of different rates get different phases where possible, to spread the work over frames.
        elif old is None or frame % rate == number % rate or not old.covers(center, radius) or _has_changed(old, sun):
            old = _fitted(center, radius * (1.0 + SPARE), sun, settings, frame)
        cascades.append(old)
    return ShadowCascades(tuple(cascades), map_places(settings), end)


def _slices_of(view: ViewShape, settings: ShadowSettings) -> tuple[tuple[tuple[float, float], ...], float]:
    if view.reach:
        return _parallel_slices(view.near, view.reach, min(settings.distance, view.depth_range))
    return _slices(view.near, view.slope, settings.distance, settings.split)


@lru_cache(maxsize=64)
def _parallel_slices(near: float, reach: float, length: float) -> tuple[tuple[tuple[float, float], ...], float]:
    """As ``_slices``, of parallel rays: slices of one length, from the near plane on."""
    thickness = length / CASCADES
    radius = math.hypot(0.5 * thickness, reach)
    return tuple((near + (number + 0.5) * thickness, radius) for number in range(CASCADES)), near + length


@lru_cache(maxsize=64)
def _slices(near: float, slope: float, distance: float, split: float) -> tuple[tuple[tuple[float, float], ...], float]:
    """The sphere around each cascade's slice (its centre's distance along the view axis, and its radius), and the end
    of the last slice."""
    ends = split_distances(near, distance, split)
    spheres = [bounding_sphere(start, end, slope) for start, end in zip((near, *ends), ends, strict=False)]
    return tuple(spheres), ends[-1]


def _has_changed(old: Cascade, sun: Sun) -> bool:
    return old.casts is not sun.casts or glm.dot(old.sun, sun.direction) < _SUN_TURN_COSINE


def _fitted(center: glm.vec3, radius: float, sun: Sun, settings: ShadowSettings, frame: int) -> Cascade:
    """The box around a sphere, snapped to whole texels so that texels keep their positions in the world."""
    axis = glm.vec3(0.0, 0.0, 1.0) if abs(sun.direction.y) > 0.99 else glm.vec3(0.0, 1.0, 0.0)
    turn = glm.lookAt(glm.vec3(0.0), sun.direction, axis)
    texel = 2.0 * radius / settings.size
    middle = transform_point(turn, center)
    middle.x = math.floor(middle.x / texel) * texel
    middle.y = math.floor(middle.y / texel) * texel
    behind = radius * (1.0 + BEHIND)
    length = behind + radius + settings.casters
    # Orthographic, reversed Z: depth 1 at ``casters`` metres in front of the sphere, 0 at ``behind`` from its centre.
    projection = matrix_of_columns(
        (1.0 / radius, 0.0, 0.0, 0.0),
        (0.0, 1.0 / radius, 0.0, 0.0),
        (0.0, 0.0, 1.0 / length, 0.0),
        (-middle.x / radius, -middle.y / radius, (behind - middle.z) / length, 1.0),
    )
    return Cascade(multiply(projection, turn), center, radius, texel, length, sun.direction, sun.casts, frame)


def split_distances(near: float, far: float, weight: float) -> tuple[float, ...]:
    """Far distances of the cascades: a blend of uniform and logarithmic splits (Zhang et al. 2006)."""
    near = max(near, 0.5)
    ends = []
    for number in range(1, CASCADES + 1):
        share = number / CASCADES
        even = near + (far - near) * share
        exponential = near * (far / near) ** share
        ends.append(even + (exponential - even) * weight)
    return tuple(ends)


def bounding_sphere(near: float, far: float, slope: float) -> tuple[float, float]:
    """Centre's distance along the view axis and radius of the smallest sphere around a frustum slice, in metres.

    ``slope`` is the tangent of half the diagonal field of view.
    """
    square = slope * slope
    if square >= (far - near) / (far + near):
        return far, far * slope
    radius = 0.5 * math.sqrt((far - near) ** 2 + 2 * (far**2 + near**2) * square + (far + near) ** 2 * square**2)
    return 0.5 * (far + near) * (1.0 + square), radius
