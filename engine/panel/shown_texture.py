"""A texture of the frame that a user looks at, and the nodes that copy what is seen of it to a texture of the panel."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from renderwright.render.compiler.values.plan import Plan
from renderwright.render.compiler.values.resolved import LogicalResource
from renderwright.render.graph.commands import Commands
from renderwright.render.graph.declare import Execute
from renderwright.render.graph.frame_graph import FrameGraph
from renderwright.render.graph.registry import Registry
from renderwright.render.types.resources import Extent, Texture

PICTURE = "panel_picture"
"""The panel's texture."""
GLSL = Path(__file__).parent / "glsl"
_MAKER, _COPY = "panel picture", "panel copy"
PICTURE_EXTENT: Extent = (640, 400)
_MOST_ZOOM = 64.0
_UNSEEN_KINDS = ("uint", "sint")
"""Formats of these kinds have no values between black and white."""


@dataclass(frozen=True)
class TextureName:
    """A name of a texture in a plan."""

    name: str
    format: str
    mips: int
    layers: int
    dimensions: tuple[str, ...]


@dataclass
class ShownTexture:
    """Which part of the texture of that ``name`` is shown, and how; '' for no texture.

    Values from ``lowest`` to ``highest`` go from black to white. ``channel`` is -1 for colours. ``center`` is in uv.
    """

    name: str = ""
    channel: int = -1
    lowest: float = 0.0
    highest: float = 1.0
    mip: int = 0
    layer: int = 0
    zoom: float = 1.0
    center: tuple[float, float] = (0.5, 0.5)
    index: dict[str, int] = field(default_factory=dict)

    def part(self) -> tuple[tuple[float, float], tuple[float, float]]:
        """The part that is seen: its corner and its size, in uv."""
        size = 1.0 / max(1.0, self.zoom)
        corner = tuple(min(max(0.0, each - size / 2.0), 1.0 - size) for each in self.center)
        return (corner[0], corner[1]), (size, size)

    def magnify(self, factor: float, place: tuple[float, float]) -> None:
        """See a smaller part by that factor, 64 times the texture at most; the place in uv stays where it is seen."""
        (left, top), (before, _) = self.part()
        self.zoom = min(_MOST_ZOOM, max(1.0, self.zoom * factor))
        size = 1.0 / self.zoom
        x, y = place
        self.center = (x + (left + before / 2.0 - x) * size / before, y + (top + before / 2.0 - y) * size / before)

    def join(self, graph: FrameGraph, texture: TextureName) -> None:
        """Show a texture: add the nodes to the graph, or replace them."""
        self.name = texture.name
        graph.add_node(_MAKER, self.declare_picture)
        graph.add_node(_COPY, partial(self.declare_copy, layers=texture.layers), shader_paths=(GLSL,))

    def leave(self, graph: FrameGraph) -> None:
        """Show nothing any more: remove the nodes, if they are there."""
        self.name = ""
        for node in (_COPY, _MAKER):
            if node in graph.node_names:
                graph.remove_node(node)

    def declare_picture(self, reg: Registry) -> Execute:
        """Create the panel's texture."""
        reg.create(PICTURE, Texture("rgba8_srgb", PICTURE_EXTENT)).color(clear=(0.0, 0.0, 0.0, 1.0))
        reg.stable()

        def execute(cmd: Commands) -> None:
            """Do nothing: the texture is cleared."""

        return execute

    def declare_copy(self, reg: Registry, *, layers: int) -> Execute:
        """Draw what is seen. The node is repeated as the texture is; the instance of ``index`` draws."""
        reg.modify(PICTURE).color()
        texture = reg.read(f"/{self.name}").optional().sampled(filter="nearest").bind("shown_texture")
        pipeline = reg.graphics("panel_picture.frag", defines={"ARRAY": int(layers > 1)})

        def execute(cmd: Commands) -> None:
            wanted = all(self.index.get(dimension, 0) == number for dimension, number in cmd.index.items())
            if texture.present and wanted:
                corner, part = self.part()
                cmd.draw(
                    pipeline,
                    corner=corner,
                    part=part,
                    lowest=self.lowest,
                    highest=self.highest if self.highest != self.lowest else self.lowest + 1e-6,
                    channel=self.channel,
                    mip=self.mip,
                    layer=self.layer,
                )

        return execute


def texture_names(plan: Plan) -> dict[str, TextureName]:
    """All names of textures in a plan that can be shown, sorted."""
    found = {each.name: each for resource in plan.resolved.resources for each in _names(resource)}
    return {name: found[name] for name in sorted(found)}


def _names(resource: LogicalResource) -> Iterator[TextureName]:
    desc = resource.desc
    if not isinstance(desc, Texture) or desc.samples > 1 or desc.format.endswith(_UNSEEN_KINDS):
        return
    if resource.external or resource.root == PICTURE:
        return
    for name in resource.names:
        yield TextureName(name, desc.format, desc.mips, desc.layers, tuple(sorted(resource.mode)))
