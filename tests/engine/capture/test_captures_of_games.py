"""Captures of the games that come along, in several ways to show them, opened in a browser."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from renderwright.engine.capture.files import write_page
from renderwright.engine.clock import FixedStepClock
from renderwright.engine.games import find_game
from renderwright.engine.options import PluginChoice
from renderwright.engine.session import Session
from renderwright.render.backend.vulkan.backend import VulkanBackend
from tests.browser import Page
from tests.playing import SHADERS

pytestmark = pytest.mark.vulkan

EXTENT = (64, 36)
SHOWN = {
    "marbles for four": ("marbles", 4, ("split_screen",)),
    "marbles with samples": ("marbles", 1, ("ssaa",)),
    "drift for two": ("drift", 2, ("split_screen",)),
    "duel for two eyes": ("duel", 1, ("vr",)),
    "gallery": ("gallery", 1, ()),
}
"""Each game and each way to show it: what a page has of one is not changed by the other."""


@pytest.mark.parametrize("shown", SHOWN)
def test_the_page_has_the_frame_that_was_shown(
    shown: str, backend: VulkanBackend, browser: Any, tmp_path: Path
) -> None:
    name, players, plugins = SHOWN[shown]
    game = find_game(name)
    session = Session(
        game,
        backend,
        EXTENT,
        choice=PluginChoice(enable=plugins),
        players=players,
        clock=FixedStepClock(game.step, frame=1 / 60),
        shaders=SHADERS,
    )
    with closing(session), closing(backend.create_target(EXTENT)) as target:
        for _ in range(3):
            session.step()
            session.render(target)
        session.render(target)
        plain = session.picture()
        document = session.capture(target)
        histories = any(item["history"] for item in document["resources"])
        assert histories or np.array_equal(session.picture(), plain), "no time has passed"
    plan = document["plan"]
    write_page(tmp_path / "page.html", document)
    page = Page(browser, tmp_path / "page.html")
    for view, rows in (("nodes", plan["nodes"]), ("passes", plan["passes"]), ("resources", plan["resources"])):
        page.show(f"view={view}")
        assert page.text(f"#views button:text('{view.title()}') .count") == str(len(rows))
        assert page.text("#main .line >> nth=0")
    page.show("view=frame")
    assert f"of {len(plan['nodes'])} nodes across" in str(page.page.get_attribute("#gridbox canvas", "aria-label"))
    page.show("view=pictures")
    writes = {(picture["node"], picture["resource"]) for picture in document["pictures"]}
    assert page.count("#main .shot") == len(writes)
    assert page.text("#views button:text('Pictures') .count") == str(len(writes))
    last = plan["nodes"][-2]["id"]
    page.page.fill("#search", last)
    assert last in page.page.locator("#hits li .name").all_inner_texts()
    page.close()
