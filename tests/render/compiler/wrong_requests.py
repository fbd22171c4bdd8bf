"""Requests that do not suit what they ask for: kinds, usages, descriptions, histories and rates."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from declare_helpers import DEPTH, create, external, gather, history, modify, node, read, rename
from wrong_graphs import wrong

from renderwright.render.graph.requests import NodeDeclaration, Rate
from renderwright.render.types.parts import Part
from renderwright.render.types.resources import Blob, Buffer, Resolution, Texture
from renderwright.render.types.usages import Usage

BLOB = Blob("Camera")
SAMPLED = {"usage": Usage.SAMPLED}
TARGET = {"usage": Usage.COLOR}
MOST_SAMPLES, MOST_COLORS = 8, 2
"""Of the device that the graphs are for."""


def rated(one: NodeDeclaration, **rate: Any) -> NodeDeclaration:
    """The node at a rate of its own."""
    return replace(one, rate=Rate(**rate))


KINDS = {
    "kind": wrong(
        node("a", create("x")),
        node("b", read("x", desc=Buffer(16))),
        message="`b` asks for `x` as a buffer, but `a` creates it as a texture",
        hint="ask for a texture, or for another name",
        where="b.0 a.0",
        removed="b",
    ),
    "blob-type": wrong(
        node("a", create("x", BLOB)),
        node("b", read("x", desc=Blob("Sun"))),
        message="`b` asks for `x` as a blob of type `Sun`, but `a` creates it as a blob of type `Camera`",
        hint="ask for a `Camera`",
        where="b.0 a.0",
        removed="b",
    ),
    "format": wrong(
        node("a", create("x", Texture("rgba8_unrom", (8, 8)))),
        message="`a` creates `x` with the unknown format `rgba8_unrom`",
        hint='did you mean "rgba8_unorm"?',
        where="a.0",
        removed="a",
    ),
    "description": wrong(
        node("a", create("x", Texture("rgba8_unorm", (0, 8), mips=0, layers=-1, samples=3))),
        message="`a` creates `x` with 0 mips, -1 layers, 3 samples, 0 x 8 texels",
        hint="mips, layers and samples are 1 or more (samples a power of two)",
        where="a.0",
        removed="a",
    ),
    "samples": wrong(
        node("a", create("x", Texture("rgba8_unorm", (8, 8), samples=2 * MOST_SAMPLES))),
        message="`a` creates `x` with 16 samples a texel, and the device has at most 8 (Capabilities.most_samples)",
        hint="ask for 8 samples or fewer",
        where="a.0",
        removed="a",
    ),
    "colors": wrong(
        node("a", *[create(name, Texture("rgba8_unorm", (8, 8)), **TARGET) for name in "xyz"]),
        message="`a` renders to 3 color attachments, and the device has at most 2 (Capabilities.most_colors)",
        hint="render to the others in another node",
        where="a.2",
        removed="a",
    ),
    "description of a scale": wrong(
        node("a", create("x", Texture("rgba8_unorm", Resolution("output", float("nan"))))),
        message="`a` creates `x` with the scale nan",
        hint="a scale is more than 0",
        where="a.0",
        removed="a",
    ),
    "no-description": wrong(
        node("a", create("x", None)),
        message="`a` creates `x` without saying what it is",
        hint="describe it",
        where="a.0",
        removed="a",
    ),
    "part": wrong(
        node("a", create("x", Texture("rgba8_unorm", (8, 8), mips=3), usage=Usage.COLOR)),
        node("b", read("x", **SAMPLED, part=Part(mips=(2, 2)))),
        message="`b` asks for `x`, which has 3 mips, so no mips 2 to 3",
        hint="numbers count from 0",
        where="b.0 a.0",
        removed="b",
    ),
    "part of a buffer": wrong(
        node("a", create("x", Buffer(16), usage=Usage.STORAGE)),
        node("b", modify("x", usage=Usage.STORAGE, part=Part(layers=(0, 1)))),
        message="`b` asks for `x`, of which it wants layer 0; it is a buffer",
        hint="only textures have mips and layers",
        where="b.0 a.0",
        removed="b",
    ),
    "part of several mips": wrong(
        node("a", create("x", Texture("rgba8_unorm", (8, 8), mips=3), usage=Usage.COLOR, part=Part(mips=(0, 2)))),
        message="`a` asks for `x`, and mips 0 to 1 of it as color",
        hint="a shader writes to one mip, and so does a render pass",
        where="a.0",
        removed="a",
    ),
    "part that is shown": wrong(
        node("a", create("x", usage=Usage.COLOR)),
        node("b", read("x", usage=Usage.PRESENT, part=Part(layers=(0, 1)))),
        message="`b` asks for `x`, of which it wants layer 0",
        hint="what is renamed or shown is the whole texture",
        where="b.0 a.0",
        removed="b",
    ),
    "usage": wrong(
        node("a", create("x")),
        node("b", read("x", usage=Usage.VERTEX)),
        message="`b` wants to use `x` as vertex, but `a` creates it as a texture",
        hint="a texture can be used as: color, copy_dst, copy_src, depth, depth_read, host_read",
        where="b.0 a.0",
        removed="b",
    ),
    "usage of a blob": wrong(
        node("a", create("x", BLOB)),
        node("b", read("x", **SAMPLED)),
        message="`b` wants to use `x` as sampled, but `a` creates it as a blob of type `Camera`",
        hint="a plain value, with no usage",
        where="b.0 a.0",
        removed="b",
    ),
    "usage of a format": wrong(
        node("a", create("x", DEPTH, usage=Usage.DEPTH)),
        node("b", modify("x", **TARGET)),
        message="`b` wants to use `x` as color, but `a` gives it the format `d32_sfloat`",
        hint="depth usages need a depth format, color usages a color format",
        where="b.0 a.0",
        removed="b",
    ),
    "usage of a history": wrong(
        node("a", create("x", DEPTH, usage=Usage.DEPTH)),
        node("b", history("x", usage=Usage.DEPTH_READ)),
        message="`b` wants the history of `x` as depth_read, but a render pass takes one resource of its own frame",
        hint="read it as sampled, or copy it into a resource of this frame",
        where="b.0 a.0",
        removed="b",
    ),
    "usage of what is gathered": wrong(
        node("a", create("x", DEPTH, usage=Usage.DEPTH), mode="view"),
        node("b", gather("x", usage=Usage.DEPTH_READ)),
        message="`b` wants to gather `x` as depth_read, but a render pass takes one resource of its own frame",
        hint="gather it as sampled",
        where="b.0 a.0",
        removed="b",
    ),
    "usage of two depth buffers": wrong(
        node("a", create("x", DEPTH, usage=Usage.DEPTH), create("y", DEPTH, usage=Usage.DEPTH)),
        message="`a` uses `x` and `y` as depth buffers, but a render pass has one",
        hint="draw in one node for each",
        where="a.0 a.1",
        removed="a",
    ),
    "history": wrong(
        node("a", create("x")),
        node("b", rename("x", "y")),
        node("c", history("x")),
        message="`c` asks for the history of `x`, which `b` renames to `y`",
        hint="ask for the history of `y`",
        where="c.0 b.0",
        removed="c",
    ),
    "history of something external": wrong(
        node("a", external("x")),
        node("b", history("x")),
        message="`b` asks for the history of `x`, which is external (`a`): the graph keeps no copy of it",
        hint="copy `x` into a resource that a node creates, and ask for that one's history",
        where="b.0 a.0",
        removed="b",
    ),
}

RATES = {
    "rate": wrong(
        node("a", create("x", **TARGET)),
        rated(node("b", modify("x", **TARGET)), every=2),
        message="`b` writes to `x` every 2 frames, but its creator `a` runs in every frame: all that write to a "
        "resource run together",
        hint="give both nodes one rate, or let `b` create a resource of its own",
        where="b.0 a.0",
        removed="b",
    ),
    "rate and history": wrong(
        rated(node("a", create("x", **TARGET)), every=4, phase=1),
        node("b", history("x", **SAMPLED)),
        message="`b` asks for the history of `x`, of which there is one copy only, because its creator `a` runs "
        "every 4 frames, 1 later",
        hint="copy `x` into a resource that is made in every frame, and ask for that one's history",
        where="b.0 a.0",
        removed="b",
    ),
    "rate of what is external": wrong(
        rated(node("a", external("x", **TARGET)), every=2),
        message="`a` runs every 2 frames and writes to `x`, which is external: nobody keeps it",
        hint="create a resource instead, and copy it to `x` in every frame",
        where="a.0",
        removed="a",
    ),
    "rate of presenting": wrong(
        node("a", external("x", **TARGET)),
        rated(node("b", read("x", usage=Usage.PRESENT)), every=2),
        message="`b` hands `x` to the display, but only every 2 frames",
        hint="present in every frame",
        where="b.0 a.0",
        removed="b",
    ),
    "rate by what is no blob": wrong(
        node("a", create("x", **TARGET)),
        rated(node("b", read("x", **SAMPLED)), when="x"),
        message="`b` runs when `x` changes, which is a texture; only blobs are compared",
        hint="name a blob",
        where="b a.0",
        removed="b",
    ),
    "reads-its-own": wrong(
        node("p/a", create("p/heat", usage=Usage.STORAGE_WRITE), read("heat", **SAMPLED)),
        message="`p/a` reads `p/heat`, which it creates itself, and which has no contents before",
        hint='reg.history("p/heat") is what it had in the frame before',
        where="p/a.1",
        removed="p/a",
    ),
    "rate by the own blob": wrong(
        rated(node("a", create("x", BLOB), read("x"), create("y", **TARGET)), when="x"),
        message="`a` runs when `x` changes, but makes that blob itself: it would never run again",
        hint="make `x` in a node of its own",
        where="a.0",
        removed="a",
    ),
    "rate by a blob that comes too late": wrong(
        node("a", create("x", BLOB), create("t", **TARGET)),
        rated(node("b", read("x"), create("y", **TARGET)), when="x"),
        message="`b` runs when `x` changes, but `a`, which has a part in that blob, uses textures or buffers",
        hint="make the blob in a node of its own that uses blobs only, and let `a` read it",
        where="b a",
        removed="b",
    ),
}
