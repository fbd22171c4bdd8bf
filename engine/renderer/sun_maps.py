"""The sun's shadow maps, for nodes that ask whether the sun reaches a point that is not in the picture's depth, and for
nodes whose geometry casts shadows."""

from __future__ import annotations

from dataclasses import dataclass

from pyglm import glm

from renderwright.render.errors import GraphError
from renderwright.render.graph.given_rates import give_rate
from renderwright.render.graph.handles import ResourceHandle
from renderwright.render.graph.registry import Registry

SUN_MAPS = "sun_maps"
"""Name of the blob. The textures are ``sun_maps_0`` to ``sun_maps_3``, arrays of layers in reversed depth."""
_TEXTURES = 4

SUN_MAP_PLACES = "sun_map_places"
"""Name of the fact that a plugin of shadows states: a ``SunMapPlace`` for each map. Without it all maps are layers of
``sun_maps_0`` and are drawn in every frame."""


@dataclass(frozen=True)
class SunMaps:
    """The blob ``sun_maps``, which a plugin of shadows creates. Its members fill the block of ``sun_maps.glsl``.

    There are four maps, the first of which are nearest and finest. ``matrices`` transform world space to a map's clip
    space, in which depth 1 is towards the sun. ``textures`` and ``layers`` say where a map lies. ``casts`` is 0 if the
    sun casts no shadows; then the maps are empty.
    """

    matrices: tuple[glm.mat4, ...]
    textures: tuple[int, ...]
    layers: tuple[int, ...]
    casts: int


NO_SUN_MAPS = SunMaps((glm.mat4(1.0),) * _TEXTURES, (0,) * _TEXTURES, (0,) * _TEXTURES, 0)
"""Where no plugin creates any; the textures have one texel then, and no point is within their edges."""


def request_sun_maps(reg: Registry, stage: str = "compute") -> None:
    """Request what ``sun_maps.glsl`` reads, for a compute or ``fragment`` shader. Without shadows the sun reaches all
    points.
    """
    __tracebackhide__ = True
    reg.read(SUN_MAPS, SunMaps).optional(otherwise=NO_SUN_MAPS)
    for number in range(_TEXTURES):
        reg.read(f"{SUN_MAPS}_{number}").sampled(stage=stage, filter="nearest").optional(otherwise=0.0)


@dataclass(frozen=True)
class SunMapPlace:
    """The texture and the layer of one of the sun's maps. It is drawn when the blob ``when`` changes; '' if in every
    frame."""

    texture: int
    layer: int
    when: str = ""


_ALL_IN_ONE = tuple(SunMapPlace(0, number) for number in range(_TEXTURES))


class SunMapTarget:
    """One of the sun's maps, for an execute function that draws into it."""

    def __init__(self, number: int, maps: ResourceHandle) -> None:
        self._number = number
        self._maps = maps

    @property
    def casts(self) -> bool:
        """Whether the sun casts shadows. If not, the map stays empty."""
        __tracebackhide__ = True
        return bool(self._maps.value.casts)

    @property
    def matrix(self) -> glm.mat4:
        """From world space to the map's clip space, in which depth 1 is towards the sun."""
        __tracebackhide__ = True
        matrices: tuple[glm.mat4, ...] = self._maps.value.matrices
        return matrices[self._number]


def request_sun_map(reg: Registry, number: int) -> SunMapTarget:
    """Request one of the four maps, 0 to 3, as the depth target of a node whose geometry casts shadows.

    The node runs in the frames in which the map is drawn, so it has no rate of its own, and draws one map. Without
    shadows nobody creates the maps, and it is removed. Raises ``GraphError`` for another number, and beside a rate.
    """
    __tracebackhide__ = True
    if number not in range(_TEXTURES):
        raise GraphError(f"the sun has no map {number!r}", hint=f"request map 0 to {_TEXTURES - 1}")
    places: tuple[SunMapPlace, ...] = reg.fact(SUN_MAP_PLACES) or _ALL_IN_ONE
    place = places[number]
    give_rate(reg, f"the sun's map {number}", place.when)
    reg.modify(f"{SUN_MAPS}_{place.texture}").layer(place.layer).depth()
    return SunMapTarget(number, reg.read(SUN_MAPS, SunMaps))
