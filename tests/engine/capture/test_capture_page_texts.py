"""What the page of a capture says where something is missing or not read, and whether it has the room to say it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from capture_frames import finding_of

from renderwright.engine.capture.files import write_page
from renderwright.render.inspect.capture.finding import Of
from tests.browser import Page


def unread_history(document: dict[str, Any]) -> list[dict[str, Any]]:
    """The accesses, of which none reads a history that is asked for."""
    idle = {"unread": True, "bytes_read": 0}
    return [{**one, **idle} if "frames_ago" in one else one for one in document["accesses"]]


def test_what_is_requested_and_not_read_is_told_apart(
    changed: Callable[..., Page], page: Page, document: dict[str, Any]
) -> None:
    page.show("view=frame&node=blur")
    assert "reads an earlier frame's as sampled" in page.text("#details")
    assert "requested, not read" not in page.text("#views")
    seen = changed(accesses=unread_history(document))
    for place in ("view=frame&node=blur", "view=frame&resource=soft"):
        seen.show(place)
        assert "asks for an earlier frame's as sampled; its shaders do not read it" in seen.text("#details")
        assert "reads an earlier frame's" not in seen.text("#details")
    assert "requested, not read" in seen.text("#views")


def test_the_legend_of_the_frame_has_all_that_is_drawn(page: Page) -> None:
    page.show("view=frame")
    for words in ("read and written", "column: another queue", "column: every other pass"):
        assert words in page.text("#views .legend")


def test_copies_at_one_place_are_one(changed: Callable[..., Page], document: dict[str, Any]) -> None:
    count = len(document["plan"]["nodes"])
    place = {"heap": 0, "offset": 512}
    copies = {"even": {**place, "arc": [2, 4]}, "odd": {**place, "arc": [2 + count, 4 + count]}}
    items = [{**item, "copies": copies} if item["id"] == "lit" else item for item in document["plan"]["resources"]]
    page = changed(plan={**document["plan"], "resources": items})
    page.show("view=resources&resource=lit")
    assert page.text("#details").count("heap 0, byte") == 1
    assert "even and odd: heap 0, byte 512 on" in page.text("#details")
    lines = [text.split("\n") for text in page.page.locator("#main .line").all_inner_texts()]
    assert {row[0]: row[5] for row in lines}["lit"] == "1"
    assert {row[0]: row[5] for row in lines}["soft"] == "2"


def test_a_search_without_a_hit_says_so(page: Page) -> None:
    page.page.keyboard.press("/")
    page.page.keyboard.type("zebra")
    assert page.text("#hits").startswith("Nothing found")
    page.page.keyboard.press("Enter")
    assert page.page.is_hidden("#details")
    page.page.keyboard.press("Escape")
    assert page.page.is_hidden("#hits")


def test_dashes_in_place_of_times_have_a_reason(
    changed: Callable[..., Page], page: Page, document: dict[str, Any]
) -> None:
    times = {"frames": 0, "gpu_ms": None, "cpu_ms": None, "nodes": [], "intervals": [], "measured_frame": None}
    device = {"backend": "vulkan", "device": "card", "timestamps": False}
    cases = [
        (page, "this is a plan, which was not played"),
        (changed(times=times), "no frame was rendered beside the captured one"),
        (changed(times={**times, "frames": 3}, device=device), "the device has no timestamps"),
    ]
    for shown, reason in cases:
        for view in ("nodes", "plugins", "settings"):
            shown.show(f"view={view}")
            assert reason in shown.text("#main")
    measured = changed(times={**times, "frames": 3, "gpu_ms": 1.0, "cpu_ms": 1.0}, device=device)
    measured.show("view=settings")
    assert "medians of 3 frames" in measured.text("#main")


def test_the_box_beside_the_pointer_goes_with_a_click(page: Page) -> None:
    for view, canvas in (("frame", "#gridbox"), ("memory", ".heap canvas")):
        page.show(f"view={view}")
        box = page.page.locator(canvas).first.bounding_box()
        places = [
            (box["x"] + box["width"] * x / 40, box["y"] + box["height"] * y / 40) for y in range(40) for x in (5, 12)
        ]
        for x, y in places:
            page.page.mouse.move(x, y)
            if page.page.is_visible("#tip b"):
                page.page.mouse.click(x, y)
                break
        assert page.page.is_visible("#details"), view
        assert page.page.is_hidden("#tip"), view
        page.page.keyboard.press("Escape")


def test_findings_have_room_beside_the_details(browser: Any, document: dict[str, Any], tmp_path: Path) -> None:
    hint = "leave the request out (" + "tests/engine/capture/" * 4 + "test_seeded_faults.py:68)"
    write_page(tmp_path / "narrow.html", {**document, "findings": [{**finding_of("blur"), "hint": hint, "cause": 0}]})
    page = Page(browser, tmp_path / "narrow.html", width=1024)
    page.show("view=overview&node=blur")
    widths = page.page.eval_on_selector_all(
        ".finding > span", "all => all.map(one => [one.scrollWidth, one.clientWidth])"
    )
    assert all(needed <= there for needed, there in widths)
    assert page.page.evaluate("document.querySelector('.finding .hint').clientWidth") > 200
    assert page.page.evaluate(
        "document.querySelector('#main .scroll').scrollWidth <= document.querySelector('#main').clientWidth"
    )
    page.close()


def test_what_explains_a_finding_stands_for_it(changed: Callable[..., Page]) -> None:
    """Under the cost that is known, with that of the other one where it is folded."""
    why = {**finding_of("blur", Of.NOTHING), "rule": "unread", "bytes": 0, "share": 0.0, "cause": 0}
    page = changed(findings=[why, {**finding_of("blur", Of.MOVED), "rule": "same-picture", "cause": 0}])
    assert page.page.locator("#main .costing h4").all_inner_texts() == ["Bytes moved"]
    assert page.page.locator("#main .finding:visible .rule").all_inner_texts() == ["not read"]
    assert page.text("#main details.same summary") == "1 more of the same cause: same picture, 10 % of all moved"


def test_a_node_and_a_resource_of_one_name_are_told_apart(
    changed: Callable[..., Page], document: dict[str, Any]
) -> None:
    text = json.dumps(document).replace('"lit"', '"light"').replace("`lit`", "`light`")
    message = "`blur` reads texture `light`, which `light` has written"
    page = changed(**{**json.loads(text), "findings": [{**finding_of("blur"), "message": message, "cause": 0}]})
    links = page.page.eval_on_selector_all(".finding a", "all => all.map(one => one.getAttribute('href'))")
    assert links[:3] == ["#node=blur", "#resource=light", "#node=light"]
