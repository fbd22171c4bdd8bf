"""``renderwright graph FILE.yaml`` and ``renderwright schema``: the contract of files, options and the JSON plan."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from renderwright.engine.cli import main
from renderwright.engine.skeleton import find_skeleton

EVERY_KEY = """\
version: 1
name: example
dimensions: [view, eye, sample, tile]
resolutions:
  main_view: {of: output, scale: 1.0}
  shadow_map: {size: [2048, 2048]}
slots: {fog_depth: depth}
chains: {post_hdr: {input: hdr, output: hdr_final}}
sinks: [image]
nodes:
  - name: gbuffer
    multiplex: [view, eye]
    multiview: eye
    priority: 0
    queue: [graphics]            # or compute, copy; several allowed
    cost: 1.0                    # hint, relative
    after: []                    # node names; also before
    side_effects: false
    state: {cull: back, depth_test: greater}
    create:
      albedo: {texture: rgba8_srgb, resolution: main_view, scale: 1.0, mips: 1, layers: 1, samples: 1, usage: color}
      depth:  {texture: d32_float, resolution: main_view, usage: depth}
      draws:  {buffer: 65536, usage: storage_write, stage: compute}
    modify:  {}
    read:
      camera: {blob: Camera}
      ao:     {usage: sampled, stage: fragment, optional: true}
    history: {ao: {usage: sampled, stage: compute, first: clear}}      # or discard, invalid
    rename:  {hdr: {to: lit, usage: color}}
    gather:  {}
    chain:   {post_hdr: {before: [], after: [], priority: 0}}
    external: {}                  # name: {texture: FORMAT, resolution: ...}
"""

FRAME = """\
version: 1
resolutions:
  main_view: {of: output, scale: 0.5}
slots: {fog_depth: depth}
chains: {post: {input: hdr, output: final}}
sinks: [image]
nodes:
  - name: camera
    multiplex: [view]
    create: {camera: {blob: Camera}}
  - name: gbuffer
    state: {cull: back, depth_test: greater}
    read: {camera: {blob: Camera}}
    create:
      albedo: {texture: rgba8_srgb, resolution: main_view, usage: color, clear: [0, 0, 0, 1]}
      depth: {texture: d32_float, resolution: main_view, usage: depth, clear: 0.0}
  - name: light
    state: {cull: back, depth_test: equal}
    read:
      albedo: {usage: sampled}
      ao: {usage: sampled, optional: true}
    create: {hdr: {texture: rgba16_sfloat, resolution: main_view, usage: color}}
    history: {hdr: {usage: sampled, first: invalid}}
  - name: fog
    read: {fog_depth: {usage: sampled}}
    chain: {post: {}}
  - name: unused
    create: {scratch: {buffer: 100, usage: storage_write, stage: compute}}
  - name: show
    multiplex: []
    external: {image: {texture: rgba8_srgb, resolution: output, usage: color}}
    gather: {final: {usage: sampled}}
"""


@pytest.fixture
def frame(tmp_path: Path) -> str:
    path = tmp_path / "frame.yaml"
    path.write_text(FRAME)
    return str(path)


def plan(capsys: pytest.CaptureFixture[str], *arguments: str) -> Any:
    assert main(["graph", *arguments, "--format", "json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_a_file_with_every_key_of_the_format_compiles(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "every_key.yaml"
    path.write_text(EVERY_KEY)
    result = plan(capsys, str(path), "--resolution", "output=640x360", "--count", "view=2,eye=2", "--frames", "4")
    assert list(result) == [
        "schema", "nodes", "edges", "resources", "heaps", "frames", "barriers", "state", "state_saved", "passes",
        "removed", "notes", "errors",
    ]  # fmt: skip
    (removed,) = result["removed"]
    assert (removed["node"], removed["reason"]) == ("gbuffer", "broken")
    assert [error["code"] for error in result["errors"]] == ["chain-input", "no-sink"]


def test_nodes_and_edges(frame: str, capsys: pytest.CaptureFixture[str]) -> None:
    result = plan(capsys, frame, "--count", "view=2")
    instances = Counter(node["name"] for node in result["nodes"])
    assert instances == {"camera": 2, "gbuffer": 2, "light": 2, "fog": 2, "show": 1}
    fog = next(node for node in result["nodes"] if node["id"] == "fog@view=1")
    assert fog == {
        "id": "fog@view=1", "name": "fog", "index": {"view": 1}, "plugin": "", "source": f"{frame}:24:5",
        "queue": "graphics",
    }  # fmt: skip
    assert ["gbuffer@view=1", "light@view=1", "created, then read: albedo"] in [
        [before, after, reason.partition("@")[0]] for before, after, reason in result["edges"]
    ]


def test_resources_and_heaps(frame: str, capsys: pytest.CaptureFixture[str]) -> None:
    result = plan(capsys, frame, "--resolution", "main_view=320x200")
    resources = {item["id"]: item for item in result["resources"]}
    assert set(resources) == {"camera", "albedo", "depth", "hdr", "post/fog", "image"}
    hdr = resources["hdr"]
    assert (hdr["kind"], hdr["format"], hdr["extent"]) == ("texture", "rgba16_sfloat", [320, 200])
    assert (hdr["mips"], hdr["layers"], hdr["samples"]) == (1, 1, 1)
    assert (hdr["size"], hdr["alignment"]) == (-(-320 * 200 * 8 // 65536) * 65536, 65536)
    assert set(hdr["copies"]) == {"even", "odd"}
    count = len(result["nodes"])
    starts = [hdr["copies"][copy]["arc"][0] for copy in ("even", "odd")]
    assert starts[1] == starts[0] + count
    assert hdr["copies"]["even"]["offset"] != hdr["copies"]["odd"]["offset"]
    assert (resources["image"]["extent"], resources["image"]["copies"]) == ([1280, 720], {})
    (heap,) = result["heaps"]
    assert heap["class"] == "textures"
    assert heap["size"] >= heap["load"] >= hdr["size"]


def test_barriers_of_as_many_frames_as_asked_for(frame: str, capsys: pytest.CaptureFixture[str]) -> None:
    barriers = plan(capsys, frame, "--frames", "4")["barriers"]
    frames = [[{**b, "frame": 0} for b in barriers if b["frame"] == number] for number in range(4)]
    assert all(frames)
    assert (frames[0], frames[1]) == (frames[2], frames[3])
    assert frames[0] != frames[1]
    assert {barrier["frame"] for barrier in plan(capsys, frame)["barriers"]} == {0, 1}


RATED = """\
version: 1
sinks: [image]
nodes:
  - {name: sun, create: {sun: {blob: Sun}}}
  - name: cascade
    every: 3
    phase: 1
    create: {shadow: {texture: d32_sfloat, size: [64, 64], usage: depth, clear: 0.0}}
  - name: sky
    when: sun
    read: {sun: {blob: Sun}}
    create: {sky: {texture: rgba8_unorm, size: [64, 64], usage: color}}
  - name: show
    create: {image: {texture: rgba8_unorm, size: [64, 64], usage: color}}
    read: {shadow: {usage: sampled}, sky: {usage: sampled}}
"""


def test_frames_in_which_nodes_rest(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "rated.yaml"
    path.write_text(RATED)
    result = plan(capsys, str(path), "--frames", "5")
    assert [(frame["frame"], frame["copy"], frame["resting"]) for frame in result["frames"]] == [
        (0, "even", []),
        (1, "odd", ["sky"]),
        (2, "even", ["cascade", "sky"]),
        (3, "odd", ["cascade", "sky"]),
        (4, "even", ["sky"]),
    ]
    resources = {item["id"]: item for item in result["resources"]}
    assert resources["shadow"]["copies"]["even"] == resources["shadow"]["copies"]["odd"]
    touched = [{b["resource"] for b in result["barriers"] if b["frame"] == number} for number in range(5)]
    assert "shadow" in touched[1]
    assert "shadow" not in touched[2]
    assert "sky" not in touched[4]
    assert main(["graph", str(path), "--explain", "cascade", "--explain", "shadow"]) == 0
    text = capsys.readouterr().out
    assert "runs every 3 frames, 1 later; the rest is about frames in which all nodes run" in text
    assert "keeps its contents until its writers run again" in text
    assert "one copy for all frames: bytes" in text


def test_state_passes_and_removed(frame: str, capsys: pytest.CaptureFixture[str]) -> None:
    result = plan(capsys, frame)
    assert result["state"] == [
        {"node": "gbuffer", "changes": {"cull": "back", "depth_test": "greater"}},
        {"node": "light", "changes": {"depth_test": "equal"}},
    ]
    assert result["state_saved"] == 1
    render = [item for item in result["passes"] if item["render"]]
    assert [name for item in result["passes"] for name in item["nodes"]] == [node["id"] for node in result["nodes"]]
    assert [bool(item["alone"]) for item in result["passes"]] == [item["number"] > 0 for item in result["passes"]]
    light = next(item for item in render if "light" in item["nodes"])
    assert light["alone"] == ('it renders to "hdr" as color, the pass before it to "albedo" as color, "depth" as depth')
    (removed,) = result["removed"]
    assert removed == {
        "node": "unused", "reason": "dangling", "message": "`unused` removed: nothing reads `scratch`",
    }  # fmt: skip
    assert result["errors"] == []


def test_policies_change_the_order_only(frame: str, capsys: pytest.CaptureFixture[str]) -> None:
    plans = [plan(capsys, frame, "--order", policy) for policy in ("declared", "random:1", "random:1")]
    assert plans[1] == plans[2]
    assert {node["id"] for node in plans[0]["nodes"]} == {node["id"] for node in plans[1]["nodes"]}
    assert plans[0]["edges"] == plans[1]["edges"]


def test_views_are_drawn_at_once_unless_they_must_not(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "frame.yaml"
    file.write_text(
        FRAME.replace("  - name: gbuffer\n", "  - name: gbuffer\n    multiplex: [view]\n    multiview: view\n")
    )
    (drawn,) = [node for node in plan(capsys, str(file), "--count", "view=2")["nodes"] if node["name"] == "gbuffer"]
    assert (drawn["id"], drawn["multiview"]) == ("gbuffer@view=*", {"dimension": "view", "views": 2})
    single = plan(capsys, str(file), "--count", "view=2", "--no-multiview")
    drawn = [node for node in single["nodes"] if node["name"] == "gbuffer"]
    assert [node["id"] for node in drawn] == ["gbuffer@view=0", "gbuffer@view=1"]
    assert drawn[0]["multiview_obstacle"]["reason"] == "most"
    assert main(["graph", str(file), "--count", "view=2", "--no-multiview", "--explain", "gbuffer"]) == 0
    assert "could be drawn for several views at once, but is not (most)" in capsys.readouterr().out


def test_plans_for_opengl(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "frame.yaml"
    file.write_text(
        FRAME.replace("  - name: gbuffer\n", "  - name: gbuffer\n    multiplex: [view]\n    multiview: view\n")
    )
    found = plan(capsys, str(file), "--count", "view=2", "--backend", "opengl", "--queues", "graphics,compute")
    drawn = [node["id"] for node in found["nodes"] if node["name"] == "gbuffer"]
    assert drawn == ["gbuffer@view=0", "gbuffer@view=1"]
    assert all(heap["class"].startswith("texture ") for heap in found["heaps"])
    assert {node["queue"] for node in found["nodes"]} == {"graphics"}
    assert main(["graph", str(file), "--backend", "null"]) == 2
    assert "'vulkan', 'opengl'" in capsys.readouterr().err


def test_explain_tells_about_each_name(frame: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["graph", frame, "--explain", "fog", "--explain", "fog_depth", "--explain", "unused"]) == 0
    text = capsys.readouterr().out
    assert f"node `fog`\n  declared by the skeleton or the engine in {frame}:24:5" in text
    assert "reads `fog_depth`, which stands for `depth`, as sampled" in text
    assert "\n\n`fog_depth` stands for `depth`\nresource `depth`: texture\n" in text
    assert "\n\nnode `unused`\n" in text


def test_explain_refuses_unknown_names_and_other_formats(frame: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["graph", frame, "--explain", "fogg"]) == 2
    assert capsys.readouterr().err == (
        'error: this graph has neither a node nor a resource "fogg"\n  did you mean "fog"?\n'
    )
    assert main(["graph", frame, "--explain", "fog", "--format", "json"]) == 2
    assert "--explain prints text, not json" in capsys.readouterr().err


def test_schema_prints_what_editors_need(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["schema"]) == 0
    schema = json.loads(capsys.readouterr().out)
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert set(schema["required"]) == {"version"}
    node = schema["$defs"]["NodeEntry"]
    assert {"create", "modify", "read", "history", "rename", "gather", "chain", "external"} <= set(node["properties"])
    assert node["additionalProperties"] is False
    assert "default" not in node["properties"]["multiplex"]


def test_a_page_is_written_instead_of_text(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, page = tmp_path / "frame.yaml", tmp_path / "pages" / "frame.html"
    file.write_text(FRAME)
    assert main(["graph", str(file), "--html", str(page)]) == 0
    assert f"The page is in {page}" in capsys.readouterr().out
    assert page.read_text(encoding="utf-8").startswith("<!doctype html>")


@pytest.mark.parametrize("more", [["--format", "json"], ["--explain", "hdr"]])
def test_a_page_goes_with_no_other_output(more: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "frame.yaml"
    file.write_text(FRAME)
    assert main(["graph", str(file), "--html", str(tmp_path / "page.html"), *more]) == 2
    assert "--html writes a page" in capsys.readouterr().err


def test_a_page_that_cannot_be_written_is_a_message(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "frame.yaml"
    file.write_text(FRAME)
    assert main(["graph", str(file), "--html", str(tmp_path / "page.png")]) == 2
    assert "ends in .html" in capsys.readouterr().err


def test_a_node_that_waits_for_things_of_a_scene_is_not_called_broken(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game = tmp_path / "empty.py"
    game.write_text(
        "from renderwright.engine import Game\n\n\nclass Empty(Game):\n    skeleton = 'deferred'\n    plugins = ()\n"
    )
    assert main(["graph", str(game), "--enable", "decals,mirrors", "--explain", "decals/coat"]) == 0
    text = capsys.readouterr().out
    assert "not in the frame (waiting): `decals/coat` removed: it needs" in text
    assert "plugin `decals` waits for things that a scene may have" in text
    assert "broken" not in text


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        ((), 1, "error no-sink"),
        (("--format", "json"), 0, '"code": "no-sink"'),
        (("--format", "dot"), 0, "digraph"),
        (("--explain", "light"), 0, "node `light`"),
    ],
)
def test_a_text_that_lists_an_error_exits_with_1(
    arguments: tuple[str, ...], code: int, words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "broken.yaml"
    again = "albedo: {texture: rgba8_srgb, resolution: main_view, usage: color}"
    file.write_text(FRAME.replace("create: {hdr: ", f"create: {{{again}, hdr: "))
    assert main(["graph", str(file), *arguments]) == code
    assert words in capsys.readouterr().out


@pytest.mark.parametrize(
    ("right", "wrong", "says"),
    [
        (
            "resolution: main_view, usage: depth",
            "resolution: main_veiw, usage: depth",
            'texture "depth" of node "depth_prepass" has no size: there is no resolution "main_veiw"\n'
            '  did you mean "main_view"?',
        ),
        (
            "of: viewport",
            "of: viewprot",
            'texture "depth" of node "depth_prepass" has no size: resolution "main_view" refers to "viewprot", which '
            'does not exist; did you mean "viewport"?',
        ),
    ],
)
def test_a_mistyped_resolution_of_a_resource_that_nothing_reads_is_an_error(
    right: str, wrong: str, says: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without plugins the frame has no such resource, so that the compiler never looks for its size."""
    text = Path(find_skeleton("forward")).read_text(encoding="utf-8")
    (tmp_path / "typo.yaml").write_text(text.replace(right, wrong), encoding="utf-8")
    assert main(["graph", str(tmp_path / "typo.yaml")]) == 2
    told = capsys.readouterr().err
    assert f"{tmp_path / 'typo.yaml'}:34:7: {says}" in told
    name = "main_veiw" if "veiw" in wrong else "main_view"
    assert f"--resolution {name}=WIDTHxHEIGHT gives it one" in told
    assert main(["graph", str(tmp_path / "typo.yaml"), "--resolution", f"{name}=64x64"]) == 0
