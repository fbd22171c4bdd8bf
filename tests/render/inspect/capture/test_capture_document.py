"""The capture of a plan as JSON: its shape, and what it says of a small frame."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from renderwright.engine.options import PlanOptions
from renderwright.engine.planning import plan_of
from renderwright.render.compiler.pipeline import compile_snapshot
from renderwright.render.compiler.values.options import CompileOptions
from renderwright.render.graph.declare import Execute
from renderwright.render.graph.frame_graph import FrameGraph
from renderwright.render.graph.registry import Registry
from renderwright.render.inspect.capture import CAPTURE_SCHEMA, capture_of
from renderwright.render.memory.needs import RowMajorModel
from renderwright.render.types.resources import Buffer, Texture

FRAME = """\
version: 1
sinks: [image]
nodes:
  - name: camera
    create: {camera: {blob: Camera}}
  - name: gbuffer
    read: {camera: {blob: Camera}}
    create:
      albedo: {texture: rgba8_srgb, resolution: output, usage: color}
      depth: {texture: d32_float, resolution: output, usage: depth}
  - name: light
    read: {albedo: {usage: sampled}, depth: {usage: sampled}}
    create: {lit: {texture: rgba16_sfloat, resolution: output, usage: color}}
  - name: haze
    modify: {lit: {usage: color}}
    read: {depth: {usage: depth_read}}
  - name: blur
    queue: [compute]
    read: {lit: {usage: sampled}}
    history: {soft: {usage: sampled}}
    create: {soft: {texture: rgba16_sfloat, resolution: output, usage: storage_write}}
  - name: show
    read: {soft: {usage: sampled}}
    external: {image: {texture: rgba8_srgb, resolution: output, usage: color}}
  - name: stray
    create: {lost: {texture: r8_unorm, resolution: output, usage: color}}
"""


@pytest.fixture(scope="module")
def capture(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    file = tmp_path_factory.mktemp("skeleton") / "frame.yaml"
    file.write_text(FRAME)
    options = PlanOptions(str(file), size=(64, 32), queues=("graphics", "compute"))
    return capture_of(plan_of(options), "frame.yaml")


def access(capture: dict[str, Any], node: str, resource: str) -> dict[str, Any]:
    (found,) = (one for one in capture["accesses"] if (one["node"], one["resource"]) == (node, resource))
    return found


def test_a_capture_is_json_with_a_schema(capture: dict[str, Any]) -> None:
    assert json.loads(json.dumps(capture)) == capture
    assert (capture["schema"], capture["kind"], capture["title"]) == (CAPTURE_SCHEMA, "capture", "frame.yaml")


def test_reads_and_writes(capture: dict[str, Any]) -> None:
    directions = {
        (one["node"], one["resource"]): (one["reads"], one["writes"])
        for one in capture["accesses"]
        if "frames_ago" not in one
    }
    assert directions["gbuffer", "albedo"] == (False, True)
    assert directions["light", "albedo"] == (True, False)
    assert directions["haze", "lit"] == (True, True)
    assert directions["haze", "depth"] == (True, False)
    assert directions["blur", "soft"] == (False, True)
    assert directions["gbuffer", "camera"] == (True, False)


def test_an_access_has_its_stage_or_several() -> None:
    def make(reg: Registry) -> Execute:
        reg.create("made", Buffer(64)).storage_write()
        return lambda cmd: None

    def draw(reg: Registry) -> Execute:
        reg.read("made").storage_read(stage=("fragment", "vertex"))
        reg.create("image", Texture("rgba8_unorm", (8, 8))).color()
        reg.side_effects()
        return lambda cmd: None

    frame = FrameGraph()
    frame.add_node("make", make)
    frame.add_node("draw", draw)
    assert list(frame.declare()) == []
    plan = compile_snapshot(frame.snapshot(), frame.sizes(), CompileOptions(), RowMajorModel())
    document = capture_of(plan, "two stages")
    assert access(document, "make", "made")["stage"] == "compute"
    assert access(document, "draw", "made")["stage"] == ["vertex", "fragment"]


def test_a_history_is_an_access_to_an_earlier_frame(capture: dict[str, Any]) -> None:
    (past,) = (one for one in capture["accesses"] if "frames_ago" in one)
    assert (past["node"], past["resource"], past["frames_ago"], past["reads"]) == ("blur", "soft", 1, True)
    (soft,) = (one for one in capture["resources"] if one["id"] == "soft")
    assert (soft["history"], soft["first"]) == (True, "clear")


def test_bytes_follow_from_loads_and_stores(capture: dict[str, Any]) -> None:
    whole = 64 * 32
    assert access(capture, "gbuffer", "albedo")["bytes_written"] == whole * 4
    assert access(capture, "light", "albedo")["bytes_read"] == whole * 4
    assert access(capture, "blur", "lit")["bytes_read"] == whole * 8
    lit = [one for one in capture["accesses"] if one["resource"] == "lit" and one["usage"] == "color"]
    merged = any(set(item["nodes"]) >= {"light", "haze"} for item in capture["plan"]["passes"])
    assert [(one["bytes_read"], one["bytes_written"]) for one in lit] == (
        [(0, 0), (0, whole * 8)] if merged else [(0, whole * 8), (whole * 8, whole * 8)]
    )
    assert access(capture, "gbuffer", "camera")["bytes_read"] == 0


def test_what_no_shader_reads_moves_nothing(tmp_path: Path) -> None:
    (tmp_path / "frame.yaml").write_text(FRAME)
    plan = plan_of(PlanOptions(str(tmp_path / "frame.yaml"), size=(64, 32), queues=("graphics", "compute")))
    unread = [{"node": "blur", "resource": "soft", "binding": "soft", "verb": "history", "source": "frame.yaml:1"}]
    plain, seen = capture_of(plan, "frame"), capture_of(plan, "frame", unread)
    whole = 64 * 32 * 8
    past = [next(one for one in found["accesses"] if "frames_ago" in one) for found in (plain, seen)]
    assert [(one.get("unread"), one["bytes_read"]) for one in past] == [(None, whole), (True, 0)]
    (own,) = (one for one in seen["accesses"] if (one["node"], one["verb"]) == ("blur", "create"))
    assert ("unread" in own, own["bytes_written"]) == (False, whole)
    assert plain["plugins"][0]["bytes_read"] - seen["plugins"][0]["bytes_read"] == whole
    assert ("unread" in plain, seen["unread"]) == (False, unread)


def test_copies_at_one_place_are_paid_once(tmp_path: Path) -> None:
    """Without histories and other queues, even and odd frames use the same bytes."""
    past = "    queue: [compute]\n", "    history: {soft: {usage: sampled}}\n"
    (tmp_path / "frame.yaml").write_text(FRAME.replace(past[0], "").replace(past[1], ""))
    capture = capture_of(plan_of(PlanOptions(str(tmp_path / "frame.yaml"), size=(64, 32))), "frame")
    placed = [item for item in capture["plan"]["resources"] if item["copies"]]
    for item in placed:
        even, odd = item["copies"]["even"], item["copies"]["odd"]
        assert (even["heap"], even["offset"]) == (odd["heap"], odd["offset"])
    assert capture["plugins"][0]["memory"] == sum(item["size"] for item in placed) > 0


def test_copies_at_several_places_are_paid_each(capture: dict[str, Any]) -> None:
    assert any(len({copy["offset"] for copy in item["copies"].values()}) == 2 for item in capture["plan"]["resources"])
    memory = sum(
        item["size"] * len({(copy["heap"], copy["offset"]) for copy in item["copies"].values()})
        for item in capture["plan"]["resources"]
    )
    assert capture["plugins"][0]["memory"] == memory


def test_order_has_the_room_that_the_edges_leave(capture: dict[str, Any]) -> None:
    places = {one["node"]: one for one in capture["order"]["nodes"]}
    numbers = {node["id"]: number for number, node in enumerate(capture["plan"]["nodes"])}
    for before, after, _ in capture["plan"]["edges"]:
        assert places[after]["earliest"] > numbers[before]
        assert places[before]["latest"] < numbers[after]
    assert all(one["earliest"] <= numbers[name] <= one["latest"] for name, one in places.items())
    assert capture["order"]["policy"] == "balanced"


def test_every_barrier_says_what_it_waits_for(capture: dict[str, Any]) -> None:
    barriers = capture["plan"]["barriers"]
    assert barriers
    assert all("awaits" in one for one in barriers)
    read = [one for one in barriers if one["resource"] == "albedo" and one["reason"] == "written, then read"]
    assert read[0]["awaits"] == ["gbuffer"]


def test_attachments_have_reasons(capture: dict[str, Any]) -> None:
    (albedo,) = (one for one in capture["attachments"] if one["resource"] == "albedo")
    assert albedo["load"].startswith("not loaded")
    assert albedo["store"] == "stored, because `light` uses it later"


def test_nodes_have_reasons(capture: dict[str, Any]) -> None:
    assert capture["needs"]["gbuffer"].endswith("the frame is made for `image`")
    assert [one["node"] for one in capture["plan"]["removed"]] == ["stray"]


def test_queues_have_a_schedule(capture: dict[str, Any]) -> None:
    queues = capture["queues"]
    assert queues["used"] == ["graphics", "compute"]
    assert {one["node"]: one["for"] for one in queues["waits"]}["show"] == ["blur"]
    rows = {row["node"]: row for row in queues["schedule"]}
    assert rows["show"]["idle"] == rows["blur"]["cost"]


def test_costs_are_attributed(capture: dict[str, Any]) -> None:
    (row,) = capture["plugins"]
    assert (row["plugin"], row["nodes"], row["removed"]) == ("", 6, 1)
    assert row["bytes_read"] + row["bytes_written"] == sum(
        one["bytes_read"] + one["bytes_written"] for one in capture["accesses"]
    )


def test_the_page_describes_every_field(capture: dict[str, Any]) -> None:
    text = (Path(__file__).parents[4] / "docs" / "capture.md").read_text(encoding="utf-8")
    keys = set(capture)
    for section in ("resources", "accesses", "attachments", "plugins", "findings"):
        keys |= {key for row in capture[section] for key in row}
    keys |= {*capture["order"], *capture["order"]["nodes"][0], *capture["queues"], *capture["queues"]["schedule"][0]}
    assert [key for key in sorted(keys) if f"`{key}`" not in text] == []
