"""The physical description of each resource, and the memory that it needs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from renderwright.render.compiler.resources.requirements import ResourceRequirements
from renderwright.render.compiler.values.instances import ResourceInstance
from renderwright.render.errors import BackendError, CompileError, DeviceLostError, OutOfMemoryError
from renderwright.render.graph.resolutions import ResolutionValues, mips_within, scaled
from renderwright.render.memory.needs import MemoryModel, MemoryNeeds
from renderwright.render.suggest import did_you_mean
from renderwright.render.types.physical import BufferInfo, PhysicalInfo, TextureInfo
from renderwright.render.types.resources import Buffer, Extent, Resolution, Texture


@dataclass(frozen=True, slots=True)
class Description:
    """A resource before packing.

    ``info`` is None for a blob. ``needs`` is None for whatever takes no memory of the graph: blobs, external resources,
    and resources that no node uses.
    """

    info: PhysicalInfo | None = None
    needs: MemoryNeeds | None = None


_NO_DESCRIPTION = Description()

LARGEST = 1 << 47
"""Bytes that a process can address; no device has a larger resource."""


def describe(
    resources: Sequence[ResourceRequirements],
    resolutions: ResolutionValues,
    formats: Mapping[str, str],
    model: MemoryModel,
) -> list[Description]:
    """The description of each resource, in order.

    ``formats`` are those of external textures, by name. The model is asked once for each distinct description. Raises
    ``CompileError`` for a size that cannot be resolved.
    """
    known: dict[object, Description] = {}
    found = []
    for resource in resources:
        item = resource.item
        # The format of an external texture depends on its name.
        name = item.id if item.resource.external else ""
        key = (name, item.resource.desc, resource.owned, resource.usages, resource.transient, resource.concurrent)
        description = known.get(key)
        if description is None:
            description = known[key] = _description(resource, resolutions, formats, model)
        found.append(description)
    return found


def _description(
    resource: ResourceRequirements, resolutions: ResolutionValues, formats: Mapping[str, str], model: MemoryModel
) -> Description:
    desc = resource.item.resource.desc
    if isinstance(desc, Texture):
        extent = _extent(resource.item, desc, resolutions)
        texture = TextureInfo(
            _format(resource.item, desc, formats),
            extent,
            mips_within(extent, desc.mips),
            desc.layers,
            desc.samples,
            resource.usages,
            resource.transient,
            resource.concurrent,
            desc.cube,
        )
        with _of_creator(resource.item):
            return Description(texture, _possible(model.texture_needs(texture)) if resource.owned else None)
    if isinstance(desc, Buffer):
        _check_size(resource.item, desc)
        width, height = _value(resource.item, desc.each, resolutions) if desc.each is not None else (1, 1)
        buffer = BufferInfo(desc.size * width * height, resource.usages, resource.concurrent)
        with _of_creator(resource.item):
            return Description(buffer, _possible(model.buffer_needs(buffer)) if resource.owned else None)
    return _NO_DESCRIPTION


def _possible(needs: MemoryNeeds) -> MemoryNeeds:
    if needs.size > LARGEST:
        raise BackendError(
            f"{needs.size} bytes are more than any device can address", hint="make it smaller; sizes are in bytes"
        )
    return needs


@contextmanager
def _of_creator(item: ResourceInstance) -> Iterator[None]:
    """Turn what the device refuses into an error of the resource's creator."""
    try:
        yield
    except (OutOfMemoryError, DeviceLostError):
        raise
    except BackendError as error:
        raise CompileError(
            f'"{item.id}" of node "{item.creator}" is impossible: {error.message}',
            hint=error.hint,
            where=item.resource.source,
            node=item.resource.creator,
        ) from error


def _format(item: ResourceInstance, desc: Texture, formats: Mapping[str, str]) -> str:
    if not item.resource.external:
        return desc.format
    return next((formats[name] for name in (item.id, *item.resource.names) if name in formats), desc.format)


def _check_size(item: ResourceInstance, desc: Buffer) -> None:
    if desc.size < 1 and not item.resource.external:
        raise CompileError(
            f'buffer "{item.id}" of node "{item.creator}" has {desc.size} bytes',
            hint="give it at least one byte",
            where=item.resource.source,
            node=item.resource.creator,
        )


def _extent(item: ResourceInstance, desc: Texture, resolutions: ResolutionValues) -> Extent:
    if not isinstance(desc.size, Resolution):
        return scaled(desc.size, 1.0)
    return _value(item, desc.size, resolutions)


def _value(item: ResourceInstance, resolution: Resolution, resolutions: ResolutionValues) -> Extent:
    name = resolution.name
    value = resolutions.extents.get(name)
    if value is None:
        failure = resolutions.failures.get(name)
        raise CompileError(
            f'{item.resource.desc.kind} "{item.id}" of node "{item.creator}" has no size: '
            + (failure or f'there is no resolution "{name}"'),
            hint=f'give "{name}", or what it follows, a size' if failure else did_you_mean(name, resolutions.extents),
            where=item.resource.source,
            node=item.resource.creator,
        )
    return scaled(value, resolution.scale)
