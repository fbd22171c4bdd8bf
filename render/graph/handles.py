"""Handles, through which a node reaches the physical resources of its requests while it executes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from renderwright.render.errors import GraphError, SourceLocation
from renderwright.render.graph.blob_cell import BlobCell
from renderwright.render.graph.requests import PipelineRequest
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
                where=self._source,
            )
        return self._bound

    def _physical(self) -> Physical:
        physicals = self._now().physicals
        if not physicals:
            raise GraphError(
                f'"{self._name}" has no GPU resource here',
                hint="an optional request may be absent (check .present); a blob has only .value",
                where=self._source,
            )
        return physicals[0]

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
            raise GraphError(f'"{self._name}" is a buffer, not a texture', where=self._source)
        return physical

    @property
    def layout(self) -> Layout:
        """The layout of the texture, or of the requested part of it, while the node runs.

        Nodes that record their own copies and clears pass it to the command.
        """
        info = self._physical().info
        if not isinstance(info, TextureInfo):
            raise GraphError(f'"{self._name}" is a buffer, which has no layout', where=self._source)
        return self._now().layouts[0]

    @property
    def buffer(self) -> PhysicalBuffer:
        """The buffer; ``GraphError`` for a texture, a blob or what is absent."""
        physical = self._physical()
        if not isinstance(physical.info, BufferInfo):
            raise GraphError(f'"{self._name}" is a texture, not a buffer', where=self._source)
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
        cells = self._now().cells
        if not cells:
            raise GraphError(f'"{self._name}" is not a blob, or is absent', where=self._source)
        return cells[0]

    @property
    def value(self) -> Any:
        """The CPU value of a blob; ``GraphError`` where each of several views has its own."""
        if self._now().of_each:
            raise GraphError(
                f'there is a "{self._name}" for each of the views that the node is drawn for at once',
                hint="use .values, which has one for each view",
                where=self._source,
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
