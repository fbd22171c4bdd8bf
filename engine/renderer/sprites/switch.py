"""Adds the nodes of sprites to the graph of a scene that has any, and removes them."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from renderwright.engine.renderer.sprites.gpu_sprites import GpuSprites
from renderwright.engine.renderer.sprites.nodes import ROWS, SpriteRuns, provide_sprites, screen_sprites, world_sprites
from renderwright.engine.sprites.drawn import DrawnSprites, Run
from renderwright.render.graph.declare import Declare
from renderwright.render.graph.frame_graph import FrameGraph
from renderwright.render.graph.revision import Revision

KEPT_FRAMES = 120
"""Frames without a sprite after which its node leaves the graph."""


class SpriteSwitch:
    """Has a graph draw sprites. Call ``follow`` before each frame.

    ``players`` are the dimensions over which the pictures of players repeat; with ``depth`` the skeleton has a texture
    of that name. ``gpu`` may return another object after the loss of a device.
    """

    def __init__(
        self, graph: FrameGraph, players: tuple[str, ...], gpu: Callable[[], GpuSprites], *, depth: bool
    ) -> None:
        self._gpu = gpu
        self._runs: tuple[Run, ...] = ()
        self._revision = Revision()
        provide = provide_sprites(lambda: SpriteRuns(self._runs, self._gpu()), self._revision)
        self._every = _Nodes(graph, {"sprite_data": provide})
        self._world = _Nodes(graph, {"world_sprites": world_sprites(depth=depth)})
        self._screen = _Nodes(graph, {"screen_sprites": screen_sprites(players)})
        graph.set_external(ROWS, lambda context: self._gpu().rows)

    def follow(self, drawn: DrawnSprites) -> None:
        """Show these sprites in the next frame."""
        self._gpu().show(drawn)
        if drawn.runs is not self._runs:
            self._runs = drawn.runs
            self._revision.advance()
        screen = any(run.kind.screen for run in drawn.runs)
        world = any(not run.kind.screen for run in drawn.runs)
        for nodes, wanted in ((self._every, world or screen), (self._world, world), (self._screen, screen)):
            nodes.follow(wanted=wanted)


class _Nodes:
    """Nodes that are in a graph while they are wanted, and for a while after that."""

    def __init__(self, graph: FrameGraph, nodes: Mapping[str, Declare]) -> None:
        self._graph = graph
        self._nodes = nodes
        self._left = 0

    def follow(self, *, wanted: bool) -> None:
        """Begin a frame."""
        if wanted:
            if not self._left:
                for name, declare in self._nodes.items():
                    self._graph.add_node(name, declare)
            self._left = KEPT_FRAMES
        elif self._left:
            self._left -= 1
            if not self._left:
                for name in self._nodes:
                    self._graph.remove_node(name)
