"""A node's requests and declaration, as frozen values."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from renderwright.render.errors import SourceLocation
from renderwright.render.types.parts import WHOLE, Part
from renderwright.render.types.resources import ClearValue, ResourceDesc
from renderwright.render.types.sampling import DEFAULT_SAMPLING, Sampling
from renderwright.render.types.shader_parts import ShaderPart
from renderwright.render.types.usages import ShaderStage, ShaderStages, Usage


class Verb(StrEnum):
    """The relation of a node to a resource name (semantics of the graph)."""

    CREATE = "create"
    EXTERNAL = "external"
    MODIFY = "modify"
    READ = "read"
    RENAME = "rename"
    HISTORY = "history"
    GATHER = "gather"


class FirstFrame(StrEnum):
    """The contents of a history without a previous frame."""

    CLEAR = "clear"
    DISCARD = "discard"
    INVALID = "invalid"


OLDEST = 3
"""The greatest age of a history, in frames."""


@dataclass(frozen=True)
class Request:
    """A node's request for one resource.

    ``name`` is the resource's name; it is empty in a chain member's two requests until the chain is resolved.
    ``binding`` is its name in shaders. ``to`` is the new name of a rename. ``usage`` is None for blobs. ``stages`` are
    those of the shaders that use it, none for the default of the node. ``desc`` is set by creators and externals, and
    by readers of a blob for its type. ``clear`` is the initial value that a creator
    requests; None leaves the contents undefined. ``part`` is the range of mips and layers that the node uses.
    ``frames`` is the age of a history. ``otherwise`` is the value of all channels where an optional texture is absent,
    or of the block where a blob is; without it shaders leave its declaration out.
    """

    verb: Verb
    name: str
    source: SourceLocation
    binding: str = ""
    usage: Usage | None = None
    stages: ShaderStages = ()
    desc: ResourceDesc | None = None
    optional: bool = False
    to: str = ""
    first: FirstFrame = FirstFrame.CLEAR
    clear: ClearValue | None = None
    sampling: Sampling = DEFAULT_SAMPLING
    chain: str = ""
    part: Part = WHOLE
    frames: int = 1
    otherwise: Any = None

    @property
    def creates(self) -> str:
        """The name that this request creates, or ''."""
        if self.verb in (Verb.CREATE, Verb.EXTERNAL):
            return self.name
        return self.to if self.verb is Verb.RENAME else ""

    @property
    def presence_macro(self) -> str:
        """The macro by which shaders see whether an optional resource exists, '' if there is none."""
        return f"HAS_{self.binding.upper()}" if self.optional and self.otherwise is None else ""

    @property
    def words(self) -> str:
        """The resource in messages: its name, or what it is in a chain, whose requests have no names."""
        of = "the history of " if self.verb is Verb.HISTORY else ""
        if self.name:
            return f'{of}"{self.name}"'
        return f'the {"result in" if self.verb is Verb.CREATE else "source of"} the chain "{self.chain}"'


@dataclass(frozen=True)
class ChainMember:
    """A node's position in a chain: the nodes that it comes before and after; then a larger priority comes first."""

    chain: str
    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()
    priority: int = 0


def last_part(name: str) -> str:
    """A name without its namespaces: ``map`` of ``shadows/map``."""
    return name.rpartition("/")[2]


def chain_result_name(chain: str, node: str) -> str:
    """The name of the result of a chain's member ``node``."""
    return f"{chain}/{node}"


def chain_source_name(chain: str, node: str) -> str:
    """The name of the input of a chain's member ``node``, for other readers."""
    return f"{chain}/{node}.source"


def is_chain_source(name: str) -> bool:
    """Whether a name has the form of that of the input of a chain's member."""
    return name.endswith(".source") and "/" in name


def is_source_of(name: str, node: str) -> bool:
    """Whether a name is that of the input of ``node`` in a chain."""
    return name.endswith(f"/{node}.source")


@dataclass(frozen=True)
class PipelineRequest:
    """A request for a pipeline: shader files by stage, fixed-function state, preprocessor defines.

    ``kind`` is "graphics" or "compute". ``shaders`` are (stage, file) pairs; ``state`` and ``defines`` are sorted
    (key, value) pairs. Attachment formats come from the node's requests. A ``fullscreen`` pipeline writes every texel
    of its targets once: its fragment shader may run as a compute shader. ``parts`` are those of its shaders.
    """

    kind: str
    shaders: tuple[tuple[ShaderStage, str], ...]
    source: SourceLocation
    state: tuple[tuple[str, Any], ...] = ()
    defines: tuple[tuple[str, str], ...] = ()
    fullscreen: bool = False
    parts: tuple[ShaderPart, ...] = ()


@dataclass(frozen=True)
class Rate:
    """When a node runs: in frames with ``number % every == phase``, or when the blob ``when`` differs from its value
    at the node's last run. Every node runs in the very first frame.
    """

    every: int = 1
    phase: int = 0
    when: str = ""

    def __str__(self) -> str:
        if self.when:
            return f"when `{self.when}` changes"
        if self.every == 1:
            return "in every frame"
        return f"every {self.every} frames" + (f", {self.phase} later" if self.phase else "")


EVERY_FRAME = Rate()


@dataclass(frozen=True)
class NodeDeclaration:
    """A node's declaration as a value.

    ``name`` includes the plugin's namespace (``plugin/node``). ``index`` is the order of registration, the last
    tie-break. ``multiplex`` None means the dimensions of the resources that the node uses. ``multiview`` is the
    dimension whose instances the node can draw at once ('' for none). A node whose ``executes`` is False orders others
    and records nothing. ``replaces`` are the nodes that are left out of the graph because of this one.
    ``order_sources`` are the lines that declare ``before``, ``after`` and ``replaces``, by the other node's name,
    ``dimension_sources`` those that declare ``multiplex`` and ``multiview``, by the dimension, ``block_sources`` those
    that fill uniform blocks, by the block.
    """

    name: str
    plugin: str
    source: SourceLocation
    index: int = 0
    requests: tuple[Request, ...] = ()
    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()
    multiplex: frozenset[str] | None = None
    side_effects: bool = False
    priority: int = 0
    queues: tuple[str, ...] = ("graphics",)
    cost: float = 1.0
    state: tuple[tuple[str, Any], ...] = ()
    chains: tuple[ChainMember, ...] = ()
    pipelines: tuple[PipelineRequest, ...] = ()
    executes: bool = True
    stable: bool = False
    rate: Rate = EVERY_FRAME
    multiview: str = ""
    replaces: tuple[str, ...] = ()
    order_sources: tuple[tuple[str, SourceLocation], ...] = ()
    dimension_sources: tuple[tuple[str, SourceLocation], ...] = ()
    block_sources: tuple[tuple[str, SourceLocation], ...] = ()

    def ordered_at(self, other: str) -> SourceLocation:
        """Where this node is declared to run before or after another one, or to replace it; its own place if no line is
        known."""
        return next((source for name, source in self.order_sources if name == other), self.source)

    def repeated_at(self, dimension: str) -> SourceLocation:
        """Where this node is declared to repeat over a dimension, or to draw all of it at once; its own place if no
        line is known."""
        return next((source for name, source in self.dimension_sources if name == dimension), self.source)
