"""What a good skeleton file means."""

from __future__ import annotations

from pathlib import Path

import pytest

from renderwright.engine.skeleton import (
    Skeleton,
    find_skeleton,
    load_skeleton,
    parse_skeleton,
    shipped_skeletons,
    to_snapshot,
)
from renderwright.render.errors import SkeletonError, UsageError
from renderwright.render.graph.requests import EVERY_FRAME, ChainMember, FirstFrame, Rate, Request, Verb
from renderwright.render.graph.snapshot import Chain, ResolutionRule
from renderwright.render.types.resources import Blob, Buffer, Resolution, Texture
from renderwright.render.types.usages import ShaderStage, Usage

EXAMPLE = """\
version: 1
name: example
dimensions: [view, eye, sample, tile]
resolutions:
  main_view: {of: output, scale: 0.5}
  shadow_map: {size: [2048, 1024]}
slots: {fog_depth: depth}
chains: {post_hdr: {input: hdr, output: hdr_final}}
sinks: [image]
nodes:
  - name: gbuffer
    multiplex: [view, eye]
    multiview: eye
    priority: 3
    queue: [graphics, compute]
    cost: 2.5
    after: [early]
    before: [late]
    side_effects: true
    state: {cull: back, depth_test: greater, depth_bias: [1.0, 2]}
    create:
      albedo: {texture: rgba8_srgb, resolution: main_view, scale: 0.5, mips: 2, layers: 3, samples: 4, usage: color}
      depth: {texture: d32_float, size: [64, 32], usage: depth, clear: 0}
      draws: {buffer: 65536, usage: storage_write, stage: compute}
      sun: {blob: Light}
    modify: {shadows: {usage: depth}}
    read:
      camera: {blob: Camera, optional: true}
      ao: {usage: sampled, stage: fragment, optional: true}
    history: {old: {usage: sampled, stage: compute, first: invalid}}
    rename: {hdr: {to: lit, usage: color}}
    gather: {views: {usage: sampled}}
    chain: {post_hdr: {before: [a], after: [b], priority: 7}}
    external: {image: {texture: bgra8_srgb, resolution: output}}
"""


def example() -> Skeleton:
    return parse_skeleton(EXAMPLE.encode(), "example.yaml")


def request(verb: Verb, name: str) -> Request:
    (found,) = [r for r in example().nodes[0].requests if r.verb is verb and r.name == name and not r.chain]
    return found


def test_the_file_itself() -> None:
    skeleton = example()
    assert skeleton.name == "example"
    assert skeleton.resolutions == (
        ResolutionRule("main_view", of="output", scale=0.5),
        ResolutionRule("shadow_map", size=(2048, 1024)),
    )
    assert skeleton.slots == (("fog_depth", "depth"),)
    assert skeleton.chains == (Chain("post_hdr", "hdr", "hdr_final"),)
    assert skeleton.sinks == ("image",)


def test_a_node() -> None:
    node = example().nodes[0]
    assert (node.name, node.plugin, node.index, node.executes) == ("gbuffer", "", 0, False)
    assert node.multiplex == {"view", "eye"}
    assert node.multiview == "eye"
    assert (node.priority, node.queues, node.cost, node.side_effects) == (3, ("graphics", "compute"), 2.5, True)
    assert (node.before, node.after) == (("late",), ("early",))
    assert node.state == (("cull", "back"), ("depth_bias", (1.0, 2)), ("depth_test", "greater"))
    assert str(node.source) == "example.yaml:11:5"


def test_created_resources() -> None:
    albedo = request(Verb.CREATE, "albedo")
    assert albedo.desc == Texture("rgba8_srgb", Resolution("main_view", 0.5), 2, 3, 4)
    assert (albedo.usage, albedo.clear, albedo.binding) == (Usage.COLOR, None, "albedo")
    assert str(albedo.source) == "example.yaml:22:7"
    depth = request(Verb.CREATE, "depth")
    assert depth.desc == Texture("d32_float", (64, 32))
    assert depth.clear == (0.0, 0.0, 0.0, 0.0)
    draws = request(Verb.CREATE, "draws")
    assert (draws.desc, draws.usage, draws.stages) == (Buffer(65536), Usage.STORAGE_WRITE, (ShaderStage.COMPUTE,))
    assert request(Verb.CREATE, "sun").desc == Blob("Light")


def test_uses() -> None:
    camera = request(Verb.READ, "camera")
    assert (camera.desc, camera.usage, camera.optional) == (Blob("Camera"), None, True)
    ao = request(Verb.READ, "ao")
    assert (ao.usage, ao.stages, ao.optional) == (Usage.SAMPLED, (ShaderStage.FRAGMENT,), True)
    assert request(Verb.MODIFY, "shadows").usage is Usage.DEPTH
    assert request(Verb.HISTORY, "old").first is FirstFrame.INVALID
    rename = request(Verb.RENAME, "hdr")
    assert (rename.to, rename.creates, rename.binding, rename.usage) == ("lit", "lit", "lit", Usage.COLOR)
    assert request(Verb.GATHER, "views").usage is Usage.SAMPLED
    image = request(Verb.EXTERNAL, "image")
    assert (image.desc, image.usage) == (Texture("bgra8_srgb", Resolution("output")), None)


def test_chain_membership_is_a_read_and_a_creation() -> None:
    node = example().nodes[0]
    assert node.chains == (ChainMember("post_hdr", ("a",), ("b",), 7),)
    read, create = (r for r in node.requests if r.chain)
    assert (read.verb, read.name, read.binding, read.usage) == (Verb.READ, "", "source", Usage.SAMPLED)
    assert (create.verb, create.name, create.binding, create.usage) == (Verb.CREATE, "", "result", Usage.COLOR)
    assert read.chain == create.chain == "post_hdr"


def test_rates() -> None:
    text = "version: 1\nnodes: [{name: a, every: 4, phase: 1}, {name: b, when: sun}, {name: c}]"
    often, waiting, always = parse_skeleton(text.encode(), "f.yaml").nodes
    assert (often.rate, often.requests) == (Rate(every=4, phase=1), ())
    assert waiting.rate == Rate(when="sun")
    assert [(r.verb, r.name, str(r.source)) for r in waiting.requests] == [(Verb.READ, "sun", "f.yaml:2:50")]
    assert always.rate == EVERY_FRAME


def test_a_node_reads_the_blob_it_waits_for_once() -> None:
    text = "version: 1\nnodes: [{name: b, when: sun, read: {sun: {blob: Light}}}]"
    (node,) = parse_skeleton(text.encode(), "f.yaml").nodes
    assert [(r.name, r.desc) for r in node.requests] == [("sun", Blob("Light"))]


def test_defaults() -> None:
    skeleton = parse_skeleton(b"version: 1\nnodes: [{name: a}]\n", "folder/small.yaml")
    assert skeleton.name == "small"
    assert skeleton.dimensions == ("view", "eye", "sample", "tile")
    node = skeleton.nodes[0]
    assert (node.queues, node.cost, node.priority, node.requests) == (("graphics",), 1.0, 0, ())


def test_words_follow_yaml_1_2() -> None:
    text = (
        'version: 1\nnodes:\n  - {name: no, cost: 1e3, after: [on, y, 12:30, 2024-01-01, 0x10, "5"], priority: 010}\n'
    )
    node = parse_skeleton(text.encode(), "traps.yaml").nodes[0]
    assert (node.name, node.cost, node.priority) == ("no", 1000.0, 10)
    assert node.after == ("on", "y", "12:30", "2024-01-01", "0x10", "5")


def test_a_byte_order_mark_is_skipped() -> None:
    assert parse_skeleton(b"\xef\xbb\xbfversion: 1\n", "a.yaml").nodes == ()


def test_the_application_may_define_resolutions_of_its_own() -> None:
    text = b"version: 1\nnodes: [{name: a, create: {t: {texture: r8_unorm, resolution: hud, usage: color}}}]\n"
    assert parse_skeleton(text, "a.yaml").nodes[0].requests[0].desc == Texture("r8_unorm", Resolution("hud"))


def test_snapshot() -> None:
    snapshot = to_snapshot(example(), counts={"view": 2})
    assert snapshot.nodes == example().nodes
    assert snapshot.counts == (("view", 2),)
    assert snapshot.sinks == ("image",)
    with pytest.raises(UsageError, match='no dimension "veiw"') as caught:
        to_snapshot(example(), counts={"veiw": 2})
    assert caught.value.hint == 'did you mean "view"?'
    with pytest.raises(UsageError, match="0 instances"):
        to_snapshot(example(), counts={"view": 0})


def test_shipped_skeletons_load_and_share_their_names() -> None:
    assert {"deferred", "forward"} <= set(shipped_skeletons())
    deferred, forward = (load_skeleton(find_skeleton(name)) for name in ("deferred", "forward"))
    assert deferred.chains == forward.chains
    assert deferred.sinks == forward.sinks == ("image",)
    created = [{r.name: r.desc for n in s.nodes for r in n.requests if r.creates} for s in (deferred, forward)]
    assert set(created[1]) == {"depth", "motion_vectors", "hdr_lit", "hdr_opaque", "image"}
    assert all(created[0][name] == desc for name, desc in created[1].items())


def test_finding_skeletons(tmp_path: Path) -> None:
    own = tmp_path / "own.yaml"
    own.write_text("version: 1\n")
    assert find_skeleton(str(own)) == own
    assert load_skeleton(own).name == "own"
    with pytest.raises(UsageError, match='no skeleton "defered"') as caught:
        find_skeleton("defered")
    assert 'did you mean "deferred"?' in caught.value.hint
    with pytest.raises(UsageError):
        find_skeleton("a\0b")


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(SkeletonError, match="cannot read"):
        load_skeleton(tmp_path / "absent.yaml")
    with pytest.raises(SkeletonError, match="cannot read"):
        load_skeleton(tmp_path)


def test_the_size_of_a_picture_follows_the_rendered_size_where_there_is_one() -> None:
    small = parse_skeleton(
        b"version: 1\nname: small\nresolutions: {main_view: {of: viewport, scale: 0.5}}\n", "small.yaml"
    )
    assert small.picture == ResolutionRule("picture", of="main_view")
    assert parse_skeleton(b"version: 1\nname: plain\n", "plain.yaml").picture == ResolutionRule(
        "picture", of="viewport"
    )
