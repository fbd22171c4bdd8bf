"""The JSON report, schema 1."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

from renderwright.render.compiler.values.plan import Plan
from renderwright.render.formats import FORMATS
from renderwright.render.inspect import plan_to_json


def test_the_keys_of_the_schema(plan: Plan) -> None:
    report = plan_to_json(plan)
    assert json.loads(json.dumps(report, allow_nan=False)) == report
    first = ["schema", "nodes", "edges", "resources", "heaps", "frames", "barriers"]
    assert list(report) == [*first, "state", "state_saved", "passes", "removed", "notes", "errors"]
    assert report["schema"] == 1


def test_nodes_stand_in_order(plan: Plan) -> None:
    draw, blur = plan_to_json(plan)["nodes"]
    assert draw == {
        "id": "effects/draw@view=0",
        "name": "effects/draw",
        "index": {"view": 0},
        "plugin": "effects",
        "source": "effects.py:7",
        "queue": "graphics",
    }
    assert (blur["id"], blur["index"]) == ("effects/blur", {})


def test_edges_carry_their_reasons(plan: Plan) -> None:
    assert plan_to_json(plan)["edges"] == [
        ["effects/draw@view=0", "effects/blur", "created, then read: color"],
    ]


def test_resources(plan: Plan) -> None:
    camera, color = plan_to_json(plan)["resources"]
    assert (camera["kind"], camera["format"], camera["extent"], camera["copies"]) == ("blob", None, None, {})
    assert color == {
        "id": "color",
        "names": ["color", "final"],
        "kind": "texture",
        "format": "rgba8_unorm",
        "extent": [64, 32],
        "mips": 2,
        "layers": 1,
        "samples": 4,
        "cube": False,
        "size": 65536,
        "alignment": 256,
        "copies": {
            "even": {"heap": 0, "offset": 0, "arc": [0, 2]},
            "odd": {"heap": 0, "offset": 512, "arc": [2, 4]},
        },
    }
    assert plan_to_json(plan)["heaps"] == [{"class": "textures", "size": 66048, "load": 65536}]


def test_barriers_of_both_frames(plan: Plan) -> None:
    even, even_end, odd, _ = plan_to_json(plan)["barriers"]
    assert even == {
        "frame": 0,
        "before_pass": 1,
        "before_node": "effects/blur",
        "behind": False,
        "event": None,
        "resource": "color",
        "copy": "even",
        "src_stages": ["color_attachment_output"],
        "src_access": ["color_attachment_write"],
        "dst_stages": ["compute_shader"],
        "dst_access": ["shader_sampled_read"],
        "old_layout": "color_attachment",
        "new_layout": "shader_read_only",
        "reason": "written, then read",
        "split": "not split: nothing runs in between",
        "memory_barrier": None,
    }
    assert (even_end["before_pass"], even_end["before_node"]) == (2, None)
    assert (odd["frame"], odd["copy"]) == (1, "odd")


def test_barriers_of_more_frames_alternate(plan: Plan) -> None:
    barriers = plan_to_json(plan, frames=4)["barriers"]
    assert [(barrier["frame"], barrier["copy"]) for barrier in barriers if barrier["before_pass"] == 1] == [
        (0, "even"),
        (1, "odd"),
        (2, "even"),
        (3, "odd"),
    ]
    assert [{**barrier, "frame": barrier["frame"] - 2} for barrier in barriers[4:]] == barriers[:4]


def test_state_and_passes(plan: Plan) -> None:
    report = plan_to_json(plan)
    assert report["state"] == [{"node": "effects/draw@view=0", "changes": {"blend": "color", "depth_bias": [1.0, 2.0]}}]
    assert report["state_saved"] == 3
    render, commands = report["passes"]
    assert render["nodes"] == ["effects/draw@view=0"]
    assert render["extent"] == [64, 32]
    assert render["attachments"] == [
        {"resource": "color", "usage": "color", "load": "clear", "store": "store", "clear": [0.0, 0.0, 0.0, 1.0]}
    ]
    assert (commands["render"], commands["extent"], commands["alone"]) == (False, None, "it renders to nothing")


def test_what_was_left_out_and_said(plan: Plan) -> None:
    report = plan_to_json(plan)
    assert report["removed"] == [
        {
            "node": "effects/idle",
            "reason": "dangling",
            "message": '"effects/idle" removed: nobody reads "x<y>"',
        }
    ]
    (note,), (error,) = report["notes"], report["errors"]
    assert (note["code"], error["code"]) == ("order", "cycle")
    assert (note["hint"], note["where"]) == ("say which", ["effects.py:7", "effects.py:7"])


def test_a_plan_without_passes(plan: Plan) -> None:
    empty = replace(plan, pass_plan=replace(plan.pass_plan, passes=(), changes=()))
    assert [barrier["before_node"] for barrier in plan_to_json(empty)["barriers"]] == [None] * 4


def test_the_document_describes_every_field_and_format(plan: Plan) -> None:
    text = (Path(__file__).parents[3] / "docs" / "plan-format.md").read_text()
    report = plan_to_json(plan)
    keys = set(report)
    for section in ("nodes", "resources", "heaps", "frames", "barriers", "state", "passes", "removed", "notes"):
        keys |= set(report[section][0])
    assert [key for key in sorted(keys) if f"`{key}`" not in text] == []
    assert [name for name in FORMATS if f"`{name}`" not in text] == []
