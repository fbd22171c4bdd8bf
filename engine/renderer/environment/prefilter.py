"""The graph that prefilters a panorama. It runs once per panorama, outside the frames.

The panorama is projected to a radiance cube with mips. From it come ``environment_specular``, a cube whose mip 0 is the
radiance and whose further mips are prefiltered for increasing roughness, and ``environment_irradiance``, a cube of
diffuse irradiance by normal. ``environment_brdf`` is the table of the BRDF's integral by angle and roughness.

Sources: Karis 2013, "Real Shading in Unreal Engine 4" (split sum); Krivanek and Colbert 2008, "Real-time Shading with
Filtered Importance Sampling" (mip levels from the solid angle of a sample).
"""

from __future__ import annotations

from functools import partial

from renderwright.render.graph.commands import Commands
from renderwright.render.graph.declare import Execute
from renderwright.render.graph.frame_graph import FrameGraph
from renderwright.render.graph.registry import Registry
from renderwright.render.types.resources import Texture

SPECULAR, IRRADIANCE, BRDF = "environment_specular", "environment_irradiance", "environment_brdf"
RESULTS = (SPECULAR, IRRADIANCE, BRDF)
IMAGE = "environment_image"
FORMAT = "rgba16_sfloat"
LARGEST_FACE = 256
SMALLEST_FACE = 16
IRRADIANCE_FACE = 16
BRDF_SIDE = 32
ROUGHEST_FACE = 4
"""Texels along a side of the mip for a roughness of 1."""


def face_size(height: int) -> int:
    """Texels along a side of a face for a panorama of ``height`` rows: a power of two, without loss of resolution."""
    wanted = 1 << (height // 2 - 1).bit_length() if height > 2 else 1
    return min(max(wanted, SMALLEST_FACE), LARGEST_FACE)


def specular_mips(face: int) -> int:
    """Number of mips of the specular cube."""
    return (face // ROUGHEST_FACE).bit_length()


def cube(face: int, mips: int) -> Texture:
    """A cube texture with ``face`` texels along a side."""
    return Texture(FORMAT, (face, face), mips=mips, layers=6, cube=True)


def results(face: int) -> dict[str, Texture]:
    """The textures of ``RESULTS`` for a radiance cube with ``face`` texels along a side."""
    return {
        SPECULAR: cube(face, specular_mips(face)),
        IRRADIANCE: cube(IRRADIANCE_FACE, 1),
        BRDF: Texture(FORMAT, (BRDF_SIDE, BRDF_SIDE)),
    }


def prefilter_graph(face: int, turn: float) -> FrameGraph:
    """The graph. The application provides ``environment_image`` and keeps the results."""
    graph = FrameGraph()
    mips = face.bit_length()
    graph.add_node("image", _image)
    graph.add_node("project", partial(_project, face=face, mips=mips, turn=turn))
    for mip in range(1, mips):
        graph.add_node(f"halve_{mip}", partial(halve, mip=mip, name="radiance", node="halve"))
    for mip in range(specular_mips(face)):
        graph.add_node(f"specular_{mip}", partial(_specular, face=face, mip=mip))
    graph.add_node("irradiance", partial(_irradiance, face=face))
    graph.add_node("brdf", partial(_brdf, face=face))
    return graph


def _image(reg: Registry) -> None:
    reg.external(IMAGE, Texture(FORMAT, (1, 1))).sampled(address="repeat")


def _project(reg: Registry, *, face: int, mips: int, turn: float) -> Execute:
    """Project the panorama to the faces of a cube."""
    reg.read(IMAGE).sampled(address="repeat")
    reg.create("radiance", cube(face, mips)).mip(0).storage_write()
    pipeline = reg.compute("environment_project.comp")

    def execute(cmd: Commands) -> None:
        cmd.dispatch(pipeline, (face, face, 6), turn=turn)

    return execute


def halve(reg: Registry, *, mip: int, name: str, node: str) -> Execute:
    """Downsample a mip of the cube ``name`` from the next larger one. The nodes for each are ``NODE_MIP``."""
    reg.modify(name).mip(mip - 1).sampled().bind("above")
    target = reg.modify(name).mip(mip).storage_write().bind("radiance")
    if mip > 1:
        reg.after(f"{node}_{mip - 1}")
    pipeline = reg.compute("environment_halve.comp")

    def execute(cmd: Commands) -> None:
        cmd.dispatch(pipeline, (*target.extent, 6))

    return execute


def _specular(reg: Registry, *, face: int, mip: int) -> Execute:
    """Prefilter a mip of the specular cube for one roughness."""
    reg.read("radiance").sampled()
    mips = specular_mips(face)
    request = reg.create(SPECULAR, results(face)[SPECULAR]) if mip == 0 else reg.modify(SPECULAR)
    target = request.mip(mip).storage_write().bind("result")
    pipeline = reg.compute("environment_specular.comp")

    def execute(cmd: Commands) -> None:
        cmd.dispatch(pipeline, (*target.extent, 6), roughness=mip / max(mips - 1, 1), face=float(face))

    return execute


def _irradiance(reg: Registry, *, face: int) -> Execute:
    """Integrate the irradiance over the hemisphere of each direction."""
    coarse = face.bit_length() - IRRADIANCE_FACE.bit_length()
    reg.read("radiance").mip(coarse).sampled(filter="nearest")
    reg.create(IRRADIANCE, results(face)[IRRADIANCE]).storage_write().bind("result")
    pipeline = reg.compute("environment_irradiance.comp")

    def execute(cmd: Commands) -> None:
        cmd.dispatch(pipeline, (IRRADIANCE_FACE, IRRADIANCE_FACE, 6))

    return execute


def _brdf(reg: Registry, *, face: int) -> Execute:
    """Integrate the BRDF by angle and roughness."""
    reg.create(BRDF, results(face)[BRDF]).storage_write().bind("result")
    pipeline = reg.compute("environment_brdf.comp")

    def execute(cmd: Commands) -> None:
        cmd.dispatch(pipeline, (BRDF_SIDE, BRDF_SIDE))

    return execute
