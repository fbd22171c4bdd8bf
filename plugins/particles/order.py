"""Nodes that sort the particles of a view from back to front: a radix sort by depth, which is stable.

Only scenes with blended particles have them. A key has 16 bits, of which each pass sorts by ``_DIGIT_BITS``: it counts
the digits of each workgroup's keys, sums up the counts, and moves the keys to their places (Satish, Harris and Garland
2009).
"""

from __future__ import annotations

from renderwright.engine.plugins import PluginGraph
from renderwright.engine.renderer.blobs import CameraView
from renderwright.plugins.particles.state import STATE
from renderwright.plugins.particles.table import BLENDED, NAME
from renderwright.render import Buffer, Commands, Declare, Execute, PipelineHandle, Registry

ORDER = "particles/order"
"""The places of a view's particles from back to front."""

GROUP = 256
"""Keys that a workgroup has, and values of a digit, as in ``sorting.glsl``."""

_DIGIT_BITS = 8
_KEYS = "particles/keys"
_HALF_SORTED = "particles/half_sorted"
_COUNTS = ("particles/low_digits", "particles/high_digits")


def add_order(graph: PluginGraph) -> None:
    """Register the nodes."""
    graph.add_node("find_depths", find_depths)
    graph.add_node("count_low", _count(_KEYS, 0))
    graph.add_node("sum_low", _sum(0))
    graph.add_node("sort_low", _sort(_KEYS, _HALF_SORTED, 0))
    graph.add_node("count_high", _count(_HALF_SORTED, 1))
    graph.add_node("sum_high", _sum(1))
    graph.add_node("sort_high", _sort(_HALF_SORTED, ORDER, 1))


def find_depths(reg: Registry) -> Execute:
    """Find the key of each place: the depth in a player's whole view, which its eyes and tiles share."""
    reg.read(BLENDED, bool)
    reg.read(NAME).storage_read("compute").bind("emitters")
    reg.read(STATE).storage_read("compute").bind("state")
    reg.read("view_camera", CameraView).bind("camera")
    reg.create(_KEYS, Buffer(8, reg.resolution(NAME))).storage_write("compute").bind("keys")
    return _run(reg, reg.compute("particles_depths.comp"))


def _count(keys: str, digit: int) -> Declare:
    """Declare function of a node that counts how often each workgroup has each value of a digit."""

    def declare(reg: Registry) -> Execute:
        reg.read(keys).storage_read("compute").bind("keys")
        reg.create(_COUNTS[digit], Buffer(4, reg.resolution(NAME))).storage_write("compute").bind("counts")
        return _run(reg, reg.compute("particles_count.comp", defines={"SHIFT": digit * _DIGIT_BITS}))

    return declare


def _sum(digit: int) -> Declare:
    """Declare function of a node that turns the counts into the first places of each workgroup's digits."""

    def declare(reg: Registry) -> Execute:
        reg.modify(_COUNTS[digit]).storage("compute").bind("counts")
        pipeline = reg.compute("particles_sum.comp")
        reg.stable()
        return lambda cmd: cmd.dispatch(pipeline, (GROUP, 1))

    return declare


def _sort(keys: str, result: str, digit: int) -> Declare:
    """Declare function of a node that moves keys to their places."""

    def declare(reg: Registry) -> Execute:
        reg.read(keys).storage_read("compute").bind("keys")
        reg.read(_COUNTS[digit]).storage_read("compute").bind("counts")
        reg.create(result, Buffer(8, reg.resolution(NAME))).storage_write("compute").bind("sorted_keys")
        return _run(reg, reg.compute("particles_sort.comp", defines={"SHIFT": digit * _DIGIT_BITS}))

    return declare


def _run(reg: Registry, pipeline: PipelineHandle) -> Execute:
    """Run a pipeline for each place of a particle."""
    reg.stable()

    def execute(cmd: Commands) -> None:
        cmd.dispatch(pipeline, cmd.resolution(NAME))

    return execute
