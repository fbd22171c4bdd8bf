"""Handles, through which a node reaches the physical resources of its requests while it executes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from renderwright.render.errors import GraphError, SourceLocation
from renderwright.render.graph.blob_cell import BlobCell
from renderwright.render.graph.requests import PipelineRequest
from renderwright.render.graph.source import caller_location
from renderwright.render.sync.flags import Layout
from renderwright.render.types.physical import BufferInfo, Physical, PhysicalBuffer, PhysicalTexture, TextureInfo
from renderwright.render.types.resources import Extent


@dataclass
class BoundResource:
    """The resources behind a handle while one node instance executes.

    ``physicals`` holds one resource, or all of a gather request in index order. ``layouts`` are the layouts of its
    textures while the node runs, UNDEFINED for resources that the device does not access. ``valid`` is False for a
    history without a previous frame. ``looked_at`` is set when the node reads a blob's value. In a node that draws
    several views at once, a blob with a value ``of_each`` view has one cell a view.
    """

    physicals: tuple[Physical, ...] = ()
    cells: tuple[BlobCell, ...] = ()
    valid: bool = True
    looked_at: bool = False
    of_each: bool = False
    layouts: tuple[Layout, ...] = ()


class ResourceHandle:
    """A resource as seen by one node. Its physical side exists only while the node's execute function runs."""

    def __init__(self, name: str, source: SourceLocation) -> None:
        self._name = name
        self._source = source
        self._bound: BoundResource | None = None

    def bind_physical(self, bound: BoundResource | None) -> None:
        """Called by the runtime around the execute function."""
        self._bound = bound

    def _now(self) -> BoundResource:
        if self._bound is None:
            raise GraphError(
                f'the handle of "{self._name}" was used outside its node\'s execute function',
                hint="declare only states requests; use handles inside the execute function that declare returns",
                where=caller_location(),
            )
        return self._bound

    def _physical(self) -> Physical:
        bound = self._now()
        if bound.cells:
            raise GraphError(
                f'"{self._name}" is a blob, which has no GPU resource',
                hint="a blob has only .value and .values",
                where=caller_location(),
            )
        if not bound.physicals:
            raise self._absence()
        return bound.physicals[0]

    def _absence(self) -> GraphError:
        return GraphError(
            f'"{self._name}" is absent here',
            hint="the frame has no such resource; check .present first",
            where=caller_location(),
        )

    @property
    def present(self) -> bool:
        """Whether an optional request found its resource; True for every other request."""
        bound = self._now()
        return bool(bound.physicals or bound.cells)

    @property
    def valid(self) -> bool:
        """False for a history without a previous frame; True for every other request."""
        return self._now().valid

    @property
    def texture(self) -> PhysicalTexture:
        """The texture, for ``cmd.recorder``; ``GraphError`` for a buffer, a blob or what is absent."""
        physical = self._physical()
        if not isinstance(physical.info, TextureInfo):
            raise GraphError(
                f'"{self._name}" is a buffer, not a texture', hint="a buffer has only .buffer", where=caller_location()
            )
        return physical

    @property
    def layout(self) -> Layout:
        """The layout of the texture, or of the requested part of it, while the node runs.

        Nodes that record their own copies and clears pass it to the command.
        """
        info = self._physical().info
        if not isinstance(info, TextureInfo):
            raise GraphError(f'"{self._name}" is a buffer, which has no layout', where=caller_location())
        return self._now().layouts[0]

    @property
    def buffer(self) -> PhysicalBuffer:
        """The buffer; ``GraphError`` for a texture, a blob or what is absent."""
        physical = self._physical()
        if not isinstance(physical.info, BufferInfo):
            raise GraphError(
                f'"{self._name}" is a texture, not a buffer', hint="use .texture, or .extent", where=caller_location()
            )
        return physical

    @property
    def all(self) -> tuple[Physical, ...]:
        """Every physical resource of a gather request, in index order."""
        return self._now().physicals

    @property
    def extent(self) -> Extent:
        """Width and height of the texture, in texels."""
        info = self.texture.info
        return info.extent

    def _cell(self) -> BlobCell:
        bound = self._now()
        if bound.physicals:
            kind = "texture" if isinstance(bound.physicals[0].info, TextureInfo) else "buffer"
            raise GraphError(
                f'"{self._name}" is a {kind}, which has no value: only blobs have one',
                hint=f"shaders read a {kind}; .present says whether it is there, .valid whether a history has a frame",
                where=caller_location(),
            )
        if not bound.cells:
            raise self._absence()
        return bound.cells[0]

    @property
    def value(self) -> Any:
        """The CPU value of a blob; ``GraphError`` where each of several views has its own."""
        if self._now().of_each:
            raise GraphError(
                f'there is a "{self._name}" for each of the views that the node is drawn for at once',
                hint="use .values, which has one for each view",
                where=caller_location(),
            )
        self._now().looked_at = True
        return self._cell().value

    @value.setter
    def value(self, value: Any) -> None:
        self._cell().value = value

    @property
    def values(self) -> list[Any]:
        """All values of a gathered blob, in index order; in a node that draws several views at once, one a view."""
        self._now().looked_at = True
        return [cell.value for cell in self._now().cells]


class PipelineHandle:
    """A pipeline that a node requested; an argument of the draw and dispatch commands."""

    def __init__(self, number: int, request: PipelineRequest) -> None:
        self.number = number
        self.request = request
