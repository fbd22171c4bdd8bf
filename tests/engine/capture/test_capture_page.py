"""The page of a capture in a browser: views, search, links, keys, hostile names, and a thousand nodes."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from capture_frames import captured, chain, finding_of

from renderwright.engine.capture.files import write_page
from renderwright.render.inspect.capture.finding import Of
from renderwright.render.inspect.capture.html_page import SCRIPTS, page_of
from tests.browser import Page

PAGE = Path(__file__).parents[3] / "render" / "inspect" / "capture" / "page"
VIEWS = ("overview", "frame", "memory", "queues", "pictures", "plugins", "nodes", "resources", "passes", "barriers")
VIEWS += ("removed", "settings")

HOSTILE = {
    "gbuffer": "</script><img src=x onerror=alert(1)>\"'`@DATA@",
    "albedo": "\u202egnp.elif\u2066 <b>bold</b>\n\x00",
    "light": "n" * 10_000,
    "lit": "<!--" + "long " * 2_000,
}


def test_every_file_of_the_page_is_in_it() -> None:
    assert {file.name for file in PAGE.iterdir() if file.suffix == ".js"} == set(SCRIPTS)


def test_scripts_only_ever_make_text_of_names() -> None:
    code = "".join((PAGE / name).read_text(encoding="utf-8") for name in SCRIPTS)
    assert (
        re.findall(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b|new Function|fetch\(", code) == []
    )


def test_the_page_names_no_other_place(document: dict[str, Any]) -> None:
    assert re.findall(r"https?:|src=|@import|url\(", page_of(document)) == []


def test_each_view_shows_what_it_is_for(page: Page, document: dict[str, Any]) -> None:
    for view in VIEWS:
        page.show(f"view={view}")
        assert page.count("#views button[aria-current]") == 1
        assert page.text("#main") or page.count("#main canvas")
    page.show("view=nodes")
    assert page.count("#main .line") == len(document["plan"]["nodes"])
    page.show("view=removed")
    assert "nothing reads lost" in page.text("#main .line")
    page.show("view=passes")
    assert page.count("#main .line") == len(document["plan"]["passes"])
    page.show("view=queues")
    assert "show" in page.text("#main .table")


def test_a_link_opens_a_node_with_its_reasons(page: Page) -> None:
    page.show("view=frame&node=light")
    details = page.text("#details")
    for said in (
        "Number 3 of 5",
        "created, then read: lit",
        "Not one pass with the one before",
        "Runs after",
        "albedo",
    ):
        assert said in details, said
    page.page.click("#details a:text-is('albedo')")
    assert "resource=albedo" in page.address
    assert "rgba16_sfloat, 64\u00d732" in page.text("#details")
    page.page.keyboard.press("Escape")
    assert page.page.is_hidden("#details")


def test_search_filters_lists_and_finds(page: Page) -> None:
    page.show("view=resources")
    page.page.keyboard.press("/")
    page.page.keyboard.type("lit")
    assert page.page.locator("#main .line").all_inner_texts()[0].startswith("lit")
    assert page.count("#main .line") == 1
    page.page.keyboard.press("Enter")
    assert "resource=lit" in page.address


def test_keys_switch_views_and_walk(page: Page) -> None:
    page.page.keyboard.press("2")
    assert "view=frame" in page.address
    page.page.focus("#gridbox")
    page.page.keyboard.press("ArrowRight")
    page.page.keyboard.press("ArrowRight")
    assert "node=light" in page.address
    page.page.keyboard.press("t")
    assert page.page.evaluate("document.documentElement.dataset.theme") == "dark"


def test_columns_and_rows_fold(page: Page) -> None:
    page.show("view=frame")
    page.page.select_option("#main select >> nth=0", "passes")
    page.page.select_option("#main select >> nth=1", "kinds")
    page.page.click("#main button:text-is('fold all')")
    assert page.count("#gridbox canvas") == 1


def test_a_node_with_values_alone_has_a_column_where_values_are_shown(page: Page) -> None:
    page.show("view=frame")
    assert page.page.get_attribute("#gridbox canvas", "aria-label") == "5 resources down, 4 of 5 nodes across, in order"
    page.page.check("#main label:text-is('values') input")
    assert page.page.get_attribute("#gridbox canvas", "aria-label") == "6 resources down, 5 nodes across, in order"


def told(page: Page, script: str) -> str:
    """What a function of the page's texts returns."""
    functions = (PAGE / "text.js").read_text(encoding="utf-8")
    return str(page.page.evaluate(f"() => {{ {functions}\nreturn {script}; }}"))


def test_names_are_brief_where_room_is_scarce(page: Page) -> None:
    """Long names lose their middle."""
    for name, drawn in (
        ("depth@view=1,eye=0", "depth @v1 e0"),
        ("depth", "depth"),
        ("someone@example.org", "someone@example.org"),
        ("shadows/cascade_2@view=0,sample=3", "shadows/cascade_2 @v0 s3"),
    ):
        assert told(page, f"brief('{name}')") == drawn
    fitted = "fitted({ measureText: text => ({ width: text.length }) }, 'shadows/draw_lamp_3', 12)"
    assert told(page, fitted) == "shad\u2026_lamp_3"


def test_findings_of_one_cause_are_folded_below_the_first(
    browser: Any, document: dict[str, Any], tmp_path: Path
) -> None:
    rows = [{**finding_of(f"blur@view={view}"), "cause": 0} for view in range(4)]
    rows += [{**finding_of("other@view=0"), "cause": 1}]
    file = tmp_path / "views.html"
    write_page(file, {**document, "findings": rows})
    opened = Page(browser, file)
    assert opened.page.locator("#main .finding:visible").count() == 2
    assert opened.text("#main details.same summary") == "3 more of the same cause: history for one (3)"
    assert opened.text("#views button:text('Overview') .count") == "2"
    opened.page.click("#main details.same summary")
    assert opened.page.locator("#main .finding:visible").count() == 5
    opened.close()


@pytest.mark.parametrize(
    "shown", [{0.128: "0.13 ms", 98.7654: "98.8 ms"}, {984.14: "984 ms", 34680.5: "34.68 s"}], ids=["short", "long"]
)
def test_numbers_have_room_on_their_cards(
    shown: dict[float, str], changed: Callable[..., Page], document: dict[str, Any]
) -> None:
    gpu, cpu = shown
    times = {"frames": 1, "gpu_ms": gpu, "cpu_ms": cpu, "nodes": [], "intervals": [], "measured_frame": None}
    page = changed(times=times)
    widths = page.page.eval_on_selector_all(
        ".card b", "all => all.map(one => [one.textContent, one.scrollWidth, one.clientWidth])"
    )
    assert [text for text, *_ in widths if text in shown.values()] == [*shown.values()]
    assert [text for text, needed, there in widths if needed > there] == []


def test_shares_of_memory_and_of_bytes_moved_are_apart(changed: Callable[..., Page]) -> None:
    page = changed(findings=[finding_of("light", Of.MOVED), finding_of("blur"), finding_of("show", Of.NOTHING)])
    assert page.page.locator("#main .costing h4").all_inner_texts() == [
        "Bytes moved",
        "Memory",
        "Without a known cost",
    ]
    assert "10 % of all moved" in page.text("#main .costing[data-of=moved] .cost")
    assert "10 % of the heaps" in page.text("#main .costing[data-of=memory] .cost")


def test_barriers_are_counted_once(page: Page, document: dict[str, Any]) -> None:
    barriers = document["plan"]["barriers"]
    even = sum(1 for one in barriers if one["frame"] == 0)
    assert 0 < even < len(barriers)
    assert f"{even}\nbarriers, even frame" in page.page.locator("#main .card").all_inner_texts()
    assert page.text("#views button:text('Barriers') .count") == str(even)
    page.show("view=barriers")
    said = f"{even} barriers of an even frame in which all nodes run, {len(barriers) - even} of an odd frame. "
    assert said in page.text("#main .bar")
    assert page.count("#main .line") == len(barriers)


def test_barriers_of_a_frame_in_which_nodes_rest_are_told_apart(
    changed: Callable[..., Page], document: dict[str, Any]
) -> None:
    frames = [document["plan"]["frames"][0], {**document["plan"]["frames"][1], "resting": ["light", "blur"]}]
    page = changed(plan={**document["plan"], "frames": frames})
    page.show("view=barriers")
    assert "of an odd frame in which 2 nodes rest. " in page.text("#main .bar")


def test_times_that_were_not_measured_are_a_dash_everywhere(
    changed: Callable[..., Page], document: dict[str, Any]
) -> None:
    rows = [{"node": node["id"], "gpu_ms": None, "cpu_ms": None} for node in document["plan"]["nodes"]]
    times = {"frames": 0, "gpu_ms": None, "cpu_ms": None, "nodes": rows, "intervals": [], "measured_frame": None}
    plugins = [{**row, "gpu_ms": None, "cpu_ms": None} for row in document["plugins"]]
    page = changed(times=times, plugins=plugins)
    said = page.text("#main")
    for view in ("nodes&node=light", "plugins&plugin=(engine)"):
        page.show(f"view={view}")
        assert "\u2013 on the GPU, \u2013 on the CPU" in page.text("#details")
        said += page.text("#main") + page.text("#details")
    assert not re.findall(r"\u2013 ms|0\.0+ ms", said)


@pytest.mark.parametrize(
    ("planned", "said"), [(8.0, "20 %\nsaved by several queues"), (10.1, "1.0 %\nlonger than on one queue")]
)
def test_queues_that_make_the_planned_frame_longer_save_nothing(
    planned: float, said: str, changed: Callable[..., Page], document: dict[str, Any]
) -> None:
    page = changed(queues={**document["queues"], "time_on_one_queue": 10.0, "planned_time": planned})
    page.show("view=queues")
    assert [text for text in page.page.locator("#main .card").all_inner_texts() if text.startswith(said)]


def test_nodes_count_from_1(page: Page, document: dict[str, Any]) -> None:
    page.show("view=nodes&node=camera")
    lines = page.page.locator("#main .line").all_inner_texts()
    assert [text.split("\n")[0] for text in lines] == [str(number) for number in range(1, 6)]
    details = page.text("#details")
    assert f"Number 1 of {len(lines)}; the edges leave it no other place if all others keep their order." in details


def test_hostile_names_do_no_harm(browser: Any, document: dict[str, Any], tmp_path: Path) -> None:
    text = json.dumps(document)
    for name, hostile in HOSTILE.items():
        text = text.replace(f'"{name}"', json.dumps(hostile)).replace(f"`{name}`", f"`{json.dumps(hostile)[1:-1]}`")
    hostile_document = {**json.loads(text), "title": '</title><script>alert(1)</script>"'}
    file = tmp_path / "hostile.html"
    write_page(file, hostile_document)
    opened = Page(browser, file)
    for view in VIEWS:
        opened.show(f"view={view}")
    for kind, name in (("node", "gbuffer"), ("resource", "albedo"), ("node", "light"), ("resource", "lit")):
        opened.page.evaluate(
            "([kind, id]) => { location.hash = `${kind}=${encodeURIComponent(id)}` }", [kind, HOSTILE[name]]
        )
        opened.page.wait_for_selector("#details h2")
    assert opened.count("img") == 0
    assert opened.count("script") == 2
    assert opened.text("#title").startswith("</title><script>")
    opened.close()


def test_a_thousand_nodes_open_at_once(browser: Any, tmp_path: Path) -> None:
    file = tmp_path / "large.html"
    write_page(file, captured(tmp_path, chain(1000)))
    assert file.stat().st_size < 5e6
    opened = Page(browser, file)
    start = time.perf_counter()
    opened.show("view=frame")
    opened.show("view=barriers")
    assert opened.count("#main .line") < 100
    assert time.perf_counter() - start < 20.0  # a loaded machine; 0.2 s on an idle one
    opened.close()
