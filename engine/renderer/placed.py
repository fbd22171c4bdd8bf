"""Placed things for plugins: nodes that provide their rows while a scene has such things."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from renderwright.engine.renderer.frame_input import FrameInput
from renderwright.engine.renderer.node_group import NodeGroup
from renderwright.engine.scene.placements import PlacedImages, PlacedRows
from renderwright.render.graph.commands import Commands
from renderwright.render.graph.declare import Declare, Execute
from renderwright.render.graph.external import ExternalContext
from renderwright.render.graph.frame_graph import FrameGraph
from renderwright.render.graph.registry import Registry
from renderwright.render.graph.revision import Revision
from renderwright.render.types.physical import PhysicalBuffer
from renderwright.render.types.resources import Buffer, Texture

_NOTHING = np.zeros(64, np.uint32)
"""The rows of no things."""

AT_REST = 8
"""Frames without a step after which things are at rest. A game with fewer steps than frames is not, in between."""


class PlacedSwitch:
    """Has a graph the rows of placed things while a scene has such. Call ``follow`` before each frame.

    A trait of things is a blob for nodes that are there with it only or shaders that differ by it, and a fact for nodes
    that request less without it.
    """

    def __init__(self, graph: FrameGraph, frame: FrameInput) -> None:
        self._graph = graph
        self._frame = frame
        self._groups: dict[str, NodeGroup] = {}
        self._traits: set[str] = set()
        self._images: dict[str, PlacedTexture] = {}
        self._motions: dict[str, PlacedMotion] = {}

    def follow(self, placed: Sequence[PlacedRows]) -> None:
        """Provide these rows, and have room for them."""
        needed = {rows.name: _provide(self._frame, rows.name) for rows in placed}
        for rows in placed:
            traits = [f"{rows.name}_{trait}" for trait in rows.traits]
            needed |= {trait: _mark(trait) for trait in traits}
            self._traits.update(traits)
            if rows.value is not None:
                needed[f"{rows.name}_value"] = _tell(self._frame, rows.name)
            if rows.state:
                motion = self._motions.setdefault(rows.name, PlacedMotion(f"{rows.name}_moving"))
                motion.follow((rows.step, rows.room, self._frame.placed_buffers))
                needed |= {f"{rows.name}_state": _keep(self._frame, rows.name), motion.name: motion.declare}
            self._graph.set_resolution(rows.name, (rows.room, 1))
        self._follow_images({f"{rows.name}_{key}": images for rows in placed for key, images in rows.images.items()})
        for trait in self._traits:
            self._graph.set_fact(trait, True if trait in needed else None)
        for name, declare in needed.items():
            self._groups.setdefault(name, NodeGroup(self._graph, {name: declare}))
        for name, group in self._groups.items():
            group.switch(on=name in needed)

    def _follow_images(self, needed: Mapping[str, PlacedImages]) -> None:
        """Have a node for each texture of images. Images of another size or number are another texture."""
        for name in [name for name in self._images if name not in needed]:
            del self._images[name]
            self._graph.remove_node(name)
        for name, images in needed.items():
            known = self._images.get(name)
            if known is None or not known.holds(images):
                self._images[name] = texture = PlacedTexture(name, images)
                self._graph.add_node(name, texture.declare)
            elif known.images is not images:
                known.images = images


class PlacedMotion:
    """Whether things may have moved since the last frame: not when they have been at rest for ``AT_REST`` frames."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._seen: tuple[object, ...] = ()
        self._still = 0
        self._change = Revision()

    @property
    def moving(self) -> bool:
        """Whether they may have."""
        return self._still < AT_REST

    def follow(self, seen: tuple[object, ...]) -> None:
        """Follow what lets things move, once a frame."""
        before = self.moving
        self._still = self._still + 1 if seen == self._seen else 0
        self._seen = seen
        if self.moving != before:
            self._change.advance()

    def declare(self, reg: Registry) -> Execute:
        """Declare the node that provides the blob."""
        blob = reg.create(self.name, bool)
        reg.stable(self._change)

        def execute(cmd: Commands) -> None:
            blob.value = self.moving

        return execute


class PlacedTexture:
    """A texture for images of one size and number. Another one replaces it when these change."""

    def __init__(self, name: str, images: PlacedImages) -> None:
        self._name = name
        self.images = images

    def holds(self, images: PlacedImages) -> bool:
        """Whether the texture has room for these images, and no more."""
        return images.texels.shape == self.images.texels.shape and images.srgb == self.images.srgb

    def declare(self, reg: Registry) -> None:
        """Declare the node that provides the texture."""
        layers, height, width = self.images.texels.shape[:3]
        format = "rgba8_srgb" if self.images.srgb else "rgba8_unorm"
        mips = max(width, height).bit_length()
        reg.multiplex()
        texture = Texture(format, (width, height), mips=mips, layers=layers)
        reg.external(self._name, texture, lambda context: self.images.texels).sampled()


def _provide(frame: FrameInput, name: str) -> Declare:
    """Declare function of a node for the buffer of a kind of things."""

    def provide(context: ExternalContext) -> PhysicalBuffer:
        rows = [rows for rows in frame.placed if rows.name == name]
        # A plan that is behind the scene may have kinds of which all things were removed.
        return frame.placed_buffers.write(name, context.slot, rows[0].data if rows else _NOTHING)

    def declare(reg: Registry) -> None:
        reg.external(name, Buffer(0), provide).storage_read("compute")

    return declare


def _keep(frame: FrameInput, name: str) -> Declare:
    """Declare function of a node for the buffer that has the state of a kind of things."""

    def provide(context: ExternalContext) -> PhysicalBuffer:
        sizes = [rows.state * rows.room for rows in frame.placed if rows.name == name]
        return frame.placed_buffers.state(f"{name}_state", sizes[0] if sizes else 0)

    def declare(reg: Registry) -> None:
        reg.external(f"{name}_state", Buffer(0), provide).storage_read("compute")

    return declare


def _tell(frame: FrameInput, name: str) -> Declare:
    """Declare function of a node for the value of a kind of things."""

    def declare(reg: Registry) -> Execute:
        blob = reg.create(f"{name}_value", object)
        known: list[object] = []

        def execute(cmd: Commands) -> None:
            # A plan that is behind the scene may have kinds of which all things were removed.
            known[:] = [rows.value for rows in frame.placed if rows.name == name] or known
            blob.value = known[0]

        return execute

    return declare


def _mark(name: str) -> Declare:
    """Declare function of a node for the blob that stands for a trait."""

    def declare(reg: Registry) -> Execute:
        blob = reg.create(name, bool)
        reg.stable()

        def execute(cmd: Commands) -> None:
            blob.value = True

        return execute

    return declare
