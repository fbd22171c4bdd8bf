"""The writes of a frame whose textures are copied out, and behind which operation."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from renderwright.render.compiler.values.instances import NodeInstance
from renderwright.render.compiler.values.operations import BeginPassOp, EndPassOp, NodeOp, Op
from renderwright.render.compiler.values.plan import Plan
from renderwright.render.compiler.values.uses import layout_during
from renderwright.render.runtime.checks.texels import WRITTEN
from renderwright.render.sync.flags import Layout
from renderwright.render.types.attachments import Store
from renderwright.render.types.parts import Part
from renderwright.render.types.physical import TextureInfo


@dataclass(frozen=True)
class Write:
    """A texture, or a part of it, that a node (by id) writes, and its layout behind the node."""

    node: str
    resource: str
    part: Part
    layout: Layout


@dataclass(frozen=True)
class CopyOp:
    """Copy what has been written to the textures, whose copies are ``copy``."""

    writes: tuple[Write, ...]
    copy: int


def with_copies(ops: Sequence[Op], plan: Plan, copy: int) -> list[Op | CopyOp]:
    """The operations of an even (0) or odd (1) frame, with copies behind each node, or behind its render pass.

    Of several nodes in one pass that write the same texture, the last one counts. Contents that a pass does not store
    cannot be copied.
    """
    textures = {placed.id for placed in plan.placement.resources if _can_be_copied(placed.info)}
    woven: list[Op | CopyOp] = []
    stored: Mapping[str, bool] = {}
    in_pass = False
    waiting: dict[tuple[str, Part], Write] = {}
    for op in ops:
        woven.append(op)
        match op:
            case BeginPassOp():
                in_pass = True
                stored = {target.resource: target.store is Store.STORE for target in op.attachments}
            case EndPassOp():
                in_pass = False
            case NodeOp():
                for write in _writes(plan.graph.nodes[op.node], plan):
                    if write.resource in textures:
                        waiting.pop((write.resource, write.part), None)
                        waiting[write.resource, write.part] = write
        if waiting and not in_pass:
            kept = tuple(write for write in waiting.values() if stored.get(write.resource, True))
            if kept:
                woven.append(CopyOp(kept, copy))
            waiting, stored = {}, {}
    return woven


def _can_be_copied(info: object) -> bool:
    return isinstance(info, TextureInfo) and info.samples == 1 and not info.transient


def _writes(node: NodeInstance, plan: Plan) -> Iterator[Write]:
    for use in node.uses:
        if use.usage in WRITTEN and not use.reads_history and node.declaration.executes:
            for resource in use.resources:
                layout = layout_during(node.uses, resource, False, use.request.part)
                yield Write(node.id, resource, use.request.part, plan.sync.layouts.of(resource, layout))
