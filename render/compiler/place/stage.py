"""place: the size of every resource, and its place in memory."""

from __future__ import annotations

from collections.abc import Callable

from renderwright.render.compiler.diagnostics.findings import Problem, Severity
from renderwright.render.compiler.place.description import describe
from renderwright.render.compiler.place.heaps import pack_heaps
from renderwright.render.compiler.resources.requirements import Requirements
from renderwright.render.compiler.values.options import CompileOptions
from renderwright.render.compiler.values.placement import PlacedResource, Placement
from renderwright.render.graph.resolutions import ResolutionValues, resolution_values
from renderwright.render.graph.snapshot import SizeInputs
from renderwright.render.memory.needs import MemoryModel


def place(
    requirements: Requirements,
    sizes: SizeInputs,
    options: CompileOptions,
    model: MemoryModel,
    between: Callable[[], None] = lambda: None,
) -> Placement:
    """Gives every resource its description, and each copy that the graph owns a place in a heap.

    Live ranges follow the cyclic time of two frames. ``between`` is called between steps of the packer.
    Raises ``CompileError`` for a size that cannot be resolved.
    """
    resolutions = resolution_values(sizes.resolutions)
    descriptions = describe(requirements.resources, resolutions, dict(sizes.external_formats), model)
    packed = pack_heaps(requirements, descriptions, options, between)
    placed = []
    for resource, description in zip(requirements.resources, descriptions, strict=True):
        name, needs = resource.item.id, description.needs
        placed.append(
            PlacedResource(
                name,
                description.info,
                needs.size if needs else 0,
                needs.alignment if needs else 0,
                packed.copies.get(name, ()),
                resource.has_history,
                resource.first,
                resource.kept,
            )
        )
    return Placement(tuple(placed), packed.heaps, tuple(resolutions.extents.items()), _notes(resolutions))


def _notes(resolutions: ResolutionValues) -> tuple[Problem, ...]:
    """A note for each resolution without a value; with a texture of that size, it is an error instead."""
    return tuple(
        Problem(Severity.NOTE, "resolution", f'resolution "{name}" has no value: {failure}')
        for name, failure in resolutions.failures.items()
    )
