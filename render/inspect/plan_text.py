"""A plan as compact text, for comparison by eye and by golden tests."""

from __future__ import annotations

from collections.abc import Iterator

from renderwright.render.compiler.rates import is_rated
from renderwright.render.compiler.values.instances import NodeInstance, ResourceInstance
from renderwright.render.compiler.values.passes import Pass
from renderwright.render.compiler.values.plan import Plan
from renderwright.render.inspect.coalesced import rows
from renderwright.render.inspect.words import (
    COPY_NAMES,
    attachment_text,
    barrier_text,
    bytes_text,
    copy_text,
    place_text,
    scopes_text,
)
from renderwright.render.sync.barriers import BarrierBatch
from renderwright.render.sync.queues import GRAPHICS
from renderwright.render.types.physical import BufferInfo, TextureInfo


def plan_to_text(plan: Plan) -> str:
    """Passes with their nodes in order, resources, heaps, barriers, state changes, and removed nodes with reasons.

    Barriers are printed once if odd frames have those of even frames on the other copies.
    """
    return "\n".join(_lines(plan)) + "\n"


def _lines(plan: Plan) -> Iterator[str]:
    yield f"nodes: {len(plan.graph.nodes)} in {len(plan.pass_plan.passes)} passes"
    for number, item in enumerate(plan.pass_plan.passes):
        yield from _pass(number, item, plan)
    yield "resources:"
    places = {placed.id: placed for placed in plan.placement.resources}
    for resource in plan.graph.resources:
        placed = places.get(resource.id)
        yield f"  {_resource(resource, placed.info if placed else None)}"
        if placed and placed.copies:
            history = ", with history" if placed.has_history else ", kept" if placed.kept else ""
            copies = "; ".join(copy_text(copy) for copy in placed.copies)
            yield f"    {bytes_text(placed.size)} at {copies}{history}"
    yield "heaps:"
    for number, heap in enumerate(plan.placement.heaps):
        yield f"  {number}: {heap.memory_class}, {bytes_text(heap.size)}, load {bytes_text(heap.load)}"
    yield from _barriers(plan)
    if plan.pass_plan.changes or plan.pass_plan.saved:
        yield f"state ({plan.pass_plan.saved} switches saved):"
        for change in plan.pass_plan.changes:
            values = ", ".join(f"{key}={value}" for key, value in change.changes)
            yield f"  {plan.graph.nodes[change.node].id}: {values}"
    if plan.graph.apart:
        yield "drawn for each view by itself:"
        for apart in plan.graph.apart:
            yield f"  {apart.node} ({apart.reason}): {apart.message}"
    if plan.removed:
        yield "removed:"
        for removal in plan.removed:
            yield f"  {removal.node} ({removal.reason}): {removal.message}"
    if plan.problems:
        yield "problems:"
        for problem in plan.problems:
            hint = f"; {problem.hint}" if problem.hint else ""
            yield f"  {problem.severity} {problem.code}: {problem.message}{hint}"


def _pass(number: int, item: Pass, plan: Plan) -> Iterator[str]:
    extent = plan.extents[number]
    kind = f"render {extent[0]}x{extent[1]}" if extent else "commands"
    if item.views > 1:
        kind += f", {item.views} views at once"
    if item.queue != GRAPHICS:
        kind += f" on the {item.queue} queue"
    if item.first in plan.queues.wait_points:
        wait_point, nodes = plan.queues.wait_points[item.first], plan.graph.nodes
        until = f"[{nodes[wait_point].id}] of the next frame" if wait_point < len(nodes) else "the next frame has ended"
        kind += f" until {until}"
    yield f"  pass {number}: {kind}" + (f" (not merged: {item.merge_blocker})" if item.merge_blocker else "")
    for attachment in item.attachments:
        yield f"    {attachment_text(attachment)}"
    for node in plan.graph.nodes[item.first : item.last + 1]:
        rate = f" ({node.declaration.rate})" if is_rated(node.declaration) else ""
        yield f"    [{node.id}]{rate}{_fullscreen(node, plan)}{_uses(node)}"


def _fullscreen(node: NodeInstance, plan: Plan) -> str:
    """How a full-screen node runs, and the reason if it draws where others run as compute shaders."""
    pipeline = next((one for one in node.declaration.pipelines if one.fullscreen), None)
    if pipeline is None:
        return ""
    if pipeline.kind == "compute":
        return " (full screen, as a compute shader)"
    reason = next((f": {one.reason}" for one in plan.resolved.drawn if one.node == node.declaration.name), "")
    return f" (full screen, draws{reason})"


def _uses(node: NodeInstance) -> str:
    words = []
    for use in node.uses:
        for resource in use.resources:
            how = f" {use.usage}" if use.usage else ""
            part = f", {use.request.part}" if use.request.part.layers is not None else ""
            words.append(f"{use.request.verb}{how} {resource}{part}")
    return f" {', '.join(words)}" if words else ""


def _resource(item: ResourceInstance, info: TextureInfo | BufferInfo | None) -> str:
    names = " = ".join(item.resource.names)
    what: str = item.resource.desc.kind
    if isinstance(info, TextureInfo):
        width, height = info.extent
        extras = [f"{count} {word}" for count, word in _counts(info) if count > 1]
        what = " ".join([f"{info.format} {width}x{height}", *extras])
    elif isinstance(info, BufferInfo):
        what = f"buffer of {bytes_text(info.size)}"
    owner = "external" if item.resource.external else f"by {item.creator}"
    return f"{item.id}: {what}, {owner}" + (f", {names}" if len(item.resource.names) > 1 else "")


def _counts(info: TextureInfo) -> tuple[tuple[int, str], ...]:
    return (info.mips, "mips"), (info.layers, "layers"), (info.samples, "samples")


def _barriers(plan: Plan) -> Iterator[str]:
    even, odd = (list(_batches(plan, frame)) for frame in (0, 1))
    swapped = [_swap_copies(line) for line in even]
    if odd == swapped:
        yield "barriers, even frame (odd frame: the other copies):"
        yield from even
        return
    for name, lines in zip(COPY_NAMES, (even, odd), strict=True):
        yield f"barriers, {name} frame:"
        yield from lines


def _batches(plan: Plan, frame: int) -> Iterator[str]:
    for batch, found in rows(plan.sync, frame):
        yield f"  {_place(batch, plan)}:"
        memory: dict[int, list[str]] = {}
        others = []
        for barrier, coalesced in found:
            line = f"{barrier_text(barrier)}; {barrier.reason.value}"
            if coalesced is None:
                others.append(line)
            elif coalesced.earlier or (coalesced.before_pass, coalesced.behind) != (batch.number, batch.behind):
                when = ", in the frame before" if coalesced.earlier else ""
                place = place_text(coalesced.before_pass, behind=coalesced.behind)
                others.append(f"{line}; waited for {place}{when}")
            else:
                head = f"    all memory: {scopes_text(coalesced.barrier)}"
                memory.setdefault(coalesced.number, [head]).append(f"      {line}")
        yield from (line for lines in memory.values() for line in lines)
        yield from (f"    {line}" for line in others)


def _place(batch: BarrierBatch, plan: Plan) -> str:
    """Where a batch stands, and which half of split barriers it is."""
    last = batch.number >= len(plan.pass_plan.passes)
    place = "at the end" if last else place_text(batch.number, behind=batch.behind)
    if batch.event < 0:
        return place
    return f"{place}, event {batch.event} is {'set' if batch.sets else 'waited for'}"


def _swap_copies(line: str) -> str:
    even, odd = (f" {name}: " for name in COPY_NAMES)
    if even in line:
        return line.replace(even, odd, 1)
    return line.replace(odd, even, 1)
