"""A plan as JSON values, schema 1 (docs/plan-format.md describes every field)."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import Any

from renderwright.render.compiler.diagnostics.findings import Problem, Severity
from renderwright.render.compiler.rates import is_rated
from renderwright.render.compiler.values.instances import NodeInstance, ResourceInstance
from renderwright.render.compiler.values.passes import Pass
from renderwright.render.compiler.values.placement import PlacedResource
from renderwright.render.compiler.values.plan import Plan
from renderwright.render.inspect.coalesced import Coalesced, Row, rows
from renderwright.render.inspect.frames import frame_plans, resting_nodes
from renderwright.render.inspect.words import COPY_NAMES, copy_name, edge_reason, flag_words, layout_word, move_text
from renderwright.render.sync.barriers import Barrier, BarrierBatch
from renderwright.render.sync.images import ImageReuse
from renderwright.render.types.attachments import Attachment
from renderwright.render.types.parts import Part
from renderwright.render.types.physical import TextureInfo
from renderwright.render.types.views import view_mask

SCHEMA = 1


def plan_to_json(plan: Plan, frames: int = 2) -> dict[str, Any]:
    """The whole plan as dicts, lists, strings and numbers; equal plans give equal values.

    The barriers are those of the first ``frames`` frames. Frame 0 is even.
    """
    parts = list(frame_plans(plan, frames))
    placed = {item.id: item for item in plan.placement.resources}
    return {
        "schema": SCHEMA,
        "nodes": [_node(node, plan, number) for number, node in enumerate(plan.graph.nodes)],
        "edges": [[edge.before, edge.after, edge_reason(edge)] for edge in plan.graph.edges],
        "resources": [_resource(item, placed.get(item.id), plan.sync.image_reuse) for item in plan.graph.resources],
        "heaps": [{"class": heap.memory_class, "size": heap.size, "load": heap.load} for heap in plan.placement.heaps],
        "frames": [
            {"frame": frame, "copy": COPY_NAMES[frame % 2], "resting": sorted(resting_nodes(plan, frame))}
            for frame in range(frames)
        ],
        "barriers": [
            barrier
            for frame, part in enumerate(parts)
            for batch, found in rows(part.sync, frame % 2)
            for barrier in _batch(frame, batch, found, part)
        ],
        "state": [
            {"node": plan.graph.nodes[change.node].id, "changes": {key: _plain(value) for key, value in change.changes}}
            for change in plan.pass_plan.changes
        ],
        "state_saved": plan.pass_plan.saved,
        "passes": [_pass(number, item, plan) for number, item in enumerate(plan.pass_plan.passes)],
        "removed": [
            {"node": removal.node, "reason": removal.reason.value, "message": removal.message}
            for removal in plan.removed
        ],
        "notes": [_problem(problem) for problem in plan.problems if problem.severity is Severity.NOTE],
        "errors": [_problem(problem) for problem in plan.problems if problem.severity is Severity.ERROR],
    }


def _node(node: NodeInstance, plan: Plan, number: int) -> dict[str, Any]:
    declaration = node.declaration
    reason = plan.queues.reasons[number]
    return {
        "id": node.id,
        "name": declaration.name,
        "index": dict(node.index),
        "plugin": declaration.plugin,
        "source": str(declaration.source),
        "queue": plan.queues.queues[number],
        **({"queue_reason": reason} if reason else {}),
        **({"late_until": _wait_point(plan, number)} if number in plan.queues.wait_points else {}),
        **({"rate": str(declaration.rate)} if is_rated(declaration) else {}),
        **_moved(node, plan),
        **_views(node, plan),
        **_fullscreen(node, plan),
    }


def _moved(node: NodeInstance, plan: Plan) -> dict[str, Any]:
    """How far the search for less memory has moved the node, and why."""
    moves = plan.graph.preferred.moves if plan.graph.preferred is not None else ()
    move = next((move for move in moves if move.node == node.id), None)
    return {"moved": {"places": move.places, "resource": move.resource, "message": move_text(move)}} if move else {}


def _views(node: NodeInstance, plan: Plan) -> dict[str, Any]:
    """The node's multiview dimension and number of views, or the reason why a multiview node is repeated instead."""
    if node.views is not None:
        return {"multiview": {"dimension": node.views.dimension, "views": node.views.count}}
    apart = next((one for one in plan.graph.apart if one.node == node.declaration.name), None)
    return {"multiview_obstacle": {"reason": apart.reason.value, "message": apart.message}} if apart else {}


def _fullscreen(node: NodeInstance, plan: Plan) -> dict[str, Any]:
    """How a full-screen node runs, and the reason if it has to draw where others run as compute shaders."""
    pipelines = [pipeline for pipeline in node.declaration.pipelines if pipeline.fullscreen]
    if not pipelines:
        return {}
    drawn = next((one for one in plan.resolved.drawn if one.node == node.declaration.name), None)
    reason = {"fullscreen_obstacle": drawn.reason} if drawn is not None else {}
    return {"fullscreen": "compute" if pipelines[0].kind == "compute" else "fragment", **reason}


def _wait_point(plan: Plan, number: int) -> str:
    wait_point = plan.queues.wait_points[number]
    return plan.graph.nodes[wait_point].id if wait_point < len(plan.graph.nodes) else ""


def _resource(item: ResourceInstance, placed: PlacedResource | None, reuse: ImageReuse) -> dict[str, Any]:
    info = placed.info if placed else None
    texture = info if isinstance(info, TextureInfo) else None
    copies = placed.copies if placed else ()
    return {
        "id": item.id,
        "names": list(item.resource.names),
        "kind": item.resource.desc.kind,
        "format": texture.format if texture else None,
        "extent": list(texture.extent) if texture else None,
        "mips": texture.mips if texture else None,
        "layers": texture.layers if texture else None,
        "samples": texture.samples if texture else None,
        "cube": texture.cube if texture else None,
        "size": placed.size if placed else 0,
        "alignment": placed.alignment if placed else 0,
        "copies": {
            copy_name(number): {"heap": copy.heap, "offset": copy.offset, "arc": list(copy.live_range)}
            | ({"image": reuse.image_names[item.id, number]} if (item.id, number) in reuse.image_names else {})
            for number, copy in enumerate(copies)
        },
    }


def _batch(frame: int, batch: BarrierBatch, found: Sequence[Row], plan: Plan) -> list[dict[str, Any]]:
    passes = plan.pass_plan.passes
    before = plan.graph.nodes[passes[batch.number].first].id if batch.number < len(passes) else None
    place = {
        "frame": frame,
        "before_pass": batch.number,
        "before_node": before,
        "behind": batch.behind,
        "event": batch.event if batch.event >= 0 else None,
    }
    return [place | _barrier(*row) for row in found]


def _barrier(barrier: Barrier, coalesced: Coalesced | None) -> dict[str, Any]:
    return {
        "resource": barrier.resource,
        "copy": COPY_NAMES[barrier.copy],
        "src_stages": flag_words(barrier.src_stages),
        "src_access": flag_words(barrier.src_access),
        "dst_stages": flag_words(barrier.dst_stages),
        "dst_access": flag_words(barrier.dst_access),
        **_part(Part(barrier.mips, barrier.layers)),
        "old_layout": layout_word(barrier.old_layout),
        "new_layout": layout_word(barrier.new_layout),
        **({"owners": list(barrier.owners)} if barrier.owners is not None else {}),
        "reason": barrier.reason.value,
        "split": barrier.split.value,
        "memory_barrier": _coalesced(coalesced) if coalesced else None,
    }


def _coalesced(coalesced: Coalesced) -> dict[str, Any]:
    return {
        "number": coalesced.number,
        "before_pass": coalesced.before_pass,
        "behind": coalesced.behind,
        "frame_before": coalesced.earlier,
    }


def _pass(number: int, item: Pass, plan: Plan) -> dict[str, Any]:
    extent = plan.extents[number]
    return {
        "number": number,
        "nodes": [node.id for node in plan.graph.nodes[item.first : item.last + 1]],
        "render": bool(item.attachments),
        "extent": list(extent) if extent else None,
        "view_mask": view_mask(item.views),
        "attachments": [_attachment(attachment) for attachment in item.attachments],
        "alone": item.merge_blocker,
    }


def _attachment(attachment: Attachment) -> dict[str, Any]:
    return {
        "resource": attachment.resource,
        **_part(attachment.part),
        "usage": attachment.usage.value,
        "load": attachment.load.value,
        "store": attachment.store.value,
        "clear": list(attachment.clear),
    }


def _part(part: Part) -> dict[str, Any]:
    """The mips and layers as (first, count), without those that are whole."""
    return {what: list(span) for what, span in (("mips", part.mips), ("layers", part.layers)) if span is not None}


def _problem(problem: Problem) -> dict[str, Any]:
    return {
        "code": problem.code,
        "message": problem.message,
        "hint": problem.hint,
        "where": [str(place) for place in problem.where],
    }


def _plain(value: Any) -> Any:
    """A state value with enums and tuples converted."""
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, tuple | list):
        return [_plain(part) for part in value]
    return value if isinstance(value, str | int | float | bool | None) else str(value)
