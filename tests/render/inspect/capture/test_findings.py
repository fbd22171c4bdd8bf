"""Findings: each rule on a small frame that has what it looks for, and on one that has not."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from renderwright.engine.options import PlanOptions
from renderwright.engine.planning import plan_of
from renderwright.render.inspect.capture import capture_of
from renderwright.render.inspect.capture.finding import listed
from renderwright.render.inspect.capture.findings import findings_of

TEXTURE = "{texture: rgba16_sfloat, resolution: output, usage: color}"
IMAGE = "{texture: rgba8_srgb, resolution: output, usage: color}"


def capture(folder: Path, nodes: str) -> dict[str, Any]:
    file = folder / "frame.yaml"
    file.write_text(f"version: 1\nsinks: [image]\nnodes:\n{nodes}")
    return capture_of(plan_of(PlanOptions(str(file), size=(256, 128), queues=("graphics", "compute"))), "frame")


def node(name: str, *reads: str, **made: str) -> str:
    """A node that samples some textures and makes others."""
    read = ", ".join(f"{one}: {{usage: sampled}}" for one in reads)
    create = ", ".join(f"{one}: {texture}" for one, texture in made.items())
    return f"  - {{name: {name}, read: {{{read}}}, create: {{{create}}}}}\n"


def chain(length: int) -> str:
    """Nodes that each read what the one before has made."""
    following = [node(f"n{number}", f"t{number - 1}", **{f"t{number}": TEXTURE}) for number in range(1, length)]
    return "".join([node("n0", t0=TEXTURE), *following])


def end(*reads: str) -> str:
    return node("show", *reads, image=IMAGE).replace("create", "external")


def node_of(document: dict[str, Any], name: str) -> dict[str, Any]:
    """The row of a node."""
    row: dict[str, Any] = next(node for node in document["plan"]["nodes"] if node["id"] == name)
    return row


def rules(document: dict[str, Any]) -> set[str]:
    return {finding["rule"] for finding in findings_of(document)}


def test_a_resource_that_waits_while_memory_is_fullest(tmp_path: Path) -> None:
    found = findings_of(capture(tmp_path, chain(10) + end("t9", "t0")))
    (idle,) = (one for one in found if one["rule"] == "idle-memory")
    assert (idle["resources"], idle["nodes"]) == (["t0"], ["n1", "show"])
    assert idle["bytes"] == 256 * 128 * 8
    assert "idle-memory" not in rules(capture(tmp_path, chain(10) + end("t9")))


def idle_memory(folder: Path, nodes: str) -> dict[str, Any]:
    (found,) = (one for one in findings_of(capture(folder, nodes)) if one["rule"] == "idle-memory")
    return found


def numbers(document: dict[str, Any]) -> dict[str, int]:
    return {node["id"]: number for number, node in enumerate(document["plan"]["nodes"])}


def test_a_wait_is_as_long_as_the_numbers_of_its_nodes_say(tmp_path: Path) -> None:
    at = numbers(capture(tmp_path, chain(10) + end("t9", "t0")))
    assert (
        f"from `n1` to `show`, {at['show'] - at['n1']} nodes later"
        in idle_memory(tmp_path, chain(10) + end("t9", "t0"))["message"]
    )


def test_advice_on_a_wait_names_the_edges_that_hold_it(tmp_path: Path) -> None:
    """``show`` needs the last node. When ``n1`` reads what it waits for does not matter."""
    hint = idle_memory(tmp_path, chain(10) + end("t9", "t0"))["hint"]
    assert "run as number" not in hint
    assert "`show` runs after `n9` (created, then read: t9)" in hint
    assert "`n1`" not in hint
    assert "read something smaller in `show`" in hint


def test_advice_on_a_wait_names_declared_edges(tmp_path: Path) -> None:
    early = node("early", noise=TEXTURE).replace("early,", "early, before: [n0],")
    hint = idle_memory(tmp_path, early + chain(10) + end("t9", "noise"))["hint"]
    assert "`early` runs before `n0` (declared before/after)" in hint
    assert hint.endswith("; is the declared edge needed?")


def test_advice_on_a_wait_says_which_node_can_move(tmp_path: Path) -> None:
    """``late`` could run right behind ``n1``, as what it makes is small."""
    small = TEXTURE.replace("rgba16_sfloat", "r8_unorm")
    nodes = chain(10) + node("late", "t0", small=small).replace("late,", "late, after: [n9],") + end("t9", "small")
    document = capture(tmp_path, nodes)
    late = numbers(document)["late"]
    (found,) = (one for one in findings_of(document) if one["rule"] == "idle-memory")
    assert "run as number" not in found["hint"]
    document["plan"]["edges"] = [edge for edge in document["plan"]["edges"] if edge[:2] != ["n9", "late"]]
    next(row for row in document["order"]["nodes"] if row["node"] == "late")["earliest"] = 2
    (found,) = (one for one in findings_of(document) if one["rule"] == "idle-memory")
    assert f"let `late`, now number {late + 1}, run as number 3 at the earliest" in found["hint"]


def test_a_queue_that_stands_still(tmp_path: Path) -> None:
    nodes = chain(3)
    nodes += "  - {name: slow, queue: [compute], cost: 9, read: {t2: {usage: sampled}},"
    nodes += " create: {s: {texture: rgba16_sfloat, resolution: output, usage: storage_write}}}\n"
    (idle,) = (one for one in findings_of(capture(tmp_path, nodes + end("s"))) if one["rule"] == "idle-queue")
    assert idle["nodes"] == ["show", "slow"]
    assert "graphics queue stands still" in idle["message"]
    assert "the edges leave the graphics queue nothing else to do then" in idle["hint"]
    assert "`show` reads texture `s`, which `slow` has written: does it need to?" in idle["hint"]
    assert "idle-queue" not in rules(capture(tmp_path, chain(3) + end("t2")))


def test_advice_on_a_queue_that_stands_still_names_what_could_run(tmp_path: Path) -> None:
    """``other`` needs nothing of ``slow``, but is declared to run behind ``soon``, which does."""
    storage = TEXTURE.replace("usage: color", "usage: storage_write")
    nodes = node("n0", t0=TEXTURE)
    nodes += node("slow", "t0", s=storage).replace("slow,", "slow, queue: [compute], cost: 9,")
    nodes += node("soon", "s", u=TEXTURE) + node("other", "t0", v=TEXTURE).replace("other,", "other, after: [soon],")
    document = capture(tmp_path, nodes + end("u", "v"))
    (idle,) = (one for one in findings_of(document) if one["rule"] == "idle-queue")
    assert "nothing else to do" in idle["hint"]
    document["plan"]["edges"] = [edge for edge in document["plan"]["edges"] if edge[:2] != ["soon", "other"]]
    (idle,) = (one for one in findings_of(document) if one["rule"] == "idle-queue")
    assert idle["hint"].startswith("let `other` run before `soon`; ")


def test_of_nodes_that_move_as_much_none_is_picked_out(tmp_path: Path) -> None:
    document = capture(tmp_path, chain(4).replace("rgba16", "rgba32") + end("t3"))
    for name in ("n1", "n2", "n3"):
        node_of(document, name)["plugin"] = "greedy"
    size = sum(
        one["bytes_read"] + one["bytes_written"] for one in document["accesses"] if one["node"] in ("n1", "n2", "n3")
    )
    document["plugins"] = [{"plugin": "greedy", "bytes_read": size, "bytes_written": 0}]
    (heavy,) = (one for one in findings_of(document) if one["rule"] == "heavy-plugin")
    assert "by `n1`, `n2` and `n3` (1.0 MiB each) and on `t1` and `t2` (1.0 MiB each)" in heavy["message"]
    assert "100% of it in `rgba32_sfloat`" in heavy["message"]
    assert heavy["nodes"] == ["n1", "n2", "n3"]


def test_many_names_are_counted() -> None:
    assert listed(["a"]) == "`a`"
    assert listed(["a", "b", "c", "d"]) == "`a`, `b`, `c` and `d`"
    assert listed(["a", "b", "c", "d", "e"]) == "`a`, `b`, `c` and 2 more"


def test_a_wide_texture(tmp_path: Path) -> None:
    wide = chain(2).replace("rgba16_sfloat", "rgba32_sfloat")
    assert "wide-texture" in rules(capture(tmp_path, wide + end("t1")))
    assert "wide-texture" not in rules(capture(tmp_path, chain(2) + end("t1")))


def test_an_attachment_that_is_stored_and_loaded_again(tmp_path: Path) -> None:
    more = "  - {name: more, modify: {t0: {usage: color}}, %s}\n"
    apart = capture(
        tmp_path,
        chain(1)
        + node("side", s=TEXTURE.replace("usage: color", "usage: storage_write"))
        + more % "after: [side], read: {s: {usage: sampled}}"
        + end("t0"),
    )
    (again,) = (one for one in findings_of(apart) if one["rule"] == "reloaded")
    assert (again["nodes"], again["resources"]) == (["n0", "more"], ["t0"])
    assert "reloaded" not in rules(capture(tmp_path, chain(1) + more % "read: {}" + end("t0")))
    for number, item in enumerate(apart["plan"]["passes"]):
        for attachment in item["attachments"]:
            attachment["mips"] = [number, 1]
    assert "reloaded" not in rules(apart), "other mips"


def test_a_history_for_one_node_of_another_plugin(tmp_path: Path) -> None:
    document = capture(tmp_path, chain(2) + end("t1"))
    document["plan"]["nodes"][1]["plugin"] = "haunting"
    past = {**next(one for one in document["accesses"] if one["node"] == "n1" and one["reads"]), "frames_ago": 1}
    document["accesses"].append({**past, "resource": "t1"})
    found = {one["rule"]: one for one in findings_of(document)}
    assert (found["lonely-history"]["nodes"], found["lonely-history"]["plugin"]) == (["n1"], "haunting")


def test_what_no_shader_reads(tmp_path: Path) -> None:
    document = capture(tmp_path, chain(2) + end("t1"))
    asked = {"node": "n1", "resource": "t0", "binding": "t0", "verb": "read", "source": "a.py:1"}
    document["unread"] = [asked, {**asked, "verb": "history", "resource": "t1"}]
    found = {one["rule"]: one for one in findings_of(document)}
    assert found["unread"]["bytes"] == 0
    assert found["unread-history"]["bytes"] == 256 * 128 * 8


def test_an_optional_request_may_only_ask_whether_the_resource_is_there(tmp_path: Path) -> None:
    document = capture(tmp_path, chain(2) + end("t1"))
    asked = {"node": "n1", "resource": "t0", "binding": "t0", "verb": "read", "source": "a.py:1"}
    document["unread"] = [{**asked, "optional": True}]
    assert "unread" not in [one["rule"] for one in findings_of(document)]
    document["unread"] = [{**asked, "optional": False}]
    assert "unread" in [one["rule"] for one in findings_of(document)]


def unread_and_same(folder: Path, verb: str) -> list[str]:
    """The rules of the first cause of a node that does not read what it asks for and makes what there was."""
    document = capture(folder, chain(3) + end("t2"))
    node_of(document, "n1")["plugin"] = "ghost"
    past = {**next(one for one in document["accesses"] if one["node"] == "n1" and one["reads"]), "frames_ago": 1}
    document["accesses"].append({**past, "resource": "t2"})
    document["unread"] = [{"node": "n1", "resource": "t2", "binding": "t2", "verb": verb, "source": "a.py:1"}]
    seen = {"mip": 0, "layer": 0, "flat": False, "digest": "a"}
    document["pictures"] = [{**seen, "node": "n0", "resource": "t0"}, {**seen, "node": "n1", "resource": "t1"}]
    return [one["rule"] for one in findings_of(document) if one["cause"] == 0]


def test_what_a_node_does_not_read_explains_its_picture(tmp_path: Path) -> None:
    assert unread_and_same(tmp_path, "history") == ["unread-history", "same-picture"], "no lonely history as well"
    assert unread_and_same(tmp_path, "read")[:2] == ["unread", "same-picture"]


def test_a_node_that_changes_nothing_and_one_that_copies(tmp_path: Path) -> None:
    modify = "  - {name: n3, modify: {t2: {usage: color}}}\n"
    document = capture(tmp_path, chain(3) + modify + end("t2"))
    node_of(document, "n3")["fullscreen"] = "fragment"
    seen = {"mip": 0, "layer": 0, "flat": False}
    document["pictures"] = [
        {**seen, "node": "n0", "resource": "t0", "digest": "a"},
        {**seen, "node": "n1", "resource": "t1", "digest": "a"},
        {**seen, "node": "n2", "resource": "t2", "digest": "b"},
        {**seen, "node": "n3", "resource": "t2", "digest": "b"},
    ]
    said = [one["message"] for one in findings_of(document) if one["rule"] == "same-picture"]
    assert any("`n1` makes `t1`, which is texel for texel what `n0` has made as `t0`" in text for text in said)
    assert any("`n3` writes `t2`, and not one texel becomes another" in text for text in said)
    for picture in document["pictures"]:
        picture["flat"] = True
    assert "same-picture" not in rules(document)


def test_a_node_that_draws_things_where_none_is_in_sight(tmp_path: Path) -> None:
    modify = "  - {name: hud, modify: {t0: {usage: color}}}\n"
    document = capture(tmp_path, chain(1) + modify + end("t0"))
    seen = {"mip": 0, "layer": 0, "flat": False, "resource": "t0", "digest": "a"}
    document["pictures"] = [{**seen, "node": "n0"}, {**seen, "node": "hud"}]
    assert "same-picture" not in rules(document)
    node_of(document, "hud")["fullscreen"] = "fragment"
    assert "same-picture" in rules(document)


def test_what_instances_of_nodes_make_alike_is_one_finding(tmp_path: Path) -> None:
    """At the start of a race all views show the same."""
    document = capture(tmp_path, chain(4) + end("t3"))
    for name, other in (("n1", "n0"), ("n3", "n2")):
        node_of(document, name)["name"] = other
    seen = {"mip": 0, "layer": 0, "flat": False}
    document["pictures"] = [
        {**seen, "node": "n0", "resource": "t0", "digest": "a"},
        {**seen, "node": "n1", "resource": "t1", "digest": "a"},
        {**seen, "node": "n2", "resource": "t2", "digest": "b"},
        {**seen, "node": "n3", "resource": "t3", "digest": "b"},
    ]
    (found,) = (one for one in findings_of(document) if one["rule"] == "same-picture")
    assert found["nodes"] == ["n1", "n3"]
    assert "2 nodes make texel for texel what another instance has made, such as `n1` and `n0`" in found["message"]
    assert found["bytes"] == 4 * 256 * 128 * 8


def test_a_slow_node_and_a_heavy_plugin(tmp_path: Path) -> None:
    document = capture(tmp_path, chain(3) + end("t2"))
    document["times"] = {
        "nodes": [{"node": "n1", "gpu_ms": 3.0}, {"node": "n2", "gpu_ms": 0.5}, {"node": "n0", "gpu_ms": None}]
    }
    for node in document["plan"]["nodes"][:2]:
        node["plugin"] = "greedy"
    document["plugins"] = [{"plugin": "greedy", "bytes_read": 10**6, "bytes_written": 0}]
    found = {one["rule"]: one for one in findings_of(document)}
    assert found["slow-node"]["nodes"] == ["n1"]
    assert found["heavy-plugin"]["plugin"] == "greedy"


def test_a_node_that_draws_nothing_over_a_copy_makes_no_second_one(tmp_path: Path) -> None:
    """A copy and the node that draws over it are one pass, behind which there is one picture."""
    modify = "  - {name: hud, modify: {t1: {usage: color}}}\n"
    document = capture(tmp_path, chain(2) + modify + end("t1"))
    seen = {"mip": 0, "layer": 0, "flat": False, "digest": "a"}
    document["pictures"] = [{**seen, "node": "n0", "resource": "t0"}, {**seen, "node": "hud", "resource": "t1"}]
    assert "same-picture" not in rules(document)
    document["pictures"][1]["node"] = "n1"
    assert "same-picture" in rules(document)


def test_findings_come_by_what_they_cost(tmp_path: Path) -> None:
    document = capture(tmp_path, chain(10).replace("rgba16", "rgba32") + end("t9", "t0"))
    document["times"] = {"nodes": [{"node": "n1", "gpu_ms": 3.0}]}
    found = findings_of(document)
    of = list(dict.fromkeys(one["of"] for one in found))
    assert of == ["gpu_time", "moved", "memory"]
    for each in of:
        shares = [one["share"] for one in found if one["of"] == each]
        assert shares == sorted(shares, reverse=True)


def causes(document: dict[str, Any]) -> list[list[str]]:
    """The rules and resources of the findings of each cause, the cause of the first finding first."""
    found: dict[int, list[str]] = {}
    for one in findings_of(document):
        found.setdefault(one["cause"], []).append(" ".join([one["rule"], *one["resources"]]))
    assert list(found) == list(range(len(found)))
    return list(found.values())


def test_what_a_rule_finds_in_a_plugin_has_one_cause(tmp_path: Path) -> None:
    document = capture(tmp_path, chain(3).replace("rgba16", "rgba32") + end("t2"))
    assert sorted(causes(document)) == [["wide-texture t0"], ["wide-texture t1"], ["wide-texture t2"]]
    for item in document["resources"]:
        item["plugin"] = "greedy" if item["id"] in ("t0", "t1") else item["plugin"]
    assert sorted(causes(document)) == [["wide-texture t0", "wide-texture t1"], ["wide-texture t2"]]


def test_what_is_found_in_instances_of_a_resource_has_one_cause(tmp_path: Path) -> None:
    document = capture(tmp_path, chain(3) + end("t2"))
    asked = {"node": "n1", "binding": "t", "verb": "read", "source": "a.py:1"}
    document["unread"] = [{**asked, "resource": name} for name in ("t0", "t1")]
    assert causes(document) == [["unread t0"], ["unread t1"]]
    document["accesses"] = []
    for item in (*document["plan"]["resources"], *document["resources"]):
        item["id"] = {"t0": "t@view=0", "t1": "t@view=1"}.get(item["id"], item["id"])
    document["unread"] = [{**asked, "resource": f"t@view={number}"} for number in range(2)]
    assert causes(document) == [["unread t@view=0", "unread t@view=1"]]


def test_a_plugin_that_moves_much_and_the_texture_that_it_moves_have_one_cause(tmp_path: Path) -> None:
    document = capture(tmp_path, chain(2).replace("rgba16", "rgba32") + end("t1"))
    node_of(document, "n0")["plugin"] = "greedy"
    next(item for item in document["resources"] if item["id"] == "t0")["plugin"] = "greedy"
    document["plugins"] = [{"plugin": "greedy", "bytes_read": 10**6, "bytes_written": 0}]
    assert sorted(causes(document)) == [["wide-texture t0", "heavy-plugin t0"], ["wide-texture t1"]]
