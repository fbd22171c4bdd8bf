"""Which textures of a plan's nodes are looked at for NaN and infinity, and behind which operation."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from renderwright.render.backend.texels import texel_layout
from renderwright.render.compiler.values.instances import NodeInstance
from renderwright.render.compiler.values.operations import BeginPassOp, EndPassOp, NodeOp, Op
from renderwright.render.compiler.values.plan import Plan
from renderwright.render.compiler.values.uses import layout_during
from renderwright.render.formats import Aspect, format_named
from renderwright.render.runtime.checks.poison import PoisonOp
from renderwright.render.sync.flags import Layout
from renderwright.render.types.attachments import Store
from renderwright.render.types.parts import Part
from renderwright.render.types.physical import TextureInfo
from renderwright.render.types.usages import Usage

WRITTEN = frozenset({Usage.COLOR, Usage.DEPTH, Usage.RESOLVE, Usage.STORAGE, Usage.STORAGE_WRITE, Usage.COPY_DST})
"""The usages that write."""

CAPACITY = 4096
"""The most textures of a plan that are looked at, in the order of execution."""


class Encoding(StrEnum):
    """How a channel with NaN and infinity is encoded; the names of defines in the shader that counts."""

    HALF = "HALF"
    FLOAT = "FLOAT"
    PACKED = "PACKED"


@dataclass(frozen=True)
class Output:
    """A texture, or a part of it, that a node writes: its ``number`` among the plan's, and its layout behind the
    node. ``info`` is the whole texture's."""

    number: int
    node: NodeInstance
    resource: str
    part: Part
    layout: Layout
    info: TextureInfo


@dataclass(frozen=True)
class CountOp:
    """Count the texels of the ``outputs``, whose copies are ``copy``; without outputs, set all counts to zero."""

    outputs: tuple[Output, ...]
    copy: int


def encoding(format_name: str) -> Encoding | None:
    """The encoding of a format's channels; None if they are always finite."""
    if format_name == "b10g11r11_ufloat":
        return Encoding.PACKED
    found = format_named(format_name)
    layout = texel_layout(format_name)
    if layout.dtype.kind != "f":
        return None
    return Encoding.HALF if layout.dtype.itemsize == 2 and found.aspect is Aspect.COLOR else Encoding.FLOAT


def outputs_of(plan: Plan) -> tuple[Output, ...]:
    """The textures that the nodes of a plan write, in the order of execution.

    They belong to the plan, have a format with NaN, and one sample.
    """
    infos = {placed.id: placed.info for placed in plan.placement.resources if placed.copies}
    found: list[Output] = []
    for node in plan.graph.nodes:
        for resource, part in _written(node):
            info = infos.get(resource)
            if isinstance(info, TextureInfo) and info.samples == 1 and encoding(info.format) is not None:
                layout = plan.sync.layouts.of(resource, layout_during(node.uses, resource, False, part))
                found.append(Output(len(found), node, resource, part, layout, info))
    return tuple(found[:CAPACITY])


def _written(node: NodeInstance) -> Iterator[tuple[str, Part]]:
    for use in node.uses:
        if use.usage in WRITTEN and not use.reads_history and node.declaration.executes:
            for resource in use.resources:
                yield resource, use.request.part


def with_counts(ops: Sequence[Op | PoisonOp], plan: Plan, whole: Plan, copy: int) -> list[Op | PoisonOp | CountOp]:
    """The operations of an even (0) or odd (1) frame, with a count behind each node, or behind its render pass.

    The operations belong to ``plan``, which is ``whole`` or a partial plan of it. Each node has a pass of its own.
    Contents that a pass does not store are not looked at.
    """
    of_node: dict[str, list[Output]] = {}
    for output in outputs_of(whole):
        of_node.setdefault(output.node.id, []).append(output)
    woven: list[Op | PoisonOp | CountOp] = [CountOp((), copy)]
    stored: Mapping[str, bool] = {}
    in_pass = False
    waiting: list[Output] = []
    for op in ops:
        woven.append(op)
        match op:
            case BeginPassOp():
                in_pass = True
                stored = {target.resource: target.store is Store.STORE for target in op.attachments}
            case EndPassOp():
                in_pass = False
            case NodeOp():
                waiting += of_node.get(plan.graph.nodes[op.node].id, [])
        if waiting and not in_pass:
            kept = tuple(output for output in waiting if stored.get(output.resource, True))
            if kept:
                woven.append(CountOp(kept, copy))
            waiting, stored = [], {}
    return woven
