"""What nodes request to draw surfaces beyond metal and roughness, and the shader variants that do."""

from __future__ import annotations

from collections.abc import Sequence

from renderwright.engine.renderer.surface_kinds import SurfaceKind
from renderwright.engine.renderer.surface_variants import SURFACE_FACT, SurfaceVariant, UsedSurfaces
from renderwright.engine.scene.material import AlphaMode
from renderwright.render.graph.registry import Registry
from renderwright.render.types.resources import Buffer

Surfaces = Sequence[SurfaceKind]

PLAIN: Surfaces = ("plain",)

ATTRIBUTES, LAYERS = "scene_attributes", "scene_layers"
"""The buffers of vertex attributes that only some meshes have, and of the layers of materials."""

SURFACE_ROWS = "scene_surfaces"
"""The buffer of what surface functions read."""


def declare_surface_buffers(reg: Registry) -> None:
    """Declare the buffers as external resources. The application provides them."""
    reg.external(ATTRIBUTES, Buffer(0)).storage_read(stage="vertex")
    reg.external(LAYERS, Buffer(0)).storage_read(stage="fragment")
    reg.priority(1)


def request_surfaces(reg: Registry, surfaces: Surfaces, *, layers: bool = False) -> dict[str, int]:
    """Request the buffers for surfaces of these kinds; returns the defines of their shaders.

    Plain surfaces need none. With ``layers`` the shader is lit with the layers of materials.
    """
    __tracebackhide__ = True
    defines: dict[str, int] = {}
    if surfaces != PLAIN:
        reg.read(ATTRIBUTES).storage_read(stage="vertex")
        defines["ATTRIBUTES"] = 1
    if layers:
        reg.read(LAYERS).storage_read(stage="fragment")
        defines["LAYERED"] = 1
    return defines


def declare_surface_rows(reg: Registry) -> None:
    """Declare what surface functions read as an external resource. The application provides it."""
    reg.external(SURFACE_ROWS, Buffer(0)).storage_read(stage="fragment")
    reg.priority(1)


def request_variants(reg: Registry, alpha: AlphaMode, surfaces: Surfaces) -> tuple[SurfaceVariant, ...]:
    """The variants for the surface functions that the scene has among surfaces of these kinds and of an alpha mode.

    If there are any, what they read is requested.
    """
    __tracebackhide__ = True
    used: UsedSurfaces | None = reg.fact(SURFACE_FACT)
    variants = used.of(alpha, surfaces) if used is not None else ()
    if variants:
        reg.read(SURFACE_ROWS).storage_read(stage="fragment")
    return variants


def request_any_surfaces(reg: Registry) -> None:
    """Request the buffers for a node that draws surfaces of all kinds by one pipeline, where a scene has such.

    Shaders then see ``HAS_SCENE_ATTRIBUTES`` and ``HAS_SCENE_LAYERS``.
    """
    __tracebackhide__ = True
    reg.read(ATTRIBUTES).storage_read(stage="vertex").optional()
    reg.read(LAYERS).storage_read(stage="fragment").optional()
