"""Usages of resources by nodes."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum


class Usage(StrEnum):
    """How a node uses a resource."""

    COLOR = "color"
    DEPTH = "depth"
    DEPTH_READ = "depth_read"
    SAMPLED = "sampled"
    STORAGE = "storage"
    STORAGE_READ = "storage_read"
    STORAGE_WRITE = "storage_write"
    UNIFORM = "uniform"
    VERTEX = "vertex"
    INDEX = "index"
    INDIRECT = "indirect"
    COPY_SRC = "copy_src"
    COPY_DST = "copy_dst"
    RESOLVE = "resolve"
    PRESENT = "present"
    HOST_READ = "host_read"


class ShaderStage(StrEnum):
    """A programmable stage that accesses a resource."""

    VERTEX = "vertex"
    FRAGMENT = "fragment"
    COMPUTE = "compute"


ShaderStages = tuple[ShaderStage, ...]
"""Stages in the order of the pipeline, each once."""


def in_pipeline_order(stages: Iterable[ShaderStage]) -> ShaderStages:
    """The stages in the order of the pipeline, each once."""
    given = frozenset(stages)
    return tuple([stage for stage in ShaderStage if stage in given])


ATTACHMENTS = frozenset({Usage.COLOR, Usage.DEPTH, Usage.DEPTH_READ, Usage.RESOLVE})
ONE_MIP_USAGES = ATTACHMENTS | {Usage.STORAGE, Usage.STORAGE_READ, Usage.STORAGE_WRITE}
"""A view for one of these has a single mip level."""
SHADER_USAGES = frozenset({Usage.SAMPLED, Usage.STORAGE, Usage.STORAGE_READ, Usage.STORAGE_WRITE, Usage.UNIFORM})
READ_ONLY_USAGES = frozenset(
    {
        Usage.DEPTH_READ,
        Usage.SAMPLED,
        Usage.STORAGE_READ,
        Usage.UNIFORM,
        Usage.VERTEX,
        Usage.INDEX,
        Usage.INDIRECT,
        Usage.COPY_SRC,
        Usage.PRESENT,
        Usage.HOST_READ,
    }
)


def default_stages(*, raster: bool) -> ShaderStages:
    """The default shader stages of a request: fragment in a node with attachments, else compute."""
    return (ShaderStage.FRAGMENT,) if raster else (ShaderStage.COMPUTE,)
