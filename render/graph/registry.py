"""The registry that a declare function talks to: everything a node can ask for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from renderwright.render.errors import GraphError, SourceLocation
from renderwright.render.graph.external import ValueProvider
from renderwright.render.graph.handles import PipelineHandle
from renderwright.render.graph.request_builder import RequestBuilder
from renderwright.render.graph.requests import (
    EVERY_FRAME,
    ChainMember,
    NodeDeclaration,
    PipelineRequest,
    Rate,
    Verb,
    chain_source_name,
    last_part,
)
from renderwright.render.graph.source import caller_location
from renderwright.render.types.parts import WHOLE
from renderwright.render.types.resources import Blob, Buffer, Resolution, Texture
from renderwright.render.types.usages import ShaderStage

Desc = Texture | Buffer | type[Any]


@dataclass(frozen=True)
class ChainHandles:
    """A chain member's two textures: the previous member's result, sampled as ``source``, and its own, rendered to."""

    input: RequestBuilder
    output: RequestBuilder


@dataclass(frozen=True)
class UniformSource:
    """A uniform block that the node fills itself: its name in the shaders, and what to take the members from."""

    name: str
    supplier: Callable[[], Any]
    source: SourceLocation


@dataclass(frozen=True)
class VertexLayout:
    """How a vertex buffer is read: (location, format, byte offset) of each attribute, and bytes a vertex."""

    attributes: tuple[tuple[int, str, int], ...]
    stride: int


class Registry:
    """Collects one node's requests. Wrong use fails at the line that made it."""

    def __init__(self, name: str, plugin: str) -> None:
        self.name = name
        self.plugin = plugin
        self.requests: list[RequestBuilder] = []
        self.pipelines: list[PipelineHandle] = []
        self.uniforms: list[UniformSource] = []
        self.providers: list[tuple[str, ValueProvider]] = []
        self._before: list[str] = []
        self._after: list[str] = []
        self._chains: list[ChainMember] = []
        self._multiplex: frozenset[str] | None = None
        self._multiview = ""
        self._side_effects = False
        self._priority = 0
        self._queues: tuple[str, ...] = ("graphics",)
        self._cost = 1.0
        self._state: dict[str, Any] = {}
        self._stable = False
        self._rate = EVERY_FRAME
        self._when: RequestBuilder | None = None

    # resources ------------------------------------------------------------------------------------------------------

    def resolution(self, name: str, scale: float = 1.0) -> Resolution:
        """An auto-resolution by name, ``scale`` times as large."""
        return Resolution(name, scale)

    def create(self, name: str, desc: Desc) -> RequestBuilder:
        """Make a resource: a ``Texture``, a ``Buffer``, or a blob of the given Python type."""
        return self._request(Verb.CREATE, name, _as_desc(desc))

    def external(self, name: str, desc: Desc, provider: ValueProvider | None = None) -> RequestBuilder:
        """Make a name for a resource that somebody else owns and gives to the graph.

        ``provider`` is asked in each frame, for each instance; without one the application provides the resource
        (``FrameGraph.set_external``), as it may do in any case.
        """
        if provider is not None:
            self.providers.append((name, provider))
        return self._request(Verb.EXTERNAL, name, _as_desc(desc))

    def modify(self, name: str, type: type[Any] | None = None) -> RequestBuilder:
        """Write to a resource that another node created; ``type`` for blobs."""
        return self._request(Verb.MODIFY, name, _as_blob(type))

    def read(self, name: str, type: type[Any] | None = None) -> RequestBuilder:
        """Read a resource after everybody has written to it; ``type`` for blobs."""
        return self._request(Verb.READ, name, _as_blob(type))

    def history(self, name: str, type: type[Any] | None = None, *, frames: int = 1) -> RequestBuilder:
        """Read what a resource held at the end of the previous frame, or so many ``frames`` ago (1 to 3); ``type`` for
        blobs. All who read the history of a texture or buffer read that of the same frame.
        """
        return self._request(Verb.HISTORY, name, _as_blob(type)).from_frames_ago(frames)

    def gather(self, name: str, type: type[Any] | None = None) -> RequestBuilder:
        """Read every instance of a resource that is repeated over more dimensions than this node."""
        return self._request(Verb.GATHER, name, _as_blob(type))

    def rename(self, old: str, new: str, type: type[Any] | None = None) -> RequestBuilder:
        """Take a resource over under a new name, after everybody has finished with the old one."""
        return self._request(Verb.RENAME, old, _as_blob(type)).renamed_to(new).bind(last_part(new))

    def chain(
        self,
        name: str,
        *,
        format: str = "",
        before: tuple[str, ...] = (),
        after: tuple[str, ...] = (),
        priority: int = 0,
        size: Resolution | None = None,
        gather: bool = False,
    ) -> ChainHandles:
        """Join a chain of image effects: sample the member before (``source``), render this one's result.

        The result has the chain's format and size unless ``format`` and ``size`` say otherwise. With ``gather``,
        ``source`` is an array of all instances that are repeated over more dimensions than this node, which has to say
        by ``multiplex`` over which ones it is, for what follows in the chain is repeated over no others.
        """
        if any(member.chain == name for member in self._chains):
            raise GraphError(f'"{self.name}" is already in the chain "{name}"', where=caller_location())
        if bool(format) != bool(size):
            raise GraphError(
                f'"{self.name}" gives the chain "{name}" only one of format and size',
                hint="give both, or neither",
                where=caller_location(),
            )
        self._chains.append(ChainMember(name, before, after, priority))
        desc = Texture(format, size) if format and size else None
        verb = Verb.GATHER if gather else Verb.READ
        source = self._request(verb, "", None, chain=name).sampled().bind("source")
        result = self._request(Verb.CREATE, "", desc, chain=name).color().bind("result")
        return ChainHandles(source, result)

    def chain_source(self, chain: str, member: str) -> RequestBuilder:
        """Read what another node of this plugin, a ``member`` of the chain, gets as its input."""
        node = f"{self.plugin}/{member}" if self.plugin else member
        return self._request(Verb.READ, chain_source_name(chain, node), None)

    def _request(self, verb: Verb, name: str, desc: Texture | Buffer | Blob | None, chain: str = "") -> RequestBuilder:
        where = caller_location()
        if not name and not chain:
            raise GraphError(f"{self.name} requests a resource without a name", where=where)
        earlier = [r for r in self.requests if r._verb is verb and r._resource == name and r._chain == chain]
        if any(verb in _ONCE or r._part == WHOLE for r in earlier):
            raise GraphError(f'"{self.name}" asks twice to {verb} "{name or chain}"', where=where)
        request = RequestBuilder(verb, name, where, desc, chain)
        self.requests.append(request)
        return request

    # pipelines ------------------------------------------------------------------------------------------------------

    def graphics(
        self,
        fragment: str = "",
        vertex: str = "fullscreen.vert",
        *,
        vertex_layout: VertexLayout | None = None,
        defines: dict[str, Any] | None = None,
        **state: Any,
    ) -> PipelineHandle:
        """A graphics pipeline from GLSL files; ``state`` keys are those of ``PipelineDesc``.

        The default vertex shader covers the screen with one triangle and gives ``uv`` at location 0; it needs no
        vertices. Without ``fragment`` only depth is written.
        """
        shaders = [(ShaderStage.VERTEX, vertex)]
        if fragment:
            shaders.append((ShaderStage.FRAGMENT, fragment))
        if vertex_layout is not None:
            state = {**state, "vertex": vertex_layout.attributes, "vertex_stride": vertex_layout.stride}
        return self._pipeline("graphics", tuple(shaders), defines, state)

    def compute(self, file: str, *, defines: dict[str, Any] | None = None) -> PipelineHandle:
        """A compute pipeline from a GLSL file."""
        return self._pipeline("compute", ((ShaderStage.COMPUTE, file),), defines, {})

    def _pipeline(
        self,
        kind: str,
        shaders: tuple[tuple[ShaderStage, str], ...],
        defines: dict[str, Any] | None,
        state: dict[str, Any],
    ) -> PipelineHandle:
        request = PipelineRequest(
            kind,
            shaders,
            caller_location(),
            tuple(sorted(state.items())),
            tuple(sorted((key, str(value)) for key, value in (defines or {}).items())),
        )
        handle = PipelineHandle(len(self.pipelines), request)
        self.pipelines.append(handle)
        return handle

    def uniform(self, name: str, supplier: Callable[[], Any]) -> None:
        """Fill the uniform block ``name`` each frame from the attributes or keys of what ``supplier`` returns."""
        if not callable(supplier):
            raise GraphError(
                f'"{self.name}" fills the block "{name}" with {type(supplier).__name__}, which cannot be called',
                hint="give a function without arguments that returns the values, such as lambda: settings",
                where=caller_location(),
            )
        self.uniforms.append(UniformSource(name, supplier, caller_location()))

    # the node itself ------------------------------------------------------------------------------------------------

    def before(self, *nodes: str) -> None:
        """Run before these nodes, where they exist."""
        self._before.extend(nodes)

    def after(self, *nodes: str) -> None:
        """Run after these nodes, where they exist."""
        self._after.extend(nodes)

    def multiplex(self, *dimensions: str) -> None:
        """Repeat this node, and what it creates, over these dimensions; over none without arguments.

        Without this call a node repeats over the dimensions of all that it uses other than by ``gather``.
        """
        self._multiplex = frozenset(dimensions)

    def multiview(self, dimension: str) -> None:
        """Promise that this node can be drawn for all instances of the dimension at once, such as both eyes.

        Where the device can do so, the node then runs once for all of them, renders to textures with a layer for each,
        and its shaders are compiled with ``VIEWS`` as their number (docs/writing-plugins.md). Else it is repeated as
        any other node, and the picture is the same.
        """
        if not dimension:
            raise GraphError(f'"{self.name}" names no dimension to be drawn for at once', where=caller_location())
        self._multiview = dimension

    def side_effects(self) -> None:
        """Keep this node even if nobody reads its results."""
        self._side_effects = True

    def priority(self, priority: int) -> None:
        """Among nodes that could run in any order, larger goes first."""
        self._priority = priority

    def queue(self, *queues: str) -> None:
        """The queue classes that this node may run on: ``graphics``, ``compute``, ``copy``."""
        unknown = set(queues) - {"graphics", "compute", "copy"}
        if unknown or not queues:
            raise GraphError(
                f'"{self.name}": unknown queue {", ".join(sorted(unknown)) or "(none)"}',
                hint="known: graphics, compute, copy",
                where=caller_location(),
            )
        self._queues = queues

    def cost(self, cost: float) -> None:
        """A hint of how long this node takes, relative to others."""
        self._cost = cost

    def state(self, **state: Any) -> None:
        """Fixed-function state for all of this node's pipelines; keys are those of ``PipelineDesc``."""
        self._state.update(state)

    def stable(self) -> None:
        """Promise to record the same commands every frame, so that they are recorded once."""
        self._stable = True

    def every(self, frames: int, *, phase: int = 0) -> None:
        """Run in one of so many frames: in those whose number leaves ``phase`` when divided by ``frames``.

        What the node creates or modifies keeps its contents in between, in memory of its own.
        """
        if frames < 1 or not 0 <= phase < frames:
            raise GraphError(
                f'"{self.name}" cannot run every {frames} frames with a phase of {phase}',
                hint="give 1 or more frames, and a phase from 0 to one less than that",
                where=caller_location(),
            )
        self._set_rate(Rate(every=frames, phase=phase))

    def when(self, blob: str) -> None:
        """Run only in frames in which the blob has another value (by ``==``) than when the node last ran.

        The node reads the blob by this. Only nodes that use nothing but blobs may make it, because its value has to be
        known before the frame's commands are. A value that is changed in place is not seen to change.
        """
        if not blob:
            raise GraphError(f'"{self.name}" runs when a blob without a name changes', where=caller_location())
        self._set_rate(Rate(when=blob))
        self._when = RequestBuilder(Verb.READ, blob, caller_location())

    def _set_rate(self, rate: Rate) -> None:
        if self._rate != EVERY_FRAME:
            raise GraphError(
                f'"{self.name}" already runs {self._rate}',
                hint="a node has one rate: every or when, once",
                where=caller_location(),
            )
        self._rate = rate

    def _check_parts(self) -> None:
        """Several requests with one verb for one texture are for different parts of it."""
        if all(request._part == WHOLE for request in self.requests):
            return
        for number, request in enumerate(self.requests):
            for earlier in self.requests[:number]:
                same = (earlier._verb, earlier._resource, earlier._chain) == (
                    request._verb,
                    request._resource,
                    request._chain,
                )
                if same and earlier._part.meets(request._part):
                    both = " and ".join(str(part) or "all of it" for part in (earlier._part, request._part))
                    raise GraphError(
                        f'"{self.name}" asks twice to {request._verb} "{request._resource}": {both}',
                        hint="let the ranges have nothing in common, or make one request of the two",
                        where=request._source,
                    )

    def build(self, source: SourceLocation, index: int, executes: bool) -> NodeDeclaration:
        """The declaration as a value; ``GraphError`` if nothing could ever use the node's pipelines."""
        if self.pipelines and not executes:
            raise GraphError(
                f'"{self.name}" declares a pipeline, but no function that uses it',
                hint="return the execute function at the end of the declare function",
                where=source,
            )
        when = self._when
        if when is not None and not any(r._verb is Verb.READ and r._resource == when._resource for r in self.requests):
            self.requests.append(when)
        self._check_parts()
        return NodeDeclaration(
            name=self.name,
            plugin=self.plugin,
            source=source,
            index=index,
            requests=tuple(request.build() for request in self.requests),
            before=tuple(self._before),
            after=tuple(self._after),
            multiplex=self._multiplex,
            side_effects=self._side_effects,
            priority=self._priority,
            queues=self._queues,
            cost=self._cost,
            state=tuple(sorted(self._state.items())),
            chains=tuple(self._chains),
            pipelines=tuple(handle.request for handle in self.pipelines),
            executes=executes,
            stable=self._stable,
            rate=self._rate,
            multiview=self._multiview,
        )


# What can be asked for once only; the others once for each of several parts of a texture.
_ONCE = frozenset({Verb.CREATE, Verb.EXTERNAL, Verb.RENAME})


def _as_desc(desc: Desc) -> Texture | Buffer | Blob:
    return desc if isinstance(desc, Texture | Buffer) else Blob(desc.__name__, desc)


def _as_blob(type_: type[Any] | None) -> Blob | None:
    return None if type_ is None else Blob(type_.__name__, type_)
