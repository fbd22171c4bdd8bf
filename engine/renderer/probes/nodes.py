"""Nodes that bake the light of a probe, in the frames in which one is due.

The faces of a cube around the probe are drawn side by side: the light of suns and lamps, and the share of all other
light that surfaces reflect. The latter is added by bounces, between surfaces in boxes of probes; others have the sky.
The filtered light of all probes is in a buffer, of which a bake writes one probe's part. Lighting nodes read it from
the texture ``probe_reflections``, a copy of the buffer: reflections, and diffuse light as the sum of some rough ones.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from renderwright.engine.renderer.environment.prefilter import FORMAT, cube, halve
from renderwright.engine.renderer.environment.textures import request_panorama
from renderwright.engine.renderer.geometry import MeshPipelines, draw_scene, request_scene
from renderwright.engine.renderer.lights.area_table import AREA_TABLE
from renderwright.engine.renderer.lights.clusters import SCENE_LIGHTS, request_patterns
from renderwright.engine.renderer.lights.light_set import LightSet
from renderwright.engine.renderer.node_group import NodeGroup
from renderwright.engine.renderer.probes.baker import ProbeBaker
from renderwright.engine.renderer.probes.probe_set import SUN_SIZE, ProbeBake, ProbeSet
from renderwright.engine.scene.material import AlphaMode
from renderwright.engine.scene.probe import MOST_PROBES, Probe
from renderwright.render.graph.commands import Commands
from renderwright.render.graph.declare import Declare, Execute
from renderwright.render.graph.frame_graph import FrameGraph
from renderwright.render.graph.registry import Registry
from renderwright.render.types.resources import Buffer, Texture

FACE = 64
"""Texels along a side of a face, as in ``probe_faces.glsl``."""
MIPS = 5
"""Of the reflections, down to 4 texels."""

_FACES = 6
_COEFFICIENTS = 9
_SIDES = tuple(FACE >> mip for mip in range(MIPS))
_TEXELS = _FACES * sum(side * side for side in _SIDES)
"""Of the reflections of a probe."""
_GROUP = 256
_PICTURES: Mapping[str, str] = {
    "probe_light": FORMAT,
    "probe_reflectance": "rgba8_unorm",
    "probe_normal": FORMAT,
}


class ProbeSwitch:
    """Has a graph bake probes while a scene has any. Call ``follow`` before each frame."""

    def __init__(self, graph: FrameGraph) -> None:
        self._baker = ProbeBaker()
        self._nodes = NodeGroup(graph, _bake_nodes(self._baker))
        masked = partial(_draw_faces, baker=self._baker, alpha="mask")
        self._masked = NodeGroup(graph, {"probe_masked_faces": masked})

    def follow(self, probes: tuple[Probe, ...], *, masked: bool) -> None:
        """Show the light of these probes, in a scene with or without surfaces that have alpha masks."""
        self._baker.follow(probes)
        self._nodes.switch(on=bool(probes))
        self._masked.switch(on=bool(probes) and masked)


def _bake_nodes(baker: ProbeBaker) -> dict[str, Declare]:
    nodes: dict[str, Declare] = {
        "probes": partial(_choose, baker=baker),
        "probe_sun": _draw_sun,
        "probe_faces": partial(_draw_faces, baker=baker),
        "probe_bounces": _bounce,
        "probe_radiance": _radiance,
    }
    for mip in range(1, FACE.bit_length()):
        nodes[f"probe_halve_{mip}"] = partial(_halve, mip=mip)
    nodes["probe_filter"] = _filter
    for mip in range(MIPS):
        nodes[f"probe_reflections_{mip}"] = partial(_reflections, mip=mip)
    return nodes


def _choose(reg: Registry, *, baker: ProbeBaker) -> Execute:
    """Create the blobs: all probes, and the one that is baked."""
    lights = reg.read("lights", LightSet)
    probes = reg.create("probes", ProbeSet)
    bake = reg.create("probe_bake", ProbeBake)
    reg.stable(baker.revision)

    def execute(cmd: Commands) -> None:
        probes.value, bake.value = baker.choose(cmd.frame, lights.value)

    return execute


def _draw_sun(reg: Registry) -> Execute:
    """Draw the shadow map of the sun around the probe."""
    reg.create("probe_sun_map", Texture("d32_sfloat", (SUN_SIZE, SUN_SIZE))).depth(clear=0.0)
    bake = reg.read("probe_bake", ProbeBake)
    reg.when("probe_bake")
    scene = request_scene(reg, materials=False)
    pipelines = MeshPipelines.declare(reg, "", "probe.vert", depth_test="greater", depth_write=True)

    def execute(cmd: Commands) -> None:
        if bake.value.sun_texel:
            matrix = bake.value.sun_matrix
            draw_scene(cmd, scene, pipelines, materials=False, shadow_casters_only=True, matrix=matrix, flatten=1)

    return execute


def _draw_faces(reg: Registry, *, baker: ProbeBaker, alpha: AlphaMode = "opaque") -> Execute:
    """Draw opaque surfaces around the probe and the sky behind them, or surfaces with alpha masks."""
    masked = alpha == "mask"
    size = (_FACES * FACE, FACE)
    for name, format_ in _PICTURES.items():
        if masked:
            reg.modify(name).color()
        else:
            reg.create(name, Texture(format_, size)).color(clear=(0.0, 0.0, 0.0, 0.0))
    if masked:
        reg.modify("probe_depth").depth()
        reg.after("probe_faces")
    else:
        reg.create("probe_depth", Texture("d32_sfloat", size)).depth(clear=0.0)
    bake = reg.read("probe_bake", ProbeBake)
    reg.when("probe_bake")
    reg.read("probes", ProbeSet)
    reg.read("probe_sun_map").sampled(filter="nearest", stage="fragment")
    reg.read("lights", LightSet)
    reg.read(SCENE_LIGHTS).storage_read("fragment").bind("every_light").optional()
    reg.read(AREA_TABLE).sampled(stage="fragment").optional()
    request_patterns(reg)
    request_panorama(reg)
    scene = request_scene(reg, alpha=alpha)
    defines = {"MASKED": 1} if masked else {}
    pipelines = MeshPipelines.declare(
        reg, "probe.frag", "probe.vert", scene=scene, defines=defines, depth_test="greater", depth_write=True
    )
    sky = None if masked else reg.graphics("probe_sky.frag", depth_test="equal")

    def execute(cmd: Commands) -> None:
        for face in range(_FACES):
            cmd.viewport(face * FACE, 0, FACE, FACE)
            draw_scene(cmd, scene, pipelines, matrix=bake.value.face(face), flatten=0)
            if sky is not None:
                cmd.draw(sky, face=face)
        if not masked:
            baker.note_drawn(bake.value)

    return execute


def _bounce(reg: Registry) -> Execute:
    """Let light bounce between surfaces, and add up what comes from all sides."""
    _request_pictures(reg)
    reg.create("probe_irradiance", Buffer(_COEFFICIENTS * 16)).storage_write("compute")
    reg.read("probe_bake", ProbeBake)
    reg.when("probe_bake")
    pipeline = reg.compute("probe_bounces.comp")

    def execute(cmd: Commands) -> None:
        cmd.dispatch(pipeline, (_GROUP, 1))

    return execute


def _radiance(reg: Registry) -> Execute:
    """Put the light of all bounces on the faces of a cube."""
    _request_pictures(reg)
    reg.read("probe_irradiance").storage_read("compute")
    reg.read("probe_bake", ProbeBake)
    reg.when("probe_bake")
    reg.create("probe_cube", cube(FACE, FACE.bit_length())).mip(0).storage_write().bind("radiance")
    pipeline = reg.compute("probe_radiance.comp")

    def execute(cmd: Commands) -> None:
        cmd.dispatch(pipeline, (FACE, FACE, _FACES))

    return execute


def _halve(reg: Registry, *, mip: int) -> Execute:
    """Downsample a mip of the cube."""
    reg.read("probe_bake", ProbeBake)
    reg.when("probe_bake")
    return halve(reg, mip=mip, name="probe_cube", node="probe_halve")


def _filter(reg: Registry) -> Execute:
    """Filter the cube for each roughness, into the probe's part of the buffer."""
    reg.read("probe_cube").sampled().bind("radiance")
    reg.create("probe_store", Buffer(MOST_PROBES * _TEXELS * 8)).storage_write("compute")
    reg.read("probe_bake", ProbeBake)
    reg.when("probe_bake")
    pipeline = reg.compute("probe_filter.comp")

    def execute(cmd: Commands) -> None:
        for mip, side in enumerate(_SIDES):
            roughness = mip / (MIPS - 1)
            cmd.dispatch(pipeline, (side, side, _FACES), roughness=roughness, side=side, first=_first(mip))

    return execute


def _reflections(reg: Registry, *, mip: int) -> Execute:
    """Copy a mip of all probes' reflections to the texture."""
    reg.read("probe_store").storage_read("compute")
    reg.read("probes", ProbeSet)
    reg.read("probe_bake", ProbeBake)
    reg.when("probe_bake")
    layers = Texture(FORMAT, (FACE, FACE), mips=MIPS, layers=MOST_PROBES * _FACES, cube=True)
    request = reg.modify("probe_reflections") if mip else reg.create("probe_reflections", layers)
    request.mip(mip).storage_write().bind("result")
    if mip:
        reg.after(f"probe_reflections_{mip - 1}")
    pipeline = reg.compute("probe_reflections.comp")
    side = _SIDES[mip]

    def execute(cmd: Commands) -> None:
        cmd.dispatch(pipeline, (side, side, MOST_PROBES * _FACES), side=side, first=_first(mip))

    return execute


def _request_pictures(reg: Registry) -> None:
    for name in _PICTURES:
        reg.read(name).sampled(filter="nearest", stage="compute")


def _first(mip: int) -> int:
    """The first texel of a mip in a probe's part of the buffer."""
    return _FACES * sum(side * side for side in _SIDES[:mip])
