"""What a declare function requests, collected until it returns."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from renderwright.render.errors import GraphError, SourceLocation
from renderwright.render.graph.external import ValueProvider
from renderwright.render.graph.handles import PipelineHandle
from renderwright.render.graph.parts import check_parts
from renderwright.render.graph.pipeline_state import check_depth, check_reach
from renderwright.render.graph.request_builder import RequestBuilder
from renderwright.render.graph.requests import EVERY_FRAME, ChainMember, NodeDeclaration, Rate, Verb
from renderwright.render.graph.revision import Revision
from renderwright.render.graph.source import caller_location
from renderwright.render.graph.uniform_source import UniformSource


@dataclass
class NodeRequests:
    """All requests of one node.

    ``state_source`` is the line that sets its state. ``rate_source`` is the line that asks for its rate, ``rate_of``
    what gives it one, '' if nothing does. ``asked`` are the facts that it has asked for, with values.
    """

    name: str
    plugin: str
    resources: list[RequestBuilder] = field(default_factory=list)
    pipelines: list[PipelineHandle] = field(default_factory=list)
    uniforms: list[UniformSource] = field(default_factory=list)
    providers: list[tuple[str, ValueProvider]] = field(default_factory=list)
    chains: list[ChainMember] = field(default_factory=list)
    before: list[str] = field(default_factory=list)
    after: list[str] = field(default_factory=list)
    order_sources: list[tuple[str, SourceLocation]] = field(default_factory=list)
    dimension_sources: list[tuple[str, SourceLocation]] = field(default_factory=list)
    replaces: list[str] = field(default_factory=list)
    multiplex: frozenset[str] | None = None
    multiview: str = ""
    side_effects: bool = False
    priority: int = 0
    queues: tuple[str, ...] = ("graphics",)
    cost: float = 1.0
    state: dict[str, Any] = field(default_factory=dict)
    state_source: SourceLocation | None = None
    stable: bool = False
    revisions: list[Revision] = field(default_factory=list)
    rate: Rate = EVERY_FRAME
    rate_source: SourceLocation | None = None
    rate_of: str = ""
    when: RequestBuilder | None = None
    asked: dict[str, object] = field(default_factory=dict)

    def declaration(self, source: SourceLocation, index: int, executes: bool) -> NodeDeclaration:
        """The requests as a value; ``GraphError`` for pipelines without an execute function, for their depth, or for
        state that reaches none of them."""
        if self.pipelines and not executes:
            raise GraphError(
                f'"{self.name}" declares a pipeline, but no execute function that uses it',
                hint="return the execute function at the end of the declare function",
                where=source,
            )
        when = self.when
        if when is not None and not any(r._verb is Verb.READ and r._resource == when._resource for r in self.resources):
            self.resources.append(when)
        check_parts(self.name, self.resources)
        requests = tuple(request.build() for request in self.resources)
        pipelines = tuple(handle.request for handle in self.pipelines)
        check_depth(self.name, pipelines, requests, self.state, self.state_source or source)
        if self.state:
            check_reach(self.name, self.state, self.state_source or source, pipelines)
        return NodeDeclaration(
            name=self.name,
            plugin=self.plugin,
            source=source,
            index=index,
            requests=requests,
            before=tuple(self.before),
            after=tuple(self.after),
            order_sources=tuple(self.order_sources),
            dimension_sources=tuple(self.dimension_sources),
            block_sources=tuple((uniform.name, uniform.source) for uniform in self.uniforms),
            multiplex=self.multiplex,
            side_effects=self.side_effects,
            priority=self.priority,
            queues=self.queues,
            cost=self.cost,
            state=tuple(sorted(self.state.items())),
            chains=tuple(self.chains),
            pipelines=pipelines,
            executes=executes,
            stable=self.stable,
            rate=self.rate,
            multiview=self.multiview,
            replaces=tuple(self.replaces),
        )


class Declaring:
    """What a declare function makes its requests through. All that it sees of them are verbs.

    Each verb reaches the requests by ``_requests``, so this one place refuses them once declare has returned.
    """

    def __init__(self, requests: NodeRequests) -> None:
        self._name = requests.name
        self._plugin = requests.plugin
        self._made = requests
        self._ended = False

    @property
    def _requests(self) -> NodeRequests:
        if self._ended:
            raise GraphError(
                f'"{self._name}" makes a request after its declare function has returned',
                hint="make it in the declare function, and use its handle in the execute function; "
                "the frame is compiled between the two",
                where=caller_location(),
            )
        return self._made


def requested(reg: Declaring) -> NodeRequests:
    """All requests so far. No method of the registry, so that a misspelt verb does not meet it."""
    return reg._made


def end_declaring(reg: Declaring) -> NodeRequests:
    """All requests of a declare function that has returned. Any more raise ``GraphError``."""
    reg._ended = True
    return reg._made
