"""The frame graph as an application edits it: nodes, resolutions, slots, chains, counts and external resources."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from operator import attrgetter
from pathlib import Path

from renderwright.render.errors import CODE_FAILURES, GraphError
from renderwright.render.graph.declare import (
    Declare,
    DeclaredNode,
    DeclareFailure,
    NodeSource,
    declare,
    declare_one,
    holds,
)
from renderwright.render.graph.external import ExternalProvider, ExternalProviders
from renderwright.render.graph.facts import facts_of_nodes
from renderwright.render.graph.requests import NodeDeclaration
from renderwright.render.graph.resolutions import resolution_values
from renderwright.render.graph.snapshot import Chain, GraphSnapshot, ResolutionRule, SizeInputs
from renderwright.render.suggest import did_you_mean
from renderwright.render.types.resources import Extent

_MOST_DECLARATIONS = 4096
"""The most declarations that are remembered."""


@dataclass(frozen=True)
class GraphBase:
    """The nodes of a graph that are of no plugin, and all that its names stand for."""

    sources: tuple[NodeSource, ...] = ()
    resolutions: tuple[ResolutionRule, ...] = ()
    slots: tuple[tuple[str, str], ...] = ()
    chains: tuple[Chain, ...] = ()
    sinks: tuple[str, ...] = ()
    dimensions: tuple[str, ...] = ()
    counts: tuple[tuple[str, int], ...] = ()


class FrameGraph:
    """Nodes and names, which can be edited at any time. ``snapshot`` returns the input of the compiler.

    ``revision`` increases with every edit that could change the plan.
    """

    def __init__(self) -> None:
        self.revision = 0
        self.shaders = 0
        """Increases when the shaders of nodes have to be loaded again."""
        self._providers: dict[str, ExternalProvider] = {}
        self._sources: dict[str, NodeSource] = {}
        self._declared: Mapping[str, DeclaredNode] = {}
        self._ahead: dict[str, DeclaredNode] = {}  # declared before the others, until all are
        self._resolutions: dict[str, ResolutionRule] = {}
        self._dynamic: dict[str, Extent] = {}
        self._dynamic_steps = 0
        self._slots: dict[str, str] = {}
        self._chains: dict[str, Chain] = {}
        self._sinks: list[str] = []
        self._dimensions: tuple[str, ...] = ("view", "eye", "sample", "tile")
        self._counts: dict[str, int] = {}
        self._external_formats: dict[str, str] = {}
        self._indices: dict[str, int] = {}
        self._declarations: dict[str, NodeDeclaration] = {}  # the last of each name, also of nodes that have left
        self._facts: Mapping[str, object] = {}

    # nodes ----------------------------------------------------------------------------------------------------------

    def add_node(
        self,
        name: str,
        declare: Declare,
        *,
        plugin: str = "",
        shader_paths: Sequence[Path] = (),
        facts: Mapping[str, object] | None = None,
    ) -> None:
        """Add a node, or replace the one with this name. ``declare`` runs at the next compile.

        While the node is in the graph it states ``facts``: what declare functions may ask for (``Registry.fact``).
        """
        stated = {fact: value for fact, value in (facts or {}).items() if value is not None}
        self._add(NodeSource(name, plugin, self._index_of(name), declare, tuple(shader_paths), facts=stated))

    def add_declaration(self, declaration: NodeDeclaration) -> None:
        """Add or replace a node that comes as data and executes nothing (a skeleton node)."""
        index = self._index_of(declaration.name)
        self._add(NodeSource(declaration.name, declaration.plugin, index, None, (), replace(declaration, index=index)))

    def _index_of(self, name: str) -> int:
        """The node's index. A node that is replaced, or removed and added again, has the same index as before."""
        return self._indices.setdefault(name, len(self._indices) + 1)

    def _add(self, source: NodeSource) -> None:
        if not source.name:
            raise GraphError("a node needs a name")
        self._sources[source.name] = source
        self.revision += 1

    def remove_node(self, name: str) -> None:
        """Remove a node; ``GraphError`` if no node has this name."""
        if name not in self._sources:
            raise self._no_node(name)
        del self._sources[name]
        self.revision += 1

    def _no_node(self, name: str) -> GraphError:
        return GraphError(f'there is no node "{name}"', hint=did_you_mean(name, self._sources))

    def source(self, name: str) -> NodeSource:
        """A node as it was added, for ``restore``; ``GraphError`` if no node has this name."""
        if name not in self._sources:
            raise self._no_node(name)
        return self._sources[name]

    def restore(self, source: NodeSource) -> None:
        """Add a node as it was added before; it replaces the one of its name."""
        self._add(source)

    def reload_shaders(self) -> None:
        """Load the shaders of all nodes again for the next plan. Those whose files have not changed are kept."""
        self.shaders += 1
        self.revision += 1

    @property
    def node_names(self) -> tuple[str, ...]:
        """Every registered node, in order of registration."""
        return tuple(self._sources)

    # names and sizes ------------------------------------------------------------------------------------------------

    def define_resolution(self, rule: ResolutionRule) -> None:
        """Define or redefine an auto-resolution. The size that was allowed to wait may be wanted at once now."""
        before = self._resolutions.get(rule.name)
        if before != rule or (before.may_wait and not rule.may_wait):
            self._resolutions[rule.name] = rule
            self.revision += 1

    def set_resolution(self, name: str, extent: Extent) -> None:
        """Set an auto-resolution to a fixed size, such as ``output`` to the size of the window."""
        width, height = extent
        if width < 1 or height < 1:
            raise GraphError(f'resolution "{name}" cannot be {width} x {height}', hint="both must be at least 1")
        self.define_resolution(ResolutionRule(name, size=(width, height)))

    def resolution(self, name: str) -> Extent:
        """The full size of an auto-resolution in texels, regardless of its dynamic size; ``GraphError`` if unset."""
        full = resolution_values(tuple(self._resolutions.values())).extents
        if name not in full:
            raise GraphError(f'resolution "{name}" has no size', hint=did_you_mean(name, full))
        return full[name]

    def set_dynamic_resolution(self, name: str, extent: Extent | None) -> None:
        """Set the dynamic size of an auto-resolution, in texels; None restores the full size.

        From the next frame on, all textures that follow it use a part of their memory. Nothing is allocated or freed,
        so this may be called in every frame. The previous frame's copy of a texture with a history keeps the extent
        that it was written with. A dynamic size larger than the full size (after a resize, say) is clamped to it.
        Raises ``GraphError`` for a name without a size, or an extent larger than the full size.
        """
        if extent is None:
            if self._dynamic.pop(name, None) is not None:
                self._note_dynamic_step()
            return
        width, height = extent
        most = self.resolution(name)
        if not (1 <= width <= most[0] and 1 <= height <= most[1]):
            raise GraphError(
                f'resolution "{name}" cannot be {width} x {height} for now',
                hint=f"1 x 1 to {most[0]} x {most[1]} is possible; set_resolution changes the full size",
            )
        if self._dynamic.get(name) != (width, height):
            self._dynamic[name] = (width, height)
            self._note_dynamic_step()

    def _note_dynamic_step(self) -> None:
        self.revision += 1
        self._dynamic_steps += 1

    @property
    def static_revision(self) -> int:
        """Increases with every edit except changes of dynamic sizes."""
        return self.revision - self._dynamic_steps

    def set_slot(self, slot: str, resource: str) -> None:
        """Map an indirect name to a resource."""
        self._slots[slot] = resource
        self.revision += 1

    def set_fact(self, name: str, value: object) -> None:
        """State what declare functions may ask for (``Registry.fact``); None takes it back. Nodes that have asked for a
        fact with another value are declared again. Facts compare by ``==``. It goes before what a node states."""
        if self._facts.get(name) == value:
            return
        others = {known: fact for known, fact in self._facts.items() if known != name}
        self._facts = others if value is None else others | {name: value}
        if any(name in node.facts for node in (*self._declared.values(), *self._ahead.values())):
            self.revision += 1

    def add_chain(self, chain: Chain) -> None:
        """Define a chain of image effects."""
        self._chains[chain.name] = chain
        self.revision += 1

    def add_sink(self, resource: str) -> None:
        """Make a resource a sink: the frame is rendered for it."""
        if resource not in self._sinks:
            self._sinks.append(resource)
            self.revision += 1

    def set_dimensions(self, dimensions: Sequence[str]) -> None:
        """Set the multiplexing dimensions, outermost first; ``GraphError`` for a duplicate."""
        if len(set(dimensions)) < len(dimensions):
            raise GraphError(f"duplicate dimension: {', '.join(dimensions)}", hint="name each dimension once")
        self._dimensions = tuple(dimensions)
        self.revision += 1

    def set_count(self, dimension: str, count: int) -> None:
        """Set the number of instances of a dimension."""
        if dimension not in self._dimensions:
            raise GraphError(f'unknown dimension "{dimension}"', hint=did_you_mean(dimension, self._dimensions))
        if count < 1:
            raise GraphError(f'dimension "{dimension}" cannot have {count} instances', hint="1 or more")
        if self._counts.get(dimension, 1) != count:
            self._counts[dimension] = count
            self.revision += 1

    def set_external(self, name: str, provider: ExternalProvider) -> None:
        """Set the provider of an external resource. It overrides the provider of the declaration."""
        self._providers[name] = provider

    def set_external_format(self, name: str, format: str) -> None:
        """Set the format of an external texture where its provider dictates it. It overrides the declared format."""
        if self._external_formats.get(name) != format:
            self._external_formats[name] = format
            self.revision += 1

    # all but the plugins' nodes ------------------------------------------------------------------------------------

    @property
    def base(self) -> GraphBase:
        """The nodes that are of no plugin, and all names and sizes, for ``replace_base``."""
        return GraphBase(
            tuple(source for source in self._sources.values() if not source.plugin),
            tuple(self._resolutions.values()),
            tuple(self._slots.items()),
            tuple(self._chains.values()),
            tuple(self._sinks),
            self._dimensions,
            tuple(self._counts.items()),
        )

    def replace_base(self, base: GraphBase) -> None:
        """Have another base under the nodes of plugins. The providers of external resources stay."""
        plugins = [source for source in self._sources.values() if source.plugin]
        self._sources = {source.name: source for source in (*base.sources, *plugins)}
        self._resolutions = {rule.name: rule for rule in base.resolutions}
        self._slots = dict(base.slots)
        self._chains = {chain.name: chain for chain in base.chains}
        self._sinks = list(base.sinks)
        self._dimensions = base.dimensions
        self._counts = dict(base.counts)
        self.revision += 1

    # for the compiler -----------------------------------------------------------------------------------------------

    def declare(self) -> tuple[DeclareFailure, ...]:
        """Run the declare functions of new and changed nodes. A node that raises is left out of the graph."""
        sources, facts, refused = self._to_declare()
        self._forget_outdated(sources, facts)
        declared, failures = declare(sources, {**self._declared, **self._ahead}, facts)
        if declared != self._declared:
            self._declared = {name: self._like_before(node) for name, node in declared.items()}
        self._ahead.clear()
        return (*refused, *failures)

    def declare_ahead(self, seconds: float) -> bool:
        """Run declare functions of new and changed nodes for so long, at least one; whether those were all.

        Nodes that cannot be declared are left to ``declare``, and so are all if one that was declared ahead is another
        one by now: edits in each frame would keep the others waiting for good.
        """
        end, some = time.perf_counter() + seconds, False
        sources, facts, _ = self._to_declare()
        if self._forget_outdated(sources, facts):
            return True
        for source in sources:
            known = self._ahead.get(source.name) or self._declared.get(source.name)
            if known is not None and holds(known, source, facts):
                continue
            if some and time.perf_counter() >= end:
                return False
            try:
                self._ahead[source.name] = self._like_before(declare_one(source, facts))
            except CODE_FAILURES:
                return True
            some = True
        return True

    def _forget_outdated(self, sources: Iterable[NodeSource], facts: Mapping[str, object]) -> bool:
        """Forget what was declared ahead of nodes that have changed or left since; whether there are any."""
        ahead, self._ahead = self._ahead, {}
        for source in sources:
            if source.name in ahead and holds(ahead[source.name], source, facts):
                self._ahead[source.name] = ahead[source.name]
        return len(self._ahead) < len(ahead)

    @property
    def is_half_declared(self) -> bool:
        """Whether some nodes were declared ahead, and others perhaps not yet."""
        return bool(self._ahead)

    def _to_declare(self) -> tuple[list[NodeSource], dict[str, object], tuple[DeclareFailure, ...]]:
        """The nodes to be declared, the facts that hold for them, and the nodes that state a fact of another one."""
        facts, refused = facts_of_nodes(self._sources.values())
        left_out = {failure.source.name for failure in refused}
        sources = [source for source in self._sources.values() if source.name not in left_out]
        return sources, {**facts, **self._facts}, refused

    def _like_before(self, node: DeclaredNode) -> DeclaredNode:
        """The node with the declaration that one of its name had, if the two are equal.

        Snapshots with the same objects compare fast, and each edit compares its own with those of remembered plans.
        """
        name, declaration = node.source.name, node.declaration
        before = self._declarations.get(name)
        if before is not declaration and before == declaration:
            return replace(node, declaration=before)
        if len(self._declarations) >= _MOST_DECLARATIONS:
            self._declarations.clear()
        self._declarations[name] = declaration
        return node

    def declared(self, name: str) -> DeclaredNode:
        """A declared node by name."""
        return self._declared[name]

    @property
    def declared_nodes(self) -> Mapping[str, DeclaredNode]:
        """All declared nodes by name. The mapping is immutable, and the same object until a node changes."""
        return self._declared

    def providers_of(self, declared: Mapping[str, DeclaredNode]) -> ExternalProviders:
        """The providers of external resources of declared nodes, of this revision or an earlier one."""
        own = {name: provider for node in declared.values() for name, provider in node.providers}
        return ExternalProviders(self._providers, own)

    def snapshot(self) -> GraphSnapshot:
        """The compiler's input; call ``declare`` first."""
        return GraphSnapshot(
            nodes=tuple(sorted((node.declaration for node in self._declared.values()), key=attrgetter("index"))),
            slots=tuple(self._slots.items()),
            chains=tuple(self._chains.values()),
            sinks=tuple(self._sinks),
            dimensions=self._dimensions,
            counts=tuple((name, count) for name, count in self._counts.items() if count != 1),
        )

    def sizes(self, instead: Iterable[ResolutionRule] = ()) -> SizeInputs:
        """The compiler's sizes and formats. Rules given ``instead`` override those of the same names."""
        rules = tuple((self._resolutions | {rule.name: rule for rule in instead}).values())
        return SizeInputs(rules, tuple(self._external_formats.items()), self._dynamic_within(rules))

    def _dynamic_within(self, rules: tuple[ResolutionRule, ...]) -> tuple[tuple[str, Extent], ...]:
        """The dynamic sizes, clamped to the full sizes; those equal to the full size are left out."""
        if not self._dynamic:
            return ()
        full = resolution_values(rules).extents
        within = []
        for name, (width, height) in self._dynamic.items():
            if name in full:
                extent = (min(width, full[name][0]), min(height, full[name][1]))
                if extent != full[name]:
                    within.append((name, extent))
        return tuple(within)
