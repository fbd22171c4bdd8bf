"""Captures one frame of a runtime: the frame that is shown, with copies of its textures in between."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from renderwright.render.backend.protocol import Backend
from renderwright.render.compiler.values.plan import Plan
from renderwright.render.errors import SourceLocation
from renderwright.render.graph.requests import Verb
from renderwright.render.runtime.lowering.lowered import Given, LoweredFrame
from renderwright.render.runtime.lowering.texture_copies import CopiedTexels, TextureCopies
from renderwright.render.runtime.plans.running import RunningPlan
from renderwright.render.types.usages import SHADER_USAGES


@dataclass(frozen=True)
class Unread:
    """A request of a node (by id) for a resource that none of its shaders declares by the ``binding``."""

    node: str
    resource: str
    binding: str
    verb: Verb
    source: SourceLocation
    optional: bool


@dataclass(frozen=True)
class CapturedFrame:
    """What was seen of a frame. ``left_out`` counts copies for which there was no room."""

    frame: int
    plan: Plan
    copies: list[CopiedTexels]
    unread: list[Unread]
    left_out: int


TakeCapture = Callable[[CapturedFrame], None]


class FrameCapture:
    """Waits for ``ask``, then captures the next frame that is submitted. Other frames know nothing of it."""

    def __init__(self, backend: Backend) -> None:
        self._backend = backend
        self._take: TakeCapture | None = None
        self._copies: TextureCopies | None = None
        self._lowered: LoweredFrame | None = None

    def ask(self, take: TakeCapture) -> None:
        """Have ``take`` called behind the next frame."""
        self._take = take

    def lowered(self, running: RunningPlan, skipped: frozenset[str], slot: int, given: Given) -> LoweredFrame:
        """The frame of a slot, with copies if it is to be captured."""
        if self._take is None:
            return running.lowered(skipped, slot, given)
        self._copies = TextureCopies(self._backend)
        self._lowered = running.lowered_with(self._copies, skipped, slot, given)
        return self._lowered

    def submitted(self, frame: int, running: RunningPlan) -> None:
        """Hand over what was seen of a frame that was submitted. Waits for the device."""
        take, copies = self._take, self._copies
        if take is None or copies is None:
            return
        self._take = None
        take(CapturedFrame(frame, running.plan, copies.read(), list(unread_requests(running)), copies.left_out))

    def end(self) -> None:
        """Release what the frame needed, whether it was submitted or not."""
        if self._lowered is not None:
            self._lowered.destroy(self._backend)
        if self._copies is not None:
            self._copies.close()
        self._lowered = self._copies = None


def unread_requests(running: RunningPlan) -> Iterator[Unread]:
    """The requests of textures and buffers for shaders of nodes that have some, of which none declares the name."""
    pipelines = running.prepared.pipelines
    for node in running.plan.graph.nodes:
        found = [pipelines.get((node.id, number)) for number in range(len(node.declaration.pipelines))]
        modules = [module for pipeline in found if pipeline is not None for module in pipeline.desc.modules]
        declared = {binding.name for module in modules for binding in module.bindings}
        for use in node.uses if modules else ():
            request = use.request
            if use.usage in SHADER_USAGES and request.binding and request.binding not in declared:
                for resource in use.resources:
                    yield Unread(node.id, resource, request.binding, request.verb, request.source, request.optional)
