"""What is said about plans in which something is missing."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from renderwright.engine import planning
from renderwright.engine.planning import fault_in_frame
from renderwright.engine.plugins import FoundPlugin, PluginGraph, discovery, hookimpl, host
from renderwright.engine.skeleton import find_skeleton
from renderwright.games.marbles import Marbles


@pytest.fixture
def install(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[Any], object]], None]:
    """Installs a plugin called ``extra`` whose only node declares so."""

    def installed(declare: Callable[[Any], object]) -> None:
        class Extra:
            @hookimpl
            def renderwright_nodes(self, graph: PluginGraph) -> None:
                graph.add_node("node", declare)  # type: ignore[arg-type]

        found = (*discovery.find_plugins(), FoundPlugin("extra", Extra))
        monkeypatch.setattr(host, "find_plugins", lambda: found)

    return installed


def draw_to(name: str, reg: Any) -> Callable[[Any], None]:
    reg.modify(name).color()
    return lambda cmd: None


def join(chain: str, reg: Any) -> Callable[[Any], None]:
    reg.chain(chain)
    return lambda cmd: None


@pytest.mark.parametrize(
    ("declare", "words"),
    [
        (lambda reg: draw_to("/hdr", reg), ""),
        (lambda reg: draw_to("/hdrr", reg), "it needs `hdrr`, which nobody creates; did you mean `hdr`?"),
        (lambda reg: join("post_hrd", reg), 'did you mean "post_hdr"?'),
        (lambda reg: 42, "returns 42"),
    ],
)
def test_a_plugin_is_tried_in_the_frame_of_a_game(
    install: Callable[[Any], None], declare: Callable[[Any], object], words: str
) -> None:
    install(declare)
    fault = fault_in_frame("marbles", "extra")
    assert (words in fault, fault == "") == (True, not words), fault


def test_a_skeleton_that_feeds_nobody_is_named_rather_than_the_plugins(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    text = Path(find_skeleton("deferred")).read_text(encoding="utf-8")
    (tmp_path / "typo.yaml").write_text(text.replace("output: ldr}", "output: ldrr}"), encoding="utf-8")

    class Typo(Marbles):
        skeleton = str(tmp_path / "typo.yaml")

    monkeypatch.setattr(planning, "find_game", lambda name: Typo)
    assert fault_in_frame("typo", "fxaa") == (
        "the skeleton is incomplete: `compose` removed: it needs `ldr`, which nobody creates; did you mean `ldrr`?"
    )
