"""The registry: the argument of a declare function, which collects the node's requests."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from renderwright.render.errors import GraphError
from renderwright.render.graph.arguments import (
    BOOL,
    FROM_ZERO,
    FUNCTION,
    NAME,
    REVISION,
    WHOLE_NUMBER,
    check_argument,
    check_arguments,
    check_first,
    checked_names,
)
from renderwright.render.graph.callables import check_one_argument
from renderwright.render.graph.descriptions import Desc, as_blob, as_description, check_description, check_resolution
from renderwright.render.graph.external import ValueProvider
from renderwright.render.graph.node_requests import NodeRequests
from renderwright.render.graph.pipeline_requests import PipelineRequests
from renderwright.render.graph.pipeline_state import check_state
from renderwright.render.graph.request_builder import RequestBuilder
from renderwright.render.graph.requests import (
    EVERY_FRAME,
    ChainMember,
    Rate,
    Verb,
    chain_source_name,
    last_part,
)
from renderwright.render.graph.revision import Revision
from renderwright.render.graph.source import caller_location
from renderwright.render.graph.uniform_source import uniform_source
from renderwright.render.suggest import one_of
from renderwright.render.types.parts import WHOLE
from renderwright.render.types.resources import Blob, Buffer, Resolution, Texture


@dataclass(frozen=True)
class ChainHandles:
    """A chain member's textures: the previous member's result, sampled as ``source``, and its own render target."""

    input: RequestBuilder
    output: RequestBuilder


class Registry(PipelineRequests):
    """Collects one node's requests. Errors name the line of the request."""

    def __init__(self, name: str, plugin: str, facts: Mapping[str, object] | None = None) -> None:
        super().__init__(NodeRequests(name, plugin))
        self._facts = facts or {}

    # resources ------------------------------------------------------------------------------------------------------

    def resolution(self, name: str, scale: float = 1.0) -> Resolution:
        """An auto-resolution by name, ``scale`` times as large."""
        check_resolution(name, scale)
        return Resolution(name, scale)

    def create(self, name: str, desc: Desc) -> RequestBuilder:
        """Create a resource: a ``Texture``, a ``Buffer``, or a blob of the given class. One node creates a name."""
        self._check_name(name, second=desc, call="reg.create")
        return self._request(Verb.CREATE, name, as_description(name, desc))

    def external(self, name: str, desc: Desc, provider: ValueProvider | None = None) -> RequestBuilder:
        """Declare a resource that lives outside the graph.

        ``provider`` is called in each frame, for each instance; for a texture or buffer of a fixed size it may return
        an array (``ExternalProvider``). ``FrameGraph.set_external`` overrides it, and is required without it.
        """
        self._check_name(name, second=desc, call="reg.external")
        if provider is not None:
            what = f'the provider of "{name}"'
            check_argument(what, provider, FUNCTION)
            check_one_argument(what, provider, "context", caller_location())
            self._requests.providers.append((name, provider))
        return self._request(Verb.EXTERNAL, name, as_description(name, desc))

    def modify(self, name: str, type: type[Any] | None = None) -> RequestBuilder:
        """Write to a resource, after its creator and before its readers; ``type`` is for blobs."""
        return self._request(Verb.MODIFY, name, as_blob(name, type))

    def read(self, name: str, type: type[Any] | None = None) -> RequestBuilder:
        """Read a resource after all writers; ``type`` is for blobs."""
        return self._request(Verb.READ, name, as_blob(name, type))

    def history(self, name: str, type: type[Any] | None = None, *, frames: int = 1) -> RequestBuilder:
        """Read the contents that a resource had at the end of the frame ``frames`` ago (1 to 3); ``type`` is for blobs.

        All history readers of a texture or buffer read the same frame.
        """
        return self._request(Verb.HISTORY, name, as_blob(name, type)).from_frames_ago(frames)

    def gather(self, name: str, type: type[Any] | None = None) -> RequestBuilder:
        """Read all instances of a resource that repeats over more dimensions than this node."""
        return self._request(Verb.GATHER, name, as_blob(name, type))

    def rename(self, old: str, new: str, type: type[Any] | None = None) -> RequestBuilder:
        """Continue a resource under a new name, after all uses of the old name."""
        check_argument(f'the new name of "{old}"', new, NAME)
        return self._request(Verb.RENAME, old, as_blob(old, type)).renamed_to(new).bind(last_part(new))

    def chain(
        self,
        name: str,
        *,
        format: str = "",
        before: str | Collection[str] = (),
        after: str | Collection[str] = (),
        priority: int = 0,
        size: Resolution | None = None,
        gather: bool = False,
    ) -> ChainHandles:
        """Join a chain of image effects: sample the previous member's result (``source``), render this node's own.

        Members run by ``before`` and ``after``, which name nodes of the chain, then by decreasing ``priority``, then by
        name. The result is the resource ``CHAIN/NODE``. It has the format and size of ``source`` unless ``format`` and
        ``size`` override both. With ``gather``, ``source`` is an array of all instances over the dimensions that this
        node lacks. The node must then state its dimensions by ``multiplex``, and the following members of the chain
        repeat over the same ones.
        """
        member = self._member(name, before, after, priority)
        check_argument(f'gather in the chain "{name}"', gather, BOOL)
        if any(other.chain == name for other in self._requests.chains):
            raise GraphError(f'"{self._name}" is already in the chain "{name}"', where=caller_location())
        if bool(format) != bool(size):
            raise GraphError(
                f'"{self._name}" gives the chain "{name}" only one of format and size',
                hint="give both, or neither",
                where=caller_location(),
            )
        desc = Texture(format, size) if format and size else None
        check_description(name, desc)
        self._requests.chains.append(member)
        verb = Verb.GATHER if gather else Verb.READ
        source = self._request(verb, "", None, chain=name).sampled().bind("source")
        result = self._request(Verb.CREATE, "", desc, chain=name).color().bind("result")
        return ChainHandles(source, result)

    def _member(self, chain: str, before: object, after: object, priority: int) -> ChainMember:
        check_argument(f'a chain of "{self._name}"', chain, NAME)
        check_argument(f'the priority of "{self._name}" in the chain "{chain}"', priority, WHOLE_NUMBER)
        befores = checked_names(f'a node that "{self._name}" is before in the chain "{chain}"', before)
        afters = checked_names(f'a node that "{self._name}" is after in the chain "{chain}"', after)
        self._requests.order_sources += [(node, caller_location()) for node in (*befores, *afters)]
        return ChainMember(chain, befores, afters, priority)

    def chain_source(self, chain: str, member: str) -> RequestBuilder:
        """Read the input of another node of this plugin, a ``member`` of the chain."""
        check_argument(f'the chain of "{member}"', chain, NAME)
        check_argument(f'a member of the chain "{chain}"', member, NAME)
        node = f"{self._plugin}/{member}" if self._plugin else member
        return self._request(Verb.READ, chain_source_name(chain, node), None)

    def _request(self, verb: Verb, name: str, desc: Texture | Buffer | Blob | None, chain: str = "") -> RequestBuilder:
        where = caller_location()
        if not chain:
            self._check_name(name)
        check_description(name or chain, desc)
        earlier = [r for r in self._requests.resources if r._verb is verb and r._resource == name and r._chain == chain]
        if any(verb in _ONCE or r._part == WHOLE for r in earlier):
            first = next(r for r in earlier if verb in _ONCE or r._part == WHOLE)
            advice = "use the first one's handle for both; two requests are for disjoint parts (.mips, .layers)"
            if first._source.file != where.file:
                advice = "a function that the node calls requests it as well: leave out one of the two"
            raise GraphError(
                f'"{self._name}" has two {verb} requests for "{name or chain}", the first at {first._source}',
                hint=advice,
                where=where,
            )
        request = RequestBuilder(verb, name, where, desc, chain)
        self._requests.resources.append(request)
        return request

    def _check_name(self, name: object, second: object = None, call: str = "") -> None:
        """Raise ``GraphError`` for the first argument of a ``call`` unless it is a name; perhaps the second is it."""
        if isinstance(name, RequestBuilder):
            raise GraphError(
                f'"{self._name}" gives a handle for the name of a resource',
                hint=f'give the name "{name._name_in(self._name)}"',
                where=caller_location(),
            )
        if isinstance(name, str) and name == "":
            raise GraphError(f"{self._name} requests a resource without a name", where=caller_location())
        check_first(f'the name of a resource of "{self._name}"', name, second, call, NAME)

    # uniform blocks ------------------------------------------------------------------------------------------------

    def uniform(self, name: str, values: Any) -> None:
        """Fill the uniform block ``name`` from the attributes or keys of ``values``, which stay as they are.

        For values that change, pass a function without arguments that returns them; it is called in each frame.
        """
        check_first(f'the name of a uniform block of "{self._name}"', name, values, "reg.uniform", NAME)
        self._requests.uniforms.append(uniform_source(self._name, name, values, caller_location()))

    # the node itself ------------------------------------------------------------------------------------------------

    def before(self, *nodes: str) -> None:
        """Run before these nodes, where they exist."""
        check_arguments(f'a node that "{self._name}" runs before', nodes, NAME)
        self._requests.before.extend(nodes)
        self._requests.order_sources += [(node, caller_location()) for node in nodes]

    def after(self, *nodes: str) -> None:
        """Run after these nodes, where they exist."""
        check_arguments(f'a node that "{self._name}" runs after', nodes, NAME)
        self._requests.after.extend(nodes)
        self._requests.order_sources += [(node, caller_location()) for node in nodes]

    def replaces(self, *nodes: str) -> None:
        """Leave these nodes out of the graph, by their full names, where they exist: this one stands in for them."""
        check_arguments(f'a node that "{self._name}" replaces', nodes, NAME)
        self._requests.replaces.extend(nodes)
        self._requests.order_sources += [(node, caller_location()) for node in nodes]

    def multiplex(self, *dimensions: str) -> None:
        """Repeat this node, and the resources that it creates, over these dimensions; over none without arguments.

        Without this call a node repeats over the dimensions of all resources that it uses, except by ``gather``.
        """
        check_arguments(f'a dimension of "{self._name}"', dimensions, NAME)
        self._requests.multiplex = frozenset(dimensions)
        self._requests.dimension_sources += [(dimension, caller_location()) for dimension in dimensions]

    def multiview(self, dimension: str) -> None:
        """Promise that this node can draw all instances of the dimension at once, such as both eyes.

        Where the device supports it, the node runs once for all of them and renders to textures with a layer for each.
        Its shaders are compiled with their number as ``VIEWS`` (docs/writing-plugins.md). Otherwise the node is
        repeated, with the same picture.
        """
        if dimension == "":
            raise GraphError(f'"{self._name}" names no dimension for multiview', where=caller_location())
        check_argument(f'the dimension of "{self._name}" for multiview', dimension, NAME)
        self._requests.multiview = dimension
        self._requests.dimension_sources.append((dimension, caller_location()))

    def side_effects(self) -> None:
        """Keep this node even if its results have no readers."""
        self._requests.side_effects = True

    def priority(self, priority: int) -> None:
        """Order this node among nodes without dependencies on each other: a larger priority runs first (default 0)."""
        check_argument(f'the priority of "{self._name}"', priority, WHOLE_NUMBER)
        self._requests.priority = priority

    def queue(self, *queues: str) -> None:
        """Set the queue classes that this node may run on: ``graphics``, ``compute``, ``copy``.

        Without ``graphics`` it runs on another of them wherever the device has it and the node can. Elsewhere it runs
        on the graphics queue, and the plan gives the reason.
        """
        check_arguments(f'a queue of "{self._name}"', queues, NAME)
        unknown = set(queues) - set(_QUEUES)
        if unknown or not queues:
            raise GraphError(
                f'"{self._name}": unknown queue {", ".join(sorted(unknown)) or "(none)"}',
                hint=one_of(min(unknown, default=""), _QUEUES),
                where=caller_location(),
            )
        self._requests.queues = queues

    def cost(self, cost: float) -> None:
        """Hint how long this node takes, relative to others (by default 1), until its time on the GPU is measured."""
        check_argument(f'the cost of "{self._name}"', cost, FROM_ZERO)
        self._requests.cost = cost

    def state(self, **state: Any) -> None:
        """Set pipeline state for all of this node's pipelines; what a pipeline states itself precedes it."""
        check_state(self._name, state)
        self._requests.state.update(state)
        self._requests.state_source = caller_location()

    def stable(self, *revisions: Revision) -> None:
        """Promise that commands and blobs depend only on what the node requests, so that they are kept.

        The execute function runs again when a blob that it has read gets another value, and when one of the
        ``revisions`` advances: they count changes of what the node depends on besides.
        """
        check_arguments(f'what "{self._name}" is stable for', revisions, REVISION)
        self._requests.stable = True
        self._requests.revisions += revisions

    def every(self, frames: int, *, phase: int = 0) -> None:
        """Run only in frames with ``number % frames == phase``.

        Resources that the node creates or modifies keep their contents in between, in memory of their own.
        """
        check_arguments(f'a number of frames of "{self._name}"', (frames, phase), WHOLE_NUMBER)
        if frames < 1 or not 0 <= phase < frames:
            raise GraphError(
                f'"{self._name}" cannot run every {frames} frames with a phase of {phase}',
                hint="frames must be at least 1, and phase from 0 to frames - 1",
                where=caller_location(),
            )
        self._set_rate(Rate(every=frames, phase=phase))

    def when(self, blob: str) -> None:
        """Run only in frames in which the blob differs (by ``==``) from its value at the node's last run.

        The call is also a read of the blob. The blob's writers may use only blobs, because its value must be known
        before the frame's commands. A value that is mutated in place does not count as changed. In a window the node
        may run in other frames, too, unless it reads a history, or a texture or a buffer of the frame that nodes
        without ``when`` write, or has side effects.
        """
        if blob == "":
            raise GraphError(f'"{self._name}" runs when a blob without a name changes', where=caller_location())
        check_argument(f'the blob that "{self._name}" waits for', blob, NAME)
        self._set_rate(Rate(when=blob))
        self._requests.when = RequestBuilder(Verb.READ, blob, caller_location())

    def _set_rate(self, rate: Rate) -> None:
        given = self._requests.rate_of
        if given:
            raise GraphError(
                f'"{self._name}" has the rate of {given}, and none of its own',
                hint=f"leave out this one: the node runs in the frames in which {given} is drawn",
                where=caller_location(),
            )
        if self._requests.rate != EVERY_FRAME:
            raise GraphError(
                f'"{self._name}" already runs {self._requests.rate}',
                hint=f"a node has one rate: leave out this one, or that of {self._requests.rate_source}",
                where=caller_location(),
            )
        self._requests.rate, self._requests.rate_source = rate, caller_location()

    def fact(self, name: str) -> Any:
        """What is stated under a name, by a node (``add_node(..., facts=...)``) or by the application
        (``FrameGraph.set_fact``); None if nobody states it.

        The node is declared again when that changes.
        """
        check_argument(f'a fact that "{self._name}" asks for', name, NAME)
        return self._requests.asked.setdefault(name, self._facts.get(name))


# One request a resource. The other verbs allow one for each part of a texture.
_ONCE = frozenset({Verb.CREATE, Verb.EXTERNAL, Verb.RENAME})


_QUEUES = ("graphics", "compute", "copy")
