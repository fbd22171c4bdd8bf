"""Whole graphs and their render passes: how many, what each loads and stores, and why it stands alone. No GPU."""

from __future__ import annotations

import pytest
from declare_helpers import COLOR, DEPTH, create, external, graph, history, modify, node, read, rename

from renderwright.render.compiler.pipeline import compile_snapshot
from renderwright.render.compiler.values.options import CompileOptions
from renderwright.render.graph.requests import NodeDeclaration
from renderwright.render.graph.snapshot import GraphSnapshot, SizeInputs
from renderwright.render.memory.needs import RowMajorModel
from renderwright.render.types.resources import Texture
from renderwright.render.types.usages import Usage

TARGET, SAMPLED, WRITTEN = {"usage": Usage.COLOR}, {"usage": Usage.SAMPLED}, {"usage": Usage.STORAGE_WRITE}
TEST, PEEK = {"usage": Usage.DEPTH}, {"usage": Usage.DEPTH_READ}
RED = (1.0, 0.0, 0.0, 1.0)
MANY = Texture("rgba8_unorm", (64, 64), samples=4)

GBUFFER = node("gbuffer", create("hdr", COLOR, clear=RED, **TARGET), create("depth", DEPTH, **TEST))
SKY = node("sky", modify("hdr", **TARGET), modify("depth", **TEST))
POST = node("post", read("hdr", **SAMPLED), external("image", COLOR, **TARGET))

CASES: dict[str, tuple[list[NodeDeclaration], list[str], list[str]]] = {
    # name: nodes, the passes as "nodes: attachment load->store, ..", and the reasons of all but the first
    "one pass for all that draw over the same": (
        [GBUFFER, SKY],
        ["gbuffer sky: hdr clear->store, depth discard->discard"],
        [],
    ),
    "a picture that is sampled ends its pass": (
        [GBUFFER, SKY, POST],
        ["gbuffer sky: hdr clear->store, depth discard->discard", "post: image discard->store"],
        ['it renders to "image" as color, the pass before it to "hdr" as color, "depth" as depth'],
    ),
    "depth that is only tested is another set of attachments": (
        [GBUFFER, node("glass", modify("hdr", **TARGET), read("depth", **PEEK))],
        ["gbuffer: hdr clear->store, depth discard->store", "glass: hdr load->store, depth load->none"],
        ['it renders to "hdr" as color, "depth" as depth_read, the pass before it to "hdr" as color, "depth" as depth'],
    ),
    "a compute node between": (
        [
            node("a", create("hdr", COLOR, **TARGET)),
            node("b", modify("hdr", usage=Usage.STORAGE), after=("a",)),
            node("c", modify("hdr", **TARGET), after=("b",)),
        ],
        ["a: hdr discard->store", "b: ", "c: hdr load->store"],
        ["it renders to no attachment", '"b" before it renders to no attachment'],
    ),
    "what the pass before wrote is sampled beside its own target": (
        [
            node("a", create("hdr", COLOR, **TARGET), create("mask", COLOR, **WRITTEN)),
            node("b", modify("hdr", **TARGET), read("mask", **SAMPLED)),
        ],
        ["a: hdr discard->store", "b: hdr load->store"],
        ['it uses "mask" as sampled, and "a" in the pass before it writes that'],
    ),
    "what the pass before read is written": (
        [
            node("m", create("mask", COLOR, **WRITTEN), create("hdr", COLOR, **TARGET)),
            node("a", modify("hdr", **TARGET), read("mask", **SAMPLED), before=("b",)),
            node("r", rename("mask", "again"), executes=False),
            node("b", modify("hdr", **TARGET), modify("again", **WRITTEN)),
        ],
        ["m: hdr discard->store", "a: hdr load->store", "r b: hdr load->store"],
        [
            'it uses "mask" as sampled, and "m" in the pass before it writes that',
            'it writes "mask" as storage_write, and "a" in the pass before it reads that',
        ],
    ),
    "a resolve at the end": (
        [
            node("a", create("many", MANY, **TARGET), create("one", COLOR, usage=Usage.RESOLVE)),
            node("hdr", create("hdr", COLOR, **TARGET), read("one", **SAMPLED)),
        ],
        ["a: many discard->discard, one discard->store", "hdr: hdr discard->store"],
        ['it renders to "hdr" as color, the pass before it to "many" as color, "one" as resolve'],
    ),
    "a resource that the next frame remembers is stored": (
        [node("a", create("hdr", COLOR, **TARGET), create("old", COLOR, **TARGET), history("old", **SAMPLED))],
        ["a: hdr discard->store, old discard->store"],
        [],
    ),
    "one that nobody looks at is not": (
        [node("a", create("hdr", COLOR, **TARGET), create("old", COLOR, **TARGET))],
        ["a: hdr discard->store, old discard->discard"],
        [],
    ),
}


@pytest.mark.parametrize(("nodes", "passes", "reasons"), CASES.values(), ids=CASES)
def test_passes(nodes: list[NodeDeclaration], passes: list[str], reasons: list[str]) -> None:
    assert described(graph(*nodes, sinks=("hdr", "image"))) == (passes, reasons)


def described(snapshot: GraphSnapshot) -> tuple[list[str], list[str]]:
    plan = compile_snapshot(snapshot, SizeInputs(), CompileOptions(order="declared"), RowMajorModel())
    lines = []
    for item in plan.pass_plan.passes:
        who = " ".join(one.id for one in plan.graph.nodes[item.first : item.last + 1])
        ends = ", ".join(f"{one.resource} {one.load}->{one.store}" for one in item.attachments)
        lines.append(f"{who}: {ends}")
    return lines, [item.merge_blocker for item in plan.pass_plan.passes[1:]]
