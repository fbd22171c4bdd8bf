"""Requests and commands shared by all nodes that draw HUDs, including plugins'."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from renderwright.engine.hud.layout import VERTEX_FLOATS
from renderwright.render.graph.commands import Commands
from renderwright.render.graph.declare import Execute
from renderwright.render.graph.handles import PipelineHandle
from renderwright.render.graph.pipeline_requests import VertexLayout
from renderwright.render.graph.registry import Registry
from renderwright.render.graph.request_builder import RequestBuilder
from renderwright.render.types.resources import Buffer, Extent, Texture

_LAYOUT = VertexLayout(
    ((0, "rg32_sfloat", 0), (1, "rg32_sfloat", 8), (2, "rgba32_sfloat", 16)),
    VERTEX_FLOATS * 4,
)


@dataclass(frozen=True)
class HudVertices:
    """The blob ``huds``: the ``huds`` of all players in one vertex buffer.

    ``vertices`` is float32 (n, 8), in the order of players. ``spans`` holds (first vertex, count) of each player. Two
    are equal if they have the same spans, on which commands depend; the vertices are in the buffer ``hud_vertices``.
    """

    vertices: NDArray[np.float32] = field(compare=False)
    spans: tuple[tuple[int, int], ...]
    huds: tuple[NDArray[np.float32], ...] = field(compare=False, default=(), repr=False)

    @classmethod
    def of(cls, huds: Sequence[NDArray[np.float32]]) -> HudVertices:
        """Concatenate the triangles of all players."""
        spans, first = [], 0
        for one in huds:
            spans.append((first, len(one)))
            first += len(one)
        if len(huds) == 1:
            return cls(huds[0], tuple(spans), tuple(huds))
        return cls(np.concatenate([np.zeros((0, VERTEX_FLOATS), np.float32), *huds]), tuple(spans), tuple(huds))

    def shows(self, huds: Sequence[NDArray[np.float32]]) -> bool:
        """Whether these are the arrays that it was made of."""
        return len(huds) == len(self.huds) and all(one is other for one, other in zip(huds, self.huds, strict=True))

    def span(self, player: int) -> tuple[int, int]:
        """The span of a player; empty without a HUD."""
        return self.spans[player] if player < len(self.spans) else (0, 0)


@dataclass(frozen=True)
class HudRequests:
    """A node's requests for the HUDs, and its pipeline."""

    huds: RequestBuilder
    vertices: RequestBuilder
    pipeline: PipelineHandle


def declare_hud_data(reg: Registry) -> Execute:
    """Declare the HUDs' textures and vertices as external resources. The application provides them."""
    reg.external("hud_atlas", Texture("r8_unorm", (1, 1))).sampled()
    reg.external("hud_images", Texture("rgba8_unorm", (1, 1))).sampled()
    reg.external("hud_vertices", Buffer(0)).vertex()
    reg.priority(1)
    reg.stable()

    def execute(cmd: Commands) -> None:
        """Do nothing. A node without an execute function is scheduled late, which would split a render pass here."""

    return execute


def request_huds(reg: Registry) -> HudRequests:
    """Request all resources for drawing HUDs. On a target cleared to 0, the result has premultiplied alpha."""
    __tracebackhide__ = True
    reg.read("hud_atlas").sampled()
    reg.read("hud_images").sampled()
    pipeline = reg.graphics("hud.frag", "hud.vert", blend="alpha", vertex_layout=_LAYOUT)
    return HudRequests(reg.read("huds", HudVertices), reg.read("hud_vertices").vertex(), pipeline)


def has_hud(requests: HudRequests, player: int) -> bool:
    """Whether a player's HUD is not empty."""
    return bool(requests.huds.value.span(player)[1])


def draw_hud(
    cmd: Commands, requests: HudRequests, player: int, extent: Extent, origin: tuple[int, int] = (0, 0)
) -> None:
    """Draw a player's HUD to a viewport of ``extent`` texels. ``origin`` is the viewport's offset within the HUD."""
    first, count = requests.huds.value.span(player)
    if count:
        cmd.vertices(requests.vertices.buffer, first * _LAYOUT.stride)
        cmd.draw(requests.pipeline, count, origin=origin, extent=extent)
