"""The description format and the plan report as a contract: files in, JSON out, nothing else known of the program."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from renderwright.engine.cli import main

TEXEL = {"rgba8_srgb": 4, "d32_float": 4, "rgba16_sfloat": 8, "r16_sfloat": 2, "rgba8_unorm": 4, "r32_uint": 4}

WHOLE = """\
version: 1
name: contract
dimensions: [view, eye, sample, tile]
resolutions:
  main_view: {of: output, scale: 0.5}
  shadow_map: {size: [512, 256]}
slots: {fog_depth: depth, fog_depth_again: fog_depth}
chains: {post_hdr: {input: lit, output: hdr_final}, post_ui: {input: hdr_final, output: ui_final}}
sinks: [image, counted]
nodes:
  - name: camera
    multiplex: [view, eye]
    create: {camera: {blob: Camera}}
  - name: move_camera
    modify: {camera: {blob: Camera, optional: false}}
  - name: freeze_camera
    rename: {camera: {to: eyes, blob: Camera}}
  - name: cull
    queue: [compute, graphics]
    read: {eyes: {blob: Camera}}
    history: {eyes: {blob: Camera, first: invalid}}
    create:
      draws: {buffer: 65537, usage: storage_write, stage: compute}
      vertices: {buffer: 100, usage: copy_dst}
  - name: shadows
    every: 4
    phase: 1
    multiplex: []
    cost: 2.5
    create:
      shadow: {texture: d32_float, resolution: shadow_map, layers: 4, usage: depth, clear: 0.0}
  - name: gbuffer
    multiplex: [view, eye]
    priority: 3
    queue: [graphics]
    after: [cull]
    state: {cull: back, depth_test: greater, bias: [1, 2.5], wire: false}
    read:
      eyes: {blob: Camera}
      draws: {usage: indirect}
      vertices: {usage: vertex}
    create:
      albedo: {texture: rgba8_srgb, resolution: main_view, scale: 1.0, mips: 1, layers: 1, samples: 4, usage: color}
      depth: {texture: d32_float, resolution: main_view, samples: 4, usage: depth, clear: 0.0}
  - name: flatten
    state: {cull: back}
    modify: {albedo: {usage: color}}
    create:
      flat: {texture: rgba8_srgb, resolution: main_view, usage: resolve}
  - name: probes
    create: {probe: {texture: r16_sfloat, size: [33, 17], mips: 5, layers: 6, usage: storage_write}}
    history: {probe: {usage: storage_read, stage: compute, first: discard}}
  - name: light
    side_effects: false
    read:
      flat: {usage: sampled, stage: fragment}
      depth: {usage: depth_read}
      shadow: {usage: sampled}
      probe: {usage: sampled, optional: true}
      ao: {usage: sampled, stage: fragment, optional: true}
    history: {hdr_history: {usage: sampled, stage: compute, first: clear, optional: true}}
    create: {hdr: {texture: rgba16_sfloat, resolution: main_view, samples: 4, usage: color, clear: [0, 0, 0, 1]}}
  - name: transparent
    rename: {hdr: {to: lit, usage: color}}
  - name: fog
    read: {fog_depth_again: {usage: sampled}}
    chain: {post_hdr: {before: [grade], priority: -1}}
  - name: grade
    chain: {post_hdr: {after: [], priority: 7}}
  - name: hud
    when: eyes
    read: {eyes: {blob: Camera}}
    create: {hud: {texture: rgba8_unorm, size: [16, 16], usage: color}}
  - name: histogram
    read: {hdr_final: {usage: copy_src}}
    create: {copied: {texture: rgba16_sfloat, resolution: main_view, usage: copy_dst}}
  - name: count
    read: {copied: {usage: storage_read, stage: compute}}
    create: {bins: {buffer: 1, usage: storage}}
    modify: {}
  - name: sum
    multiplex: []
    gather: {bins: {usage: uniform}}
    create: {counted: {buffer: 512, usage: storage, stage: compute}}
  - name: tell
    side_effects: true
    multiplex: []
    read: {counted: {usage: host_read}}
  - name: asset
    multiplex: []
    external: {lut: {texture: rgba8_unorm, size: [32, 32], usage: sampled}, table: {buffer: 64}}
  - name: compose
    multiplex: []
    external: {image: {texture: rgba8_srgb, resolution: output, usage: color}}
    gather:
      ui_final: {usage: sampled}
      hud: {usage: sampled}
    read: {lut: {usage: sampled}, table: {usage: index, optional: true}}
  - name: show
    multiplex: []
    modify: {image: {usage: present}}
  - name: unused
    create: {scratch: {texture: r32_uint, size: [8, 8], usage: storage}}
  - name: needs_scratch
    read: {scratches: {usage: sampled}}
"""

ORDERS = ("balanced", "memory", "overlap", "declared", "random:1", "random:99")
COUNTS = ("view=1,eye=1", "view=2,eye=2", "view=3,eye=1")

Plans = Callable[..., dict[str, Any]]


@pytest.fixture
def planned(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Plans:
    """Compiles a text by the command line and gives back its JSON."""

    def compile(text: str = WHOLE, *arguments: str, frames: int = 4) -> dict[str, Any]:
        path = tmp_path / "contract.yaml"
        path.write_text(text)
        size = ("--resolution", "output=640x360")
        code = main(["graph", str(path), "--format", "json", *size, "--frames", str(frames), *arguments])
        streams = capsys.readouterr()
        assert code == 0, streams.err
        result: dict[str, Any] = json.loads(streams.out)
        return result

    return compile


def slots_of(arc: list[int], period: int) -> set[int]:
    return {moment % period for moment in range(arc[0], arc[1])}


def check_fields(plan: dict[str, Any]) -> None:
    """Every documented field is there and has its type."""
    assert plan["schema"] == 1
    for node in plan["nodes"]:
        assert {"id", "name", "index", "plugin", "source", "queue"} <= set(node)
        assert re.fullmatch(r".*contract\.yaml:\d+:\d+", node["source"])
        assert node["queue"] in ("graphics", "compute", "copy")
    ids = {node["id"] for node in plan["nodes"]}
    names = {item["id"] for item in plan["resources"]}
    assert len(ids) == len(plan["nodes"])
    assert len(names) == len(plan["resources"])
    for before, after, reason in plan["edges"]:
        assert {before, after} <= ids
        assert reason
    for item in plan["resources"]:
        assert {"names", "kind", "format", "extent", "mips", "layers", "samples", "size", "alignment"} <= set(item)
        assert (item["kind"] == "texture") == (item["format"] is not None) == (item["extent"] is not None)
    for heap in plan["heaps"]:
        assert set(heap) == {"class", "size", "load"}
    for barrier in plan["barriers"]:
        assert barrier["resource"] in names
        assert barrier["copy"] in ("even", "odd")
        assert barrier["frame"] in range(len(plan["frames"]))
        assert barrier["reason"]
    for change in plan["state"]:
        assert change["node"] in ids
        assert change["changes"]
    covered = [node for item in plan["passes"] for node in item["nodes"]]
    assert covered == [node["id"] for node in plan["nodes"]]
    assert [item["number"] for item in plan["passes"]] == list(range(len(plan["passes"])))
    for problem in plan["notes"] + plan["errors"]:
        assert set(problem) == {"code", "message", "hint", "where"}


def check_sizes(plan: dict[str, Any]) -> None:
    """Row-major texels of all mips, layers and samples, rounded up to 65536; buffers to 256."""
    for item in plan["resources"]:
        if not item["copies"]:
            assert (item["size"], item["alignment"]) == (0, 0)
        elif item["kind"] == "texture":
            width, height = item["extent"]
            levels = [max(1, width >> level) * max(1, height >> level) for level in range(item["mips"])]
            texels = sum(levels) * item["layers"] * item["samples"]
            assert item["alignment"] == 65536
            assert item["size"] == math.ceil(texels * TEXEL[item["format"]] / 65536) * 65536
        else:
            assert item["alignment"] == 256
            assert item["size"] % 256 == 0


def check_memory(plan: dict[str, Any]) -> None:
    """Copies whose arcs meet share no bytes; heaps hold them all and are no smaller than their load."""
    count = len(plan["nodes"])
    placed = []
    for item in plan["resources"]:
        copies = item["copies"]
        if copies:
            assert set(copies) == {"even", "odd"}
            twins = {json.dumps(copy) for copy in copies.values()}
            for copy in [json.loads(text) for text in twins]:
                start, end = copy["arc"]
                assert 0 <= start < end <= start + 2 * count
                assert copy["offset"] % item["alignment"] == 0
                placed.append((item, copy, slots_of(copy["arc"], 2 * count)))
            if len(twins) == 2:
                even, odd = copies["even"]["arc"], copies["odd"]["arc"]
                assert [odd[0] - even[0], odd[1] - even[1]] == [count, count]
    for (one, here, now), (other, there, then) in combinations(placed, 2):
        if here["heap"] == there["heap"] and now & then:
            below = here["offset"] + one["size"] <= there["offset"]
            above = there["offset"] + other["size"] <= here["offset"]
            assert below or above, (one["id"], other["id"])
    for number, heap in enumerate(plan["heaps"]):
        members = [part for part in placed if part[1]["heap"] == number]
        assert heap["size"] == max(copy["offset"] + item["size"] for item, copy, _ in members)
        loads = [sum(item["size"] for item, _, live in members if now in live) for now in range(2 * count)]
        assert heap["size"] >= heap["load"] == max(loads)


def check_order(plan: dict[str, Any]) -> None:
    place = {node["id"]: number for number, node in enumerate(plan["nodes"])}
    assert all(place[before] < place[after] for before, after, _ in plan["edges"])


def check_barriers(plan: dict[str, Any]) -> None:
    """Wherever a GPU resource is created and then read, a barrier stands between the two in frame 0."""
    pass_of = {node: item["number"] for item in plan["passes"] for node in item["nodes"]}
    gpu = {item["id"] for item in plan["resources"] if item["copies"]}
    checked = 0
    for before, after, reason in plan["edges"]:
        words, _, name = reason.partition(": ")
        if words not in ("created, then read", "modified, then read") or pass_of[before] == pass_of[after]:
            continue
        matching = [n for n in gpu if n == name or n.startswith(f"{name}@")]
        ends = [f"@{text.partition('@')[2]}" for text in (before, after) if "@" in text]
        matching = [n for n in matching if "@" not in n or n.endswith(tuple(ends))]
        for resource in matching:
            spots = [b["before_pass"] for b in plan["barriers"] if b["resource"] == resource and b["frame"] == 0]
            assert any(pass_of[before] < spot <= pass_of[after] for spot in spots), (before, after, resource)
            checked += 1
    assert checked > 5


@pytest.mark.parametrize("counts", COUNTS)
@pytest.mark.parametrize("order", ORDERS)
def test_the_plan_keeps_the_contract(planned: Plans, order: str, counts: str) -> None:
    plan = planned(WHOLE, "--order", order, "--count", counts)
    check_fields(plan)
    check_sizes(plan)
    check_memory(plan)
    check_order(plan)
    check_barriers(plan)
    assert plan["errors"] == []


def test_what_is_removed_and_why(planned: Plans) -> None:
    removed = {item["node"]: item for item in planned()["removed"]}
    assert set(removed) == {"unused", "needs_scratch"}
    assert removed["unused"]["reason"] == "dangling"
    assert removed["unused"]["message"] == "`unused` removed: nothing reads `scratch`"
    assert removed["needs_scratch"]["reason"] == "broken"
    assert "`scratches`" in removed["needs_scratch"]["message"]


def test_sizes_and_names(planned: Plans) -> None:
    items = {item["id"]: item for item in planned()["resources"]}
    assert items["depth"]["extent"] == [320, 180]
    assert (items["depth"]["format"], items["depth"]["samples"]) == ("d32_float", 4)
    assert items["hdr"]["names"] == ["hdr", "lit"]
    assert items["camera"]["names"] == ["camera", "eyes"]
    assert [items[name]["size"] for name in ("draws", "vertices", "counted")] == [65792, 256, 512]
    assert items["shadow"]["layers"] == 4
    assert items["shadow"]["copies"]["even"] == items["shadow"]["copies"]["odd"]
    assert items["image"]["copies"] == items["lut"]["copies"] == items["camera"]["copies"] == {}
    assert items["probe"]["size"] == 65536


def test_chains_go_by_before_and_after_and_through_one_another(planned: Plans) -> None:
    plan = planned()
    edges = {(before, after): reason for before, after, reason in plan["edges"]}
    assert edges["fog", "grade"] == "created, then read: post_hdr/fog"
    assert edges["grade", "compose"] == "created, then read: post_hdr/grade"
    assert edges["transparent", "fog"].endswith(": lit")
    shortened = WHOLE.replace("    chain: {post_hdr: {after: [], priority: 7}}\n", "")
    assert ["fog", "compose", "created, then read: post_hdr/fog"] in planned(shortened)["edges"]


def test_instances(planned: Plans) -> None:
    plan = planned(WHOLE, "--count", "view=2,eye=2")
    ids = [node["id"] for node in plan["nodes"]]
    assert sum(name.startswith("light@") for name in ids) == 4
    assert ids.count("compose") == ids.count("sum") == ids.count("shadows") == 1
    gathered = {before for before, after, _ in plan["edges"] if after == "sum"}
    assert gathered == {f"count@view={view},eye={eye}" for view in (0, 1) for eye in (0, 1)}
    index = next(node["index"] for node in plan["nodes"] if node["id"] == "light@view=1,eye=0")
    assert index == {"view": 1, "eye": 0}


def test_history_outlives_its_frame(planned: Plans) -> None:
    plan = planned()
    count = len(plan["nodes"])
    place = [node["id"] for node in plan["nodes"]].index("probes")
    probe = next(item for item in plan["resources"] if item["id"] == "probe")
    assert probe["copies"]["even"]["arc"] == [place, count + place + 1]
    assert probe["copies"]["odd"]["arc"] == [count + place, 2 * count + place + 1]


def test_the_order_of_nodes_in_the_file_changes_places_only(planned: Plans) -> None:
    head, *nodes = re.split(r"(?m)^  - ", WHOLE)
    mixed = head + "".join(f"  - {text}" for text in nodes[::-1])
    one, other = planned(), planned(mixed)
    assert sorted(one["edges"]) == sorted(other["edges"])
    assert {item["node"] for item in one["removed"]} == {item["node"] for item in other["removed"]}
    check_memory(other)


MISTAKES = [
    ("    multiplex: [view, eye]\n    create: {cam", "    multiplex: [viev]\n    create: {cam", 'did you mean "view"?'),
    ("history: {probe:", "histroy: {probe:", 'unknown key, did you mean "history"?'),
    ("usage: depth_read}", "usage: depht_read}", 'did you mean "depth_read"?'),
    ("texture: r32_uint", "texture: r32_unit", 'did you mean "r32_uint"?'),
    ("first: discard", "first: discrad", 'did you mean "discard"?'),
    ("queue: [graphics]", "queue: [graphic]", 'did you mean "graphics"?'),
    ("name: fog\n", "name: grade\n", "is already the name of nodes["),
    ("version: 1", "version: 2", "unknown version 2"),
    ("{before: [grade]", "{before: &x [grade]", "anchors are not allowed"),
    ("cost: 2.5", "cost: 2.5\n    cost: 3", "duplicate key"),
    ("size: [8, 8]", "size: [8]", "too few items"),
    ("bias: [1, 2.5]", "bias: " + "[" * 40 + "]" * 40, "nested more than 32 levels deep"),
    ("chain: {post_hdr: {after", "chain: {post_hrd: {after", 'did you mean "post_hdr"?'),
    ("buffer: 512", "buffer: 0", "got 0"),
    ("every: 4\n", "every: 4\n    when: camera\n", 'either "every" or "when"'),
]


@pytest.mark.parametrize(("right", "mistaken", "message"), MISTAKES, ids=[item[2] for item in MISTAKES])
def test_mistakes_have_a_place_and_a_hint(
    right: str, mistaken: str, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert right in WHOLE
    path = tmp_path / "wrong.yaml"
    path.write_text(WHOLE.replace(right, mistaken, 1))
    assert main(["graph", str(path), "--format", "json"]) == 2
    streams = capsys.readouterr()
    assert streams.out == ""
    assert message in streams.err
    place = re.match(r"error: .*wrong\.yaml:(\d+):(\d+): ", streams.err)
    assert place
    first = WHOLE[: WHOLE.index(right)].count("\n") + 1
    assert first - 1 <= int(place[1]) <= first + 3


GRAPH_MISTAKES = [
    ("rename: {hdr: {to: lit, usage: color}}", "rename: {hdr: {to: flat, usage: color}}", "two-creators"),
    ("history: {probe: {usage: storage_read", "history: {hdr: {usage: storage_read", "history"),
    ("    modify: {albedo", "    before: [camera]\n    modify: {albedo", "cycle"),
    ("multiplex: []\n    gather: {bins", "multiplex: []\n    read: {bins", "mode"),
    ("depth: {usage: depth_read}", "depth: {usage: uniform}", "usage"),
    ("history: {eyes: {blob: Camera,", "history: {eyes: {blob: Sun,", "blob-type"),
    ("eyes: {blob: Camera}\n      draws", "eyes: {usage: sampled}\n      draws", "usage"),
    ("sinks: [image, counted]", "sinks: [image, count_ed]", "no-sink"),
]


@pytest.mark.parametrize(("right", "mistaken", "code"), GRAPH_MISTAKES, ids=[item[2] for item in GRAPH_MISTAKES])
def test_wrong_graphs_still_have_a_plan(planned: Plans, right: str, mistaken: str, code: str) -> None:
    assert right in WHOLE
    plan = planned(WHOLE.replace(right, mistaken, 1))
    found = [error for error in plan["errors"] if error["code"] == code]
    assert found, plan["errors"]
    assert found[0]["hint"]
    if code != "no-sink":
        assert all(re.search(r"contract\.yaml:\d+:\d+$", place) for place in found[0]["where"])
    check_memory(plan)
    check_order(plan)
