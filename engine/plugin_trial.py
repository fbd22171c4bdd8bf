"""Tries a plugin in a game's frame without a GPU: its nodes with their resources, or why it adds nothing."""

from __future__ import annotations

import traceback
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from renderwright.engine.frame import build_frame
from renderwright.engine.games import find_game
from renderwright.engine.options import PluginChoice
from renderwright.engine.plan_review import review
from renderwright.engine.plugins.discovery import FoundPlugin
from renderwright.engine.plugins.reasons import reason_of
from renderwright.engine.plugins.status import PluginStatus
from renderwright.engine.renderer.frame_input import FrameInput
from renderwright.engine.renderer.gpu_scene import GpuScene
from renderwright.engine.scene.scene import Scene
from renderwright.render.backend.null.backend import NullBackend
from renderwright.render.compiler.diagnostics.findings import Severity
from renderwright.render.compiler.pipeline import compile_snapshot
from renderwright.render.compiler.values.options import CompileOptions
from renderwright.render.compiler.values.plan import Plan
from renderwright.render.errors import RenderwrightError
from renderwright.render.graph.requests import NodeDeclaration, Verb
from renderwright.render.graph.snapshot import GraphSnapshot
from renderwright.render.memory.needs import RowMajorModel
from renderwright.render.memory.policy import PackPolicy
from renderwright.render.runtime.blame import breaking

_EXTENT = (1280, 720)


@dataclass(frozen=True)
class TriedNode:
    """A node of a plugin, and the names of the resources and blobs that it uses.

    ``present`` says whether the node is in the frame, ``reason`` why it is not. ``histories`` are read as they were in
    an earlier frame. A member of the chains ``chains`` reads the result of the member before it and creates its own.
    """

    name: str
    present: bool
    creates: tuple[str, ...] = ()
    modifies: tuple[str, ...] = ()
    reads: tuple[str, ...] = ()
    histories: tuple[str, ...] = ()
    chains: tuple[str, ...] = ()
    reason: str = ""


@dataclass(frozen=True)
class Trial:
    """A plugin tried in the frame of an empty scene.

    ``fault`` is why it is left out of the frame, adds nothing to it or lacks a node by a mistake of its own, '' if
    nothing is wrong. ``nodes`` are its nodes; there are none if one of them cannot be declared.
    """

    status: PluginStatus
    fault: str = ""
    nodes: tuple[TriedNode, ...] = ()


def try_plugin(
    source: str, plugin: str, choice: PluginChoice | None = None, found: Sequence[FoundPlugin] | None = None
) -> Trial:
    """Compile a game's frame with a plugin of those that are ``found`` (None: looked for); ``choice`` has the others.

    Raises ``UsageError`` for unknown names.
    """
    choice = choice or PluginChoice()
    choice = replace(
        choice,
        enable=tuple(dict.fromkeys((*choice.enable, plugin))),
        disable=tuple(name for name in choice.disable if name != plugin),
    )
    frame = FrameInput.of(Scene(), GpuScene(NullBackend()))
    built = build_frame(find_game(source), choice, _EXTENT, frame, backend="vulkan", found=found)
    failures = [each for each in built.graph.declare() if each.source.plugin == plugin]
    status, module = built.plugins.status(plugin), built.plugins.found(plugin).module
    if failures:
        error = failures[0].error
        failed = replace(status, traceback="".join(traceback.format_exception(error)))
        return Trial(failed, reason_of(error, failures[0].source.name, "declare", module=module))
    if status.reason:
        return Trial(status, status.reason)
    snapshot = built.graph.snapshot()
    sizes = built.graph.sizes()

    # Which nodes are in the frame is known without barriers.
    options = CompileOptions(executed=False, packing=PackPolicy.FAST)

    def compiled(some: GraphSnapshot) -> Plan:
        return compile_snapshot(some, sizes, options, RowMajorModel())

    try:
        plan = compiled(snapshot)
    except RenderwrightError as error:
        return Trial(status, reason_of(error, module=module))
    except Exception:
        failure = breaking(snapshot, compiled)
        if failure is None:
            raise
        return Trial(status, reason_of(failure.error, failure.node, module=module))
    reviewed = review(plan, built.plugins.enabled_without_views())
    findings = {finding.plugin: str(finding.error()) for finding in reversed(reviewed)}
    present = {node.declaration.name for node in plan.graph.nodes}
    reasons = {removal.node.partition("@")[0]: removal.message for removal in reversed(plan.removed)}
    own = [node for node in snapshot.nodes if node.plugin == plugin]
    nodes = tuple(_tried(node, node.name in present, reasons.get(node.name, "")) for node in own)
    return Trial(status, _fault(plan, plugin, findings), nodes)


def _fault(plan: Plan, plugin: str, findings: dict[str, str]) -> str:
    rejections = {rejection.node.partition("/")[0]: str(rejection.problem) for rejection in plan.resolved.rejected}
    errors = [str(each) for each in plan.problems if each.severity is Severity.ERROR and f"`{plugin}/" in each.message]
    return rejections.get(plugin) or findings.get(plugin) or findings.get("") or next(iter(errors), "")


def _tried(node: NodeDeclaration, present: bool, reason: str) -> TriedNode:
    def names(*verbs: Verb) -> tuple[str, ...]:
        return _unique(request.name for request in node.requests if request.name and request.verb in verbs)

    return TriedNode(
        node.name,
        present,
        creates=names(Verb.CREATE, Verb.EXTERNAL),
        modifies=names(Verb.MODIFY, Verb.RENAME),
        reads=names(Verb.READ, Verb.GATHER),
        histories=names(Verb.HISTORY),
        chains=_unique(member.chain for member in node.chains),
        reason="" if present else reason,
    )


def _unique(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(names))
