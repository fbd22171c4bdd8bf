"""Kinds of surfaces by the shader variant that they need."""

from __future__ import annotations

from typing import Literal, get_args

from renderwright.engine.scene.material import Material
from renderwright.engine.scene.mesh import Mesh

SurfaceKind = Literal["plain", "attributes", "layers"]
"""Metal and roughness alone; with further attributes of vertices; with layers of the material, and perhaps these."""

SURFACE_KINDS: tuple[SurfaceKind, ...] = get_args(SurfaceKind)


def surface_kind(mesh: Mesh, material: Material) -> SurfaceKind:
    """The kind of a mesh with a material."""
    if material.layered:
        return "layers"
    if mesh.colors is not None or (material.second_uv and mesh.second_uvs is not None):
        return "attributes"
    return "plain"
