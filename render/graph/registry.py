"""The registry: the argument of a declare function, which collects the node's requests."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from renderwright.render.errors import GraphError, SourceLocation
from renderwright.render.graph.external import ValueProvider
from renderwright.render.graph.pipeline_requests import PipelineRequests
from renderwright.render.graph.pipeline_state import check_state
from renderwright.render.graph.request_builder import RequestBuilder
from renderwright.render.graph.requests import (
    EVERY_FRAME,
    ChainMember,
    NodeDeclaration,
    Rate,
    Verb,
    chain_source_name,
    last_part,
)
from renderwright.render.graph.revision import Revision
from renderwright.render.graph.source import caller_location
from renderwright.render.graph.uniform_source import UniformSource, uniform_source
from renderwright.render.graph.whole_numbers import check_description
from renderwright.render.types.parts import WHOLE
from renderwright.render.types.resources import Blob, Buffer, Resolution, Texture

Desc = Texture | Buffer | type[Any]


@dataclass(frozen=True)
class ChainHandles:
    """A chain member's textures: the previous member's result, sampled as ``source``, and its own render target."""

    input: RequestBuilder
    output: RequestBuilder


class Registry(PipelineRequests):
    """Collects one node's requests. Errors name the line of the request."""

    def __init__(self, name: str, plugin: str) -> None:
        super().__init__(name)
        self.plugin = plugin
        self.requests: list[RequestBuilder] = []
        self.uniforms: list[UniformSource] = []
        self.providers: list[tuple[str, ValueProvider]] = []
        self._before: list[str] = []
        self._after: list[str] = []
        self._replaces: list[str] = []
        self._chains: list[ChainMember] = []
        self._multiplex: frozenset[str] | None = None
        self._multiview = ""
        self._side_effects = False
        self._priority = 0
        self._queues: tuple[str, ...] = ("graphics",)
        self._cost = 1.0
        self._state: dict[str, Any] = {}
        self._stable = False
        self.revisions: list[Revision] = []
        self._rate = EVERY_FRAME
        self._when: RequestBuilder | None = None

    # resources ------------------------------------------------------------------------------------------------------

    def resolution(self, name: str, scale: float = 1.0) -> Resolution:
        """An auto-resolution by name, ``scale`` times as large."""
        return Resolution(name, scale)

    def create(self, name: str, desc: Desc) -> RequestBuilder:
        """Create a resource: a ``Texture``, a ``Buffer``, or a blob of the given Python type."""
        return self._request(Verb.CREATE, name, _as_desc(desc))

    def external(self, name: str, desc: Desc, provider: ValueProvider | None = None) -> RequestBuilder:
        """Declare a resource that lives outside the graph.

        ``provider`` is called in each frame, for each instance; for a texture it may return an array
        (``ExternalProvider``). ``FrameGraph.set_external`` overrides it, and is required without it.
        """
        if provider is not None:
            self.providers.append((name, provider))
        return self._request(Verb.EXTERNAL, name, _as_desc(desc))

    def modify(self, name: str, type: type[Any] | None = None) -> RequestBuilder:
        """Write to a resource that another node created; ``type`` is for blobs."""
        return self._request(Verb.MODIFY, name, _as_blob(type))

    def read(self, name: str, type: type[Any] | None = None) -> RequestBuilder:
        """Read a resource after all writers; ``type`` is for blobs."""
        return self._request(Verb.READ, name, _as_blob(type))

    def history(self, name: str, type: type[Any] | None = None, *, frames: int = 1) -> RequestBuilder:
        """Read the contents that a resource had at the end of the frame ``frames`` ago (1 to 3); ``type`` is for blobs.

        All history readers of a texture or buffer read the same frame.
        """
        return self._request(Verb.HISTORY, name, _as_blob(type)).from_frames_ago(frames)

    def gather(self, name: str, type: type[Any] | None = None) -> RequestBuilder:
        """Read all instances of a resource that repeats over more dimensions than this node."""
        return self._request(Verb.GATHER, name, _as_blob(type))

    def rename(self, old: str, new: str, type: type[Any] | None = None) -> RequestBuilder:
        """Continue a resource under a new name, after all uses of the old name."""
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
        """Join a chain of image effects: sample the previous member's result (``source``), render this node's own.

        The result has the format and size of ``source`` unless ``format`` and ``size`` override both. With ``gather``,
        ``source`` is an array of all instances over the dimensions that this node lacks. The node must then state its
        dimensions by ``multiplex``, and the following members of the chain repeat over the same ones.
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
        """Read the input of another node of this plugin, a ``member`` of the chain."""
        node = f"{self.plugin}/{member}" if self.plugin else member
        return self._request(Verb.READ, chain_source_name(chain, node), None)

    def _request(self, verb: Verb, name: str, desc: Texture | Buffer | Blob | None, chain: str = "") -> RequestBuilder:
        where = caller_location()
        check_description(name or chain, desc)
        if not name and not chain:
            raise GraphError(f"{self.name} requests a resource without a name", where=where)
        earlier = [r for r in self.requests if r._verb is verb and r._resource == name and r._chain == chain]
        if any(verb in _ONCE or r._part == WHOLE for r in earlier):
            first = next(r for r in earlier if verb in _ONCE or r._part == WHOLE)
            raise GraphError(
                f'"{self.name}" has two {verb} requests for "{name or chain}", the first in line {first._source.line}',
                hint="use the first one's handle for both; two requests are for disjoint parts (.mips, .layers)",
                where=where,
            )
        request = RequestBuilder(verb, name, where, desc, chain)
        self.requests.append(request)
        return request

    # uniform blocks ------------------------------------------------------------------------------------------------

    def uniform(self, name: str, values: Any) -> None:
        """Fill the uniform block ``name`` from the attributes or keys of ``values``, which stay as they are.

        For values that change, pass a function without arguments that returns them; it is called in each frame.
        """
        self.uniforms.append(uniform_source(self.name, name, values, caller_location()))

    # the node itself ------------------------------------------------------------------------------------------------

    def before(self, *nodes: str) -> None:
        """Run before these nodes, where they exist."""
        self._before.extend(nodes)

    def after(self, *nodes: str) -> None:
        """Run after these nodes, where they exist."""
        self._after.extend(nodes)

    def replaces(self, *nodes: str) -> None:
        """Leave these nodes out of the graph, by their full names, where they exist: this one stands in for them."""
        self._replaces.extend(nodes)

    def multiplex(self, *dimensions: str) -> None:
        """Repeat this node, and the resources that it creates, over these dimensions; over none without arguments.

        Without this call a node repeats over the dimensions of all resources that it uses, except by ``gather``.
        """
        self._multiplex = frozenset(dimensions)

    def multiview(self, dimension: str) -> None:
        """Promise that this node can draw all instances of the dimension at once, such as both eyes.

        Where the device supports it, the node runs once for all of them and renders to textures with a layer for each.
        Its shaders are compiled with their number as ``VIEWS`` (docs/writing-plugins.md). Otherwise the node is
        repeated, with the same picture.
        """
        if not dimension:
            raise GraphError(f'"{self.name}" names no dimension for multiview', where=caller_location())
        self._multiview = dimension

    def side_effects(self) -> None:
        """Keep this node even if its results have no readers."""
        self._side_effects = True

    def priority(self, priority: int) -> None:
        """Order this node among nodes without dependencies on each other: a larger priority runs first."""
        self._priority = priority

    def queue(self, *queues: str) -> None:
        """Set the queue classes that this node may run on: ``graphics``, ``compute``, ``copy``.

        Without ``graphics`` it runs on another of them wherever the device has it and the node can. Elsewhere it runs
        on the graphics queue, and the plan gives the reason.
        """
        unknown = set(queues) - {"graphics", "compute", "copy"}
        if unknown or not queues:
            raise GraphError(
                f'"{self.name}": unknown queue {", ".join(sorted(unknown)) or "(none)"}',
                hint="known: graphics, compute, copy",
                where=caller_location(),
            )
        self._queues = queues

    def cost(self, cost: float) -> None:
        """Hint how long this node takes, relative to others."""
        self._cost = cost

    def state(self, **state: Any) -> None:
        """Set fixed-function state for all of this node's pipelines; keys are those of ``PipelineDesc``."""
        check_state(self.name, state)
        self._state.update(state)

    def stable(self, *revisions: Revision) -> None:
        """Promise that commands and blobs depend only on what the node requests, so that they are kept.

        The execute function runs again when a blob that it has read gets another value, and when one of the
        ``revisions`` advances: they count changes of what the node depends on besides.
        """
        self._stable = True
        self.revisions += revisions

    def every(self, frames: int, *, phase: int = 0) -> None:
        """Run only in frames with ``number % frames == phase``.

        Resources that the node creates or modifies keep their contents in between, in memory of their own.
        """
        if frames < 1 or not 0 <= phase < frames:
            raise GraphError(
                f'"{self.name}" cannot run every {frames} frames with a phase of {phase}',
                hint="frames must be at least 1, and phase from 0 to frames - 1",
                where=caller_location(),
            )
        self._set_rate(Rate(every=frames, phase=phase))

    def when(self, blob: str) -> None:
        """Run only in frames in which the blob differs (by ``==``) from its value at the node's last run.

        The call is also a read of the blob. The blob's writers may use only blobs, because its value must be known
        before the frame's commands. A value that is mutated in place does not count as changed.
        """
        if not blob:
            raise GraphError(f'"{self.name}" runs when a blob without a name changes', where=caller_location())
        self._set_rate(Rate(when=blob))
        self._when = RequestBuilder(Verb.READ, blob, caller_location())

    def _set_rate(self, rate: Rate) -> None:
        if self._rate != EVERY_FRAME:
            raise GraphError(
                f'"{self.name}" already runs {self._rate}',
                hint="a node has one rate; call every or when once",
                where=caller_location(),
            )
        self._rate = rate

    def _check_parts(self) -> None:
        """Requests with the same verb for the same texture must be for disjoint parts of it."""
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
                        f'"{self.name}" has two {request._verb} requests for "{request._resource}": {both}',
                        hint="make the ranges disjoint, or use one request for both",
                        where=request._source,
                    )

    def build(self, source: SourceLocation, index: int, executes: bool) -> NodeDeclaration:
        """The declaration as a value; ``GraphError`` for pipelines without an execute function."""
        if self.pipelines and not executes:
            raise GraphError(
                f'"{self.name}" declares a pipeline, but no execute function that uses it',
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
            replaces=tuple(self._replaces),
        )


# One request a resource. The other verbs allow one for each part of a texture.
_ONCE = frozenset({Verb.CREATE, Verb.EXTERNAL, Verb.RENAME})


def _as_desc(desc: Desc) -> Texture | Buffer | Blob:
    return desc if isinstance(desc, Texture | Buffer) else Blob(desc.__name__, desc)


def _as_blob(type_: type[Any] | None) -> Blob | None:
    return None if type_ is None else Blob(type_.__name__, type_)
