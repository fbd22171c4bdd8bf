"""Clusters of a player's view, with the lights that may reach each: nodes for scenes of many lights or of rectangles.

A cluster is a cell of the view's frustum (Olsson, Billeter and Assarsson 2012), and has a bit for each light. So there
is no largest number of lights, of the scene or of a cluster, and shaders add up lights in the order of the scene. The
clusters of a player cover all of space: eyes, samples and tiles share them.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import product

from pyglm import glm

from renderwright.engine.renderer.blobs import CameraView
from renderwright.engine.renderer.lights.area_table import AREA_TABLE, declare_area_table
from renderwright.engine.renderer.lights.light_set import FEW_LIGHTS, LightSet
from renderwright.engine.renderer.node_group import NodeGroup
from renderwright.engine.scene.algebra import transform_point
from renderwright.render.graph.commands import Commands
from renderwright.render.graph.declare import Declare, Execute
from renderwright.render.graph.frame_graph import FrameGraph
from renderwright.render.graph.registry import Registry
from renderwright.render.types.resources import Buffer

SCENE_LIGHTS = "scene_lights"
"""The rows of all local lights, which the application provides."""

CLUSTERS = "light_clusters"
"""The grid of a player's view, then the masks of its clusters; and a resolution: their words."""

PATTERNS = "light_patterns"
"""The images in the cones of spot lights, layers of a texture that a plugin makes."""

COLUMNS, ROWS, SLICES = 16, 9, 24
"""As in ``light_clusters.glsl``."""

_GRID = "light_grid"
_WORDS = "light_words"
"""The words of a cluster, a blob of its own: what clusters lights keeps its commands while the grid moves."""
_GRID_WORDS = 24
"""Words of ``LightGrid`` in the buffer, with its padding."""
_WORD_BITS = 32
_NEAREST = 256.0
"""The first slice ends at this part of the depth that the lights reach."""
_FARTHEST = 1e6
_LEAST_DEPTH = 0.01

Vec2 = tuple[float, float]


@dataclass(frozen=True)
class LightGrid:
    """The clusters of a view, as ``light_clusters.glsl`` has them."""

    right: glm.vec4
    up: glm.vec4
    ahead: glm.vec4
    low: Vec2
    high: Vec2
    first: float
    growth: float
    words: int
    lights: int
    parallel: float = 0.0

    @classmethod
    def of(cls, camera: CameraView, lights: LightSet) -> LightGrid:
        """The clusters of a camera. Their slices get longer with depth, up to where the lights end."""
        right, up, back = (_row(camera.view, axis) for axis in range(3))
        shape = camera.projection
        # The picture's offset is in the third column in perspective, and in the fourth of parallel rays.
        offset = [shape[2][axis] - shape[3][axis] for axis in (0, 1)]
        slopes = [((offset[axis] - 1.0) / shape[axis][axis], 2.0 / shape[axis][axis]) for axis in (0, 1)]
        corners = product(*zip(lights.low, lights.high, strict=True))
        deepest = max(-transform_point(camera.view, glm.vec3(*corner)).z for corner in corners)
        last = min(max(deepest, _NEAREST * max(camera.near, _LEAST_DEPTH)), _FARTHEST)
        return cls(
            right,
            up,
            -back,
            (slopes[0][0], slopes[1][0]),
            (slopes[0][0] + slopes[0][1], slopes[1][0] + slopes[1][1]),
            last / _NEAREST,
            (SLICES - 1) / math.log2(_NEAREST),
            _words(lights.total),
            lights.total,
            float(camera.height > 0.0),
        )


@dataclass(frozen=True)
class ViewLightGrid:
    """The blob ``light_grid``. Its member fills the uniform block."""

    of_view: LightGrid


class LightSwitch:
    """Has a graph cluster the lights of scenes that have many. Call ``follow`` before each frame."""

    def __init__(self, graph: FrameGraph, players: tuple[str, ...]) -> None:
        self._graph = graph
        nodes: dict[str, Declare] = {
            SCENE_LIGHTS: _provide_lights,
            _GRID: _grid_of(players),
            "cluster_lights": _cluster_lights,
            AREA_TABLE: declare_area_table,
        }
        self._nodes = NodeGroup(graph, nodes)

    def follow(self, lights: LightSet) -> None:
        """Cluster these lights if they are many or have rectangles among them, and have room for them."""
        many = lights.total > (FEW_LIGHTS // 2 if self._nodes.on else FEW_LIGHTS)
        self._nodes.switch(on=many or lights.rectangles)
        if self._nodes.on:
            words = max(1, 1 << (_words(lights.total) - 1).bit_length())
            self._graph.set_resolution(CLUSTERS, (_GRID_WORDS + COLUMNS * ROWS * SLICES * words, 1))


def request_lights(reg: Registry) -> None:
    """Request the lights of ``lighting.glsl`` for a fragment shader: the blob ``lights``, and clusters if there are.

    The table for rectangles comes with the clusters: each optional input doubles the variants of all lighting shaders.
    """
    __tracebackhide__ = True
    request_light_list(reg, "fragment")
    reg.read(AREA_TABLE).sampled(stage="fragment").optional()
    request_patterns(reg)


def request_patterns(reg: Registry) -> None:
    """Request the patterns of spot lights for a fragment shader; without a plugin that has any they are white."""
    __tracebackhide__ = True
    reg.read(PATTERNS).sampled(stage="fragment").optional(otherwise=1.0)


def request_light_list(reg: Registry, stage: str) -> None:
    """Request the lights of ``lights.glsl`` for a shader of that stage, without what lights surfaces."""
    __tracebackhide__ = True
    reg.read("lights", LightSet)
    reg.read(SCENE_LIGHTS).storage_read(stage).optional()
    reg.read(CLUSTERS).storage_read(stage).optional()


def _row(matrix: glm.mat4, number: int) -> glm.vec4:
    x, y, z, w = (column[number] for column in matrix)
    return glm.vec4(x, y, z, w)


def _words(lights: int) -> int:
    return -(-lights // _WORD_BITS)


def _provide_lights(reg: Registry) -> None:
    reg.external(SCENE_LIGHTS, Buffer(0)).storage_read("compute")


def _grid_of(players: tuple[str, ...]) -> Declare:
    """Declare function of a node that lays the clusters of a player's view."""

    def declare(reg: Registry) -> Execute:
        reg.multiplex(*players)
        camera = reg.read("view_camera", CameraView)
        lights = reg.read("lights", LightSet)
        grid = reg.create(_GRID, ViewLightGrid)
        words = reg.create(_WORDS, int)
        reg.stable()

        def execute(cmd: Commands) -> None:
            laid = LightGrid.of(camera.value, lights.value)
            grid.value, words.value = ViewLightGrid(laid), laid.words

        return execute

    return declare


def _cluster_lights(reg: Registry) -> Execute:
    """Find the lights of each cluster."""
    reg.queue("graphics", "compute")
    reg.cost(0.1)
    reg.read(SCENE_LIGHTS).storage_read("compute")
    reg.read(_GRID, ViewLightGrid).bind("light_grid_of_view")
    words = reg.read(_WORDS, int)
    reg.create(CLUSTERS, Buffer(4, reg.resolution(CLUSTERS))).storage_write("compute")
    pipeline = reg.compute("light_clusters.comp")
    reg.stable()

    def execute(cmd: Commands) -> None:
        # Also without lights, for the frames before the plan without clusters: it writes the grid.
        cmd.dispatch(pipeline, (COLUMNS * ROWS * SLICES, max(1, words.value)))

    return execute
