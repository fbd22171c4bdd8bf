"""A small plan made by hand: geometry, an effect in compute, and the picture."""

from __future__ import annotations

from dataclasses import replace

import pytest

from renderwright.render.compiler.diagnostics.findings import Problem, Removal, RemovalReason, Severity
from renderwright.render.compiler.values.instances import InstanceGraph, NodeInstance, ResourceInstance
from renderwright.render.compiler.values.operations import Program
from renderwright.render.compiler.values.passes import Pass, PassPlan, StateChange
from renderwright.render.compiler.values.placement import Copy, HeapPlan, PlacedResource, Placement
from renderwright.render.compiler.values.plan import Plan
from renderwright.render.compiler.values.precedence import EdgeReason, Precedence
from renderwright.render.compiler.values.queue_plan import one_queue
from renderwright.render.compiler.values.resolved import LogicalResource, ResolvedGraph
from renderwright.render.compiler.values.uses import Use
from renderwright.render.errors import SourceLocation
from renderwright.render.graph.requests import FirstFrame, NodeDeclaration, Request, Verb
from renderwright.render.sync.barriers import Barrier, BarrierBatch, BarrierReason, SyncPlan
from renderwright.render.sync.flags import Access, Layout, Stage
from renderwright.render.types.attachments import Attachment, Load, Store
from renderwright.render.types.physical import TextureInfo
from renderwright.render.types.resources import Blob, Resolution, Texture
from renderwright.render.types.usages import ShaderStage, Usage

HERE = SourceLocation("effects.py", 7)
BLACK = (0.0, 0.0, 0.0, 1.0)


def _node(name: str, *uses: tuple[Verb, str, Usage | None], view: int | None = None) -> NodeInstance:
    requests = [Request(verb, resource, HERE, usage=usage) for verb, resource, usage in uses]
    declaration = NodeDeclaration(name, "effects", HERE, requests=tuple(requests), queues=("compute", "graphics"))
    index = () if view is None else (("view", view),)
    bound = [Use(n, r, (r.name,), r.usage, (ShaderStage.FRAGMENT,)) for n, r in enumerate(requests)]
    return NodeInstance(name if view is None else f"{name}@view={view}", declaration, index, tuple(bound))


def _resource(name: str, desc: Texture | Blob, creator: str, *later: str, external: bool = False) -> ResourceInstance:
    logical = LogicalResource(name, (name, *later), desc, creator, external, None, frozenset(), HERE)
    return ResourceInstance(name, logical, (), creator)


def _barrier(copy: int) -> Barrier:
    return Barrier(
        "color",
        copy,
        Stage.COLOR_ATTACHMENT_OUTPUT,
        Access.COLOR_ATTACHMENT_WRITE,
        Stage.COMPUTE_SHADER,
        Access.SHADER_SAMPLED_READ,
        Layout.COLOR_ATTACHMENT,
        Layout.SHADER_READ_ONLY,
        BarrierReason.WRITE_READ,
    )


@pytest.fixture
def plan() -> Plan:
    nodes = (
        _node("effects/draw", (Verb.CREATE, "color", Usage.COLOR), (Verb.READ, "camera", None), view=0),
        _node("effects/blur", (Verb.READ, "color", Usage.SAMPLED)),
    )
    texture = Texture("rgba8_unorm", Resolution("main"))
    resources = (
        _resource("camera", Blob("Camera"), "outside", external=True),
        _resource("color", texture, "effects/draw@view=0", "final"),
    )
    removed = Removal("effects/idle", RemovalReason.DANGLING, '"effects/idle" removed: nobody reads "x<y>"')
    resolved = ResolvedGraph((), (), (), ("color",), (), (removed,))
    note = Problem(Severity.NOTE, "order", "two modifiers in an order of its own", "say which", (HERE, HERE))
    error = replace(note, severity=Severity.ERROR, code="cycle")
    edges = (Precedence(("effects/draw@view=0",), ("effects/blur",), EdgeReason.CREATE_READ, "color"),)
    info = TextureInfo("rgba8_unorm", (64, 32), 2, 1, 4, frozenset({Usage.COLOR, Usage.SAMPLED}))
    placed = (
        PlacedResource("camera", None, 0, 0, (), False, FirstFrame.CLEAR),
        PlacedResource("color", info, 65536, 256, (Copy(0, 0, (0, 2)), Copy(0, 512, (2, 4))), True, FirstFrame.CLEAR),
    )
    attachment = Attachment("color", Usage.COLOR, Load.CLEAR, Store.STORE, BLACK)
    passes = (Pass(0, 0, (attachment,)), Pass(1, 1, (), "it renders to nothing"))
    batches = [(BarrierBatch(1, (_barrier(copy),)), BarrierBatch(2, (_barrier(copy),))) for copy in (0, 1)]
    return Plan(
        resolved,
        InstanceGraph(nodes, resources, edges, ("color",), problems=(note, error)),
        Placement(placed, (HeapPlan("textures", 66048, 65536, 65536, False),), (("main", (64, 32)),)),
        PassPlan(passes, (StateChange(0, (("blend", Usage.COLOR), ("depth_bias", (1.0, 2.0)))),), saved=3),
        SyncPlan(*batches),
        Program((), ()),
        one_queue(len(nodes)),
    )
