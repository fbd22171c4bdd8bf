"""Variants of shaders: the combinations of defines that were requested, completed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import chain, product

from renderwright.engine.renderer.geometry import IMAGES
from renderwright.engine.renderer.lights.area_table import AREA_TABLE
from renderwright.engine.renderer.lights.clusters import CLUSTERS, SCENE_LIGHTS
from renderwright.engine.renderer.surface_requests import ATTRIBUTES, LAYERS
from renderwright.render.shaders.library import ShaderRequest
from renderwright.render.types.usages import ShaderStage

_PRESENCE = "HAS_"
_VIEWS = "VIEWS"
_TOGETHER = (
    (IMAGES,),
    ("visible_instances",),
    ("verdicts",),
    ("skinned_previous",),
    (ATTRIBUTES, LAYERS),
    (SCENE_LIGHTS, CLUSTERS, AREA_TABLE),
    (SCENE_LIGHTS, CLUSTERS),
    ("every_light", AREA_TABLE),
    ("probes", "probe_reflections"),
)
"""Resources that depend on the device and on the size of the scene, those together that exist together. Of lines with a
resource in common, a shader has the first."""

_Defines = tuple[tuple[str, str], ...]


@dataclass
class _Shader:
    """One shader of a search path. The insertion order of each dict is that of the requests.

    ``presence`` holds the combinations of ``HAS_...`` by the names of the other defines: which optional resources exist
    together depends on the graph. ``values`` holds the values of every other define, and ``views`` of ``VIEWS``;
    ``either`` has the combinations of resources that depend on the device or the scene, where a node asks for them.
    """

    example: ShaderRequest
    presence: dict[frozenset[str], dict[_Defines, None]] = field(default_factory=dict)
    values: dict[str, dict[str, None]] = field(default_factory=dict)
    views: dict[_Defines, None] = field(default_factory=lambda: {(): None})
    either: dict[_Defines, None] = field(default_factory=dict)

    def add(self, defines: _Defines) -> None:
        free = {name: value for name, value in defines if name != _VIEWS and not name.startswith(_PRESENCE)}
        names = {name for name, _ in defines}
        used = _dependent(names)
        either = set(chain.from_iterable(used))
        present = tuple((name, value) for name, value in defines if name.startswith(_PRESENCE) and name not in either)
        for values in product("01", repeat=len(used)):
            groups = zip(used, values, strict=True)
            self.either[tuple((name, value) for together, value in groups for name in together)] = None
        self.presence.setdefault(frozenset(free), {})[present] = None
        self.views[tuple(define for define in defines if define[0] == _VIEWS)] = None
        for name, value in free.items():
            self.values.setdefault(name, {})[value] = None

    def variants(self) -> Iterator[ShaderRequest]:
        for names, combinations in self.presence.items():
            free = [[(name, value) for value in self.values[name]] for name in sorted(names)]
            for presence, views, either, values in product(combinations, self.views, self.either, product(*free)):
                yield replace(self.example, defines=tuple(sorted((*presence, *views, *either, *values))))


def _dependent(names: set[str]) -> list[tuple[str, ...]]:
    """The defines of ``_TOGETHER`` that are among the names."""
    found: list[tuple[str, ...]] = []
    for together in _TOGETHER:
        defines = tuple(_PRESENCE + resource.upper() for resource in together)
        if names.issuperset(defines) and not any(set(defines) & set(others) for others in found):
            found.append(defines)
    return found


def completed(requests: Iterable[ShaderRequest]) -> list[ShaderRequest]:
    """The requests and their further variants.

    Settings are independent: each value of one combines with each of the others. Every variant may draw one view or
    several, with a table of images or without, with or without culling. A full-screen shader may be drawn or be a
    compute shader, which does one view.
    """
    shaders: dict[tuple[object, ...], _Shader] = {}
    for request in requests:
        key = (request.stage, request.file, request.search, request.fullscreen, request.srgb, request.parts)
        shaders.setdefault(key, _Shader(replace(request, node=""))).add(request.defines)
    variants = [variant for shader in shaders.values() for variant in shader.variants()]
    return list(dict.fromkeys([*variants, *(_as_compute(variant) for variant in variants if variant.fullscreen)]))


def _as_compute(variant: ShaderRequest) -> ShaderRequest:
    defines = tuple(define for define in variant.defines if define[0] != _VIEWS)
    return replace(variant, stage=ShaderStage.COMPUTE, defines=defines)
