"""Which triangle of a scene a ray meets first."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from pyglm import glm

from renderwright.engine.animation.poses import NO_POSES, Poses
from renderwright.engine.scene.arrangement import Arrangement
from renderwright.engine.scene.camera import Ray
from renderwright.engine.scene.deformation import DeformedMesh
from renderwright.engine.scene.entity import Entity
from renderwright.engine.scene.layers import ALL_LAYERS
from renderwright.engine.scene.mesh import Mesh
from renderwright.engine.scene.world_bounds import WorldBounds


class Hit(NamedTuple):
    """The entity that a ray meets first, the point in world space, and its distance from the ray's origin in metres."""

    entity: Entity
    position: glm.vec3
    distance: float


Vectors = NDArray[np.float64]


def sphere_entries(origin: Vectors, direction: Vectors, centers: Vectors, radii: Vectors) -> Vectors:
    """The distances (n,) at which a ray enters spheres, 0 inside of one and infinite where it misses."""
    to_center = centers - origin
    nearest = to_center @ direction
    # How deep the ray is in the sphere where it is nearest to the centre, squared.
    depth = radii**2 - (np.einsum("ij,ij->i", to_center, to_center) - nearest**2)
    half = np.sqrt(np.maximum(depth, 0.0))
    return np.where((depth >= 0.0) & (nearest + half >= 0.0), np.maximum(nearest - half, 0.0), np.inf)


def first_triangle(
    mesh: Mesh, positions: NDArray[np.float32], model: Vectors, origin: Vectors, direction: Vectors, *, both_sides: bool
) -> float:
    """The distance at which a ray meets a mesh with a model matrix (column-major), infinite if it does not.

    ``positions`` (n, 3) are those of its vertices. Back faces count if ``both_sides``. By Moeller and Trumbore, "Fast,
    Minimum Storage Ray-Triangle Intersection" (1997), for all triangles at once.
    """
    axes = model[:3, :3]
    turned = np.linalg.det(axes)
    if turned == 0.0:
        return np.inf
    back = np.linalg.inv(axes)
    start, along = (origin - model[3, :3]) @ back, direction @ back
    corners = positions[mesh.indices].reshape(-1, 3, 3).astype(np.float64)
    edge_a, edge_b = corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    across = np.cross(along, edge_b)
    facing = np.einsum("ij,ij->i", edge_a, across)
    with np.errstate(divide="ignore", invalid="ignore"):
        scale = 1.0 / facing
        from_corner = start - corners[:, 0]
        u = np.einsum("ij,ij->i", from_corner, across) * scale
        sideways = np.cross(from_corner, edge_a)
        v = sideways @ along * scale
        distance = np.einsum("ij,ij->i", edge_b, sideways) * scale
        met = (u >= 0.0) & (v >= 0.0) & (u + v <= 1.0) & (distance >= 0.0)
    met &= (facing != 0.0) if both_sides else (facing * turned > 0.0)
    return float(distance[met].min(initial=np.inf))


def first_met(
    ray: Ray,
    arrangement: Arrangement,
    bounds: WorldBounds,
    layers: int = ALL_LAYERS,
    poses: Callable[[], Poses] = lambda: NO_POSES,
) -> tuple[int | None, float]:
    """The place in the arrangement of the entity that a ray meets first, and the distance; None if there is none.

    ``poses`` returns those of characters.
    """
    origin, direction = (np.array(vector.to_tuple(), np.float64) for vector in ray)
    entries = sphere_entries(origin, direction, bounds.centers.astype(np.float64), bounds.radii.astype(np.float64))
    candidates = np.flatnonzero(np.isfinite(entries))
    found, nearest = None, np.inf
    for place in candidates[np.argsort(entries[candidates], kind="stable")].tolist():
        if entries[place] > nearest:
            break
        batch = arrangement.batch_at(place)
        if batch.layers & layers:
            model, both_sides = bounds.models[place].astype(np.float64), batch.material.double_sided
            mesh = batch.mesh
            positions = mesh.moved_positions(poses()) if isinstance(mesh, DeformedMesh) else mesh.positions
            distance = first_triangle(mesh, positions, model, origin, direction, both_sides=both_sides)
            if distance < nearest:
                found, nearest = place, distance
    return found, nearest
