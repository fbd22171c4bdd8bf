"""Finds what a plan lacks although it was requested: plugins without effect, nodes whose plugin mistypes a name, parts
of the skeleton."""

from __future__ import annotations

import logging
import math
import time
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from renderwright.engine.mistyped_macros import mistyped_macros
from renderwright.engine.mistyped_names import created_by_another, mistyped_names, mistyped_optionals, mistyped_orders
from renderwright.engine.plugins import PluginInfo, PluginStatus
from renderwright.engine.reversed_depth import reversed_depths
from renderwright.engine.skeleton import loaded_skeletons
from renderwright.render.compiler.diagnostics.findings import Removal, RemovalReason, Severity
from renderwright.render.compiler.passes.target_sizes import unequal_targets
from renderwright.render.compiler.values.instances import InstanceGraph
from renderwright.render.compiler.values.plan import Plan
from renderwright.render.errors import GraphError, PluginError, RenderwrightError, SourceLocation
from renderwright.render.graph.requests import last_part
from renderwright.render.runtime.shader_checks.narrow_outputs import narrow_outputs
from renderwright.render.runtime.shader_checks.swapped_outputs import swapped_outputs
from renderwright.render.runtime.shader_checks.unassigned_targets import unassigned_targets
from renderwright.render.runtime.shader_checks.unused_blocks import unused_blocks
from renderwright.render.runtime.shader_checks.unwritten_targets import Pipelines, unwritten_targets
from renderwright.render.types.resources import Extent

_log = logging.getLogger("renderwright.plan")

_NO_PIPELINES: Pipelines = {}

SECONDS_A_FRAME = 0.001
"""Of the render thread, a sixteenth of a frame at 60 Hz."""

FIRST_FRAMES = 4
"""Of a plan, which take longest: a paced review begins behind them."""

_STRICT = "this ends the game because of --strict; without it the game goes on"


@dataclass(frozen=True)
class Finding:
    """What a plan lacks, where that was requested, and what to do; ``plugin`` is '' if it is about the skeleton.

    ``checked``: the checks of a node's commands find it as well.
    """

    plugin: str
    message: str
    hint: str = ""
    where: SourceLocation | None = None
    checked: bool = False

    def error(self, *more: str) -> RenderwrightError:
        """The finding as an error, with ``more`` lines of hints."""
        kind = PluginError if self.plugin else GraphError
        return kind(self.message, hint="\n  ".join(filter(None, (self.hint, *more))), where=self.where)


Steps = Iterator[Finding | None]
"""Findings, and None behind each part of a review that takes a while."""


class Reviewer:
    """Logs the errors of each new plan and the findings on it, each message once. If ``strict``, the first raises.

    ``paced`` reviews of lenient games go on behind each frame for ``SECONDS_A_FRAME``, after the ``FIRST_FRAMES`` of a
    plan; others end in their first frame.
    ``told`` are the lines of what the checks of commands have found; it may grow.
    """

    def __init__(self, *, strict: bool, paced: bool = False, told: Collection[SourceLocation] = ()) -> None:
        self._strict = strict
        self._told = told
        self._paced = paced and not strict
        self._first = 0  # frames before the review of this plan
        self._steps: Steps = iter(())
        self._graph: InstanceGraph | None = None
        self._extents: tuple[tuple[str, Extent], ...] = ()
        self._pipelines = _NO_PIPELINES
        self._said: set[str] = set()

    def see(
        self, plan: Plan, plugins: Callable[[], Iterable[PluginStatus]], pipelines: Pipelines = _NO_PIPELINES
    ) -> None:
        """Go on with the review of a frame's plan and its ``pipelines``, or begin one unless the last had the same
        nodes, pipelines and sizes, dynamic ones aside; ``plugins`` gives those that may have lost theirs.

        Raises ``PluginError`` or ``GraphError`` if strict.
        """
        extents = plan.placement.planned_extents
        if plan.graph is not self._graph or extents != self._extents or not self._has_seen(pipelines):
            self._graph, self._extents = plan.graph, extents
            statuses = tuple(plugins())
            parts = _errors(plan), _review(plan, statuses), _review_of_shaders(plan, pipelines, statuses)
            self._steps = chain.from_iterable(parts)
            self._first = FIRST_FRAMES if self._paced else 0
        self._pipelines = pipelines
        if self._first:
            self._first -= 1
            return
        end = time.perf_counter() + (SECONDS_A_FRAME if self._paced else math.inf)
        for finding in self._steps:
            if finding is not None:
                self._tell(finding)
            if time.perf_counter() >= end:
                break

    def _has_seen(self, pipelines: Pipelines) -> bool:
        return pipelines is self._pipelines or pipelines == self._pipelines

    def _tell(self, finding: Finding) -> None:
        if finding.checked and finding.where in self._told:
            return
        if self._strict:
            raise finding.error(_STRICT)
        if finding.message not in self._said:
            self._said.add(finding.message)
            _log.warning("%s", finding.error())


def findings(plan: Plan, plugins: Iterable[PluginStatus]) -> tuple[Finding, ...]:
    """The errors of a plan, and what it lacks; ``plugins`` are those that may have lost their nodes."""
    return (*_errors(plan), *review(plan, plugins))


def _errors(plan: Plan) -> Iterator[Finding]:
    """The errors of the plan, which the compiler has repaired by removing something."""
    for problem in plan.problems:
        if problem.severity is Severity.ERROR:
            # Sinks, slots and chains have no line of their own: they are the skeleton's.
            where = problem.where[0] if problem.where else _in_skeleton(plan, None)
            yield Finding("", problem.message, problem.hint, where)


def review(plan: Plan, plugins: Iterable[PluginStatus]) -> tuple[Finding, ...]:
    """What the plan lacks. Beside a broken skeleton, plugins without effect are a consequence, and not named."""
    return tuple(finding for finding in _review(plan, plugins) if finding is not None)


def _review(plan: Plan, plugins: Iterable[PluginStatus]) -> Steps:
    broken = tuple(_broken_skeleton(plan))
    if broken:
        yield from broken
        return
    without_effect = tuple(_plugins_without_effect(plan, plugins))
    yield from without_effect
    told = {finding.plugin for finding in without_effect}
    for check in (_lacking_nodes, _idle_nodes, _lost_orders, _absent_names):
        yield from (finding for finding in check(plan) if finding is None or finding.plugin not in told)
        yield None
    yield from _cut_pictures(plan)
    yield from _reversed_depths(plan)
    yield None


def _lacking_nodes(plan: Plan) -> Iterator[Finding]:
    """Each node that has been removed because its plugin mistypes a name."""
    for name in mistyped_names(plan):
        message = f'plugin "{name.plugin}" lacks its node `{name.node}`: {name.why}'
        yield Finding(name.plugin, message, where=name.where)


def _cut_pictures(plan: Plan) -> Iterator[Finding]:
    """Each node that renders to targets of several sizes."""
    for found in unequal_targets(plan):
        yield Finding(found.node.declaration.plugin, found.message, found.hint, found.where)


def _reversed_depths(plan: Plan) -> Iterator[Finding]:
    """Each node of a plugin whose depth test is the wrong way around."""
    for found in reversed_depths(plan):
        yield Finding(found.plugin, f'plugin "{found.plugin}": {found.message}', found.hint, found.where)


def _review_of_shaders(plan: Plan, pipelines: Pipelines, plugins: Iterable[PluginStatus]) -> Steps:
    """Each node with a render target that its shaders do not write as it is requested, and each mistyped macro."""
    for lacking in unwritten_targets(plan, pipelines):
        yield Finding(lacking.node.declaration.plugin, lacking.message, lacking.hint, lacking.where, checked=True)
    of_plugins = (node for node in plan.graph.nodes if node.declaration.plugin)
    found_targets = (
        unassigned_targets(of_plugins, pipelines),
        narrow_outputs(plan, pipelines),
        swapped_outputs(plan, pipelines),
    )
    for target in chain.from_iterable(found_targets):
        if target is None:
            yield None
            continue
        yield Finding(target.node.declaration.plugin, target.message, target.hint, target.where)
    with_settings = {status.name for status in plugins if status.settings is not None}
    for block in unused_blocks(plan, pipelines, with_settings):
        yield None if block is None else Finding(block.node.plugin, block.message, block.hint, block.where)
    for found in mistyped_macros(plan, pipelines):
        if found is None:
            yield None
            continue
        message = f'plugin "{found.plugin}": no request of `{found.node}` defines {found.macro}, which counts as 0'
        yield Finding(found.plugin, message, f"did you mean {found.meant}?", found.where)


def _idle_nodes(plan: Plan) -> Iterator[Finding]:
    """Each node of a plugin that has an execute function and requests nothing, so that the compiler leaves it out."""
    for node in plan.resolved.nodes:
        declared = node.declaration
        if declared.plugin and declared.executes and not declared.requests and not declared.side_effects:
            message = f'plugin "{declared.plugin}" lacks its node `{declared.name}`: it executes, but requests nothing'
            hint = "let it request what it makes; a function that returns the declare function has to be "
            hint += f"called where the node is added, {_call_of(declared.name)}, and not within another lambda"
            yield Finding(declared.plugin, message, hint, declared.source)


def _call_of(node: str) -> str:
    """How the declare function of a node such as ``sails/cast_2`` may be called: ``cast(2)``."""
    name, _, number = last_part(node).rpartition("_")
    return f"{name}({number})" if name and number.isdecimal() else "such as cast(0)"


def _lost_orders(plan: Plan) -> Iterator[Finding]:
    """Each before, after and replaces of a plugin's node that has no effect because it mistypes a name."""
    for order in mistyped_orders(plan):
        message = f'plugin "{order.plugin}": `{order.node}` {order.why}'
        yield Finding(order.plugin, message, "without that node this has no effect", order.where)


def _absent_names(plan: Plan) -> Steps:
    """Each optional request of a plugin's node that finds nothing because it mistypes a name."""
    for name in mistyped_optionals(plan):
        if name is None:
            yield None
            continue
        message = f'plugin "{name.plugin}": `{name.node}` {name.why}'
        yield Finding(name.plugin, message, where=name.where)


def _plugins_without_effect(plan: Plan, plugins: Iterable[PluginStatus]) -> Iterator[Finding]:
    """Each plugin all of whose nodes have been removed, unless an error of the plan says why, or it waits for
    something that a scene may have, and this scene has not."""
    present = {node.declaration.name for node in plan.graph.nodes}
    known = _declared(plan)
    errors = [problem for problem in plan.problems if problem.severity is Severity.ERROR]
    for status in plugins:
        if status.info is not None and _waits(status.info, known):
            continue
        if status.nodes and present.isdisjoint(status.nodes):
            removals = [removal for removal in plan.removed if _node_of(removal) in status.nodes]
            if not removals:
                continue
            first = min(removals, key=_significance)
            if not any(error.message in first.message for error in errors):
                message = f'plugin "{status.name}" adds nothing to the frame: {first.message}'
                name = f"--enable {status.name} --explain {_node_of(first)}"
                named = created_by_another(plan, status.name, first.missing)
                shows = f"`renderwright graph GAME {name}` shows more"
                hint = "\n  ".join(filter(None, (_skeletons_with(first.missing), named, shows)))
                yield Finding(status.name, message, hint, first.where)


def _skeletons_with(resource: str) -> str:
    """Which skeletons that come with the engine have a resource, '' if none has."""
    names = [f'"{skeleton.name}"' for skeleton in loaded_skeletons() if resource in skeleton.created]
    if not names:
        return ""
    has = f"the skeleton {' or '.join(names)} has `{resource}`"
    return f"{has}: set skeleton = {names[0]} in the game, or disable the plugin"


def is_waiting(plan: Plan, info: PluginInfo) -> bool:
    """Whether a plugin waits for something that the scene of a plan may have."""
    return _waits(info, _declared(plan))


def _declared(plan: Plan) -> frozenset[str]:
    """The names of all nodes, those of removed ones, too."""
    nodes = (*plan.resolved.left_out, *(node.declaration for node in plan.resolved.nodes))
    return frozenset(node.name for node in nodes)


def _waits(info: PluginInfo, known: Collection[str]) -> bool:
    """Whether a plugin waits for something. Of placed things the graph has a node with the name of their rows."""
    placed = {kind.table().rows(1.0).name for kind in info.placed}
    return info.waits or bool(info.surfaces) or (bool(placed) and placed.isdisjoint(known))


def _broken_skeleton(plan: Plan) -> Iterator[Finding]:
    """Each node of the skeleton or the engine that lacks a resource, those first that miss what nobody creates."""
    own = {node.name for node in plan.resolved.left_out if not node.plugin}
    own |= {node.name for node in plan.resolved.nodes if not node.declaration.plugin}
    for removal in sorted(plan.removed, key=lambda removal: not removal.missing):
        if removal.reason is RemovalReason.BROKEN and _node_of(removal) in own:
            where = _in_skeleton(plan, removal.where)
            hint = f"create `{removal.missing}` in a node of the skeleton, or by a chain" if removal.missing else ""
            if (
                where == removal.where
                and f"needs `{removal.missing}`" in removal.why
                and "did you mean" in removal.message
            ):
                # The skeleton states the name itself.
                hint = f"correct the name, or {hint}"
            yield Finding("", f"the skeleton is incomplete: {removal.message}", hint, where)


def _in_skeleton(plan: Plan, where: SourceLocation | None) -> SourceLocation | None:
    """A place in the skeleton's file: ``where``, or the file alone if that is a line of the engine."""
    nodes = (*plan.resolved.left_out, *(node.declaration for node in plan.resolved.nodes))
    files = {node.source.file for node in nodes if not node.plugin and Path(node.source.file).suffix != ".py"}
    if where is not None and where.file in files:
        return where
    return SourceLocation(min(files)) if files else where


def _node_of(removal: Removal) -> str:
    """The name of a removed node or node instance."""
    return removal.node.partition("@")[0]


def _significance(removal: Removal) -> tuple[bool, bool, bool, str]:
    """Sort key: a missing resource before its consequences, these before a result that nobody reads, and a near miss
    first of all."""
    message, dangling = removal.message, removal.reason is RemovalReason.DANGLING
    return "did you mean" not in message, dangling, "nobody creates" not in message, removal.node


def require_sound_barriers(plan: Plan) -> None:
    """Raise ``CompileError`` if the oracle finds fault with a plan's barriers. Only ``--verify`` imports the oracle."""
    from renderwright.render.inspect.plan_stream import require_sound

    require_sound(plan)
