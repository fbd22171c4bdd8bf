"""A plugin whose node runs before or after, or replaces, a node with a mistyped name is told the one that is meant."""

from __future__ import annotations

from typing import Any

import pytest
from extra_plugin import Declare, install_extra

from renderwright.engine import mistyped_names
from renderwright.engine.cli import main
from renderwright.engine.options import PlanOptions, PluginChoice
from renderwright.engine.plan_review import findings
from renderwright.engine.planning import plan_of
from renderwright.engine.plugins import FoundPlugin, discovery


@pytest.fixture
def nodes(monkeypatch: pytest.MonkeyPatch) -> dict[str, Declare]:
    """The nodes of the plugin ``extra``, which is installed."""
    declares: dict[str, Declare] = {}
    install_extra(monkeypatch, declares)
    return declares


def plain(reg: Any) -> Any:
    reg.modify("hdr_lit").color()
    return lambda cmd: None


@pytest.fixture
def ordered(nodes: dict[str, Declare]) -> list[tuple[str, str]]:
    """What the node of a plugin ``extra`` runs before or after."""
    orders: list[tuple[str, str]] = []

    def declare(reg: Any) -> Any:
        for what, other in orders:
            getattr(reg, what)(other)
        reg.modify("hdr_lit").color()
        return lambda cmd: None

    nodes["node"] = declare
    return orders


def told() -> list[str]:
    plan = plan_of(PlanOptions("marbles", plugins=PluginChoice(enable=("extra",))))
    return [finding.message for finding in findings(plan, ())]


def test_a_mistyped_node_is_told_with_the_one_that_is_meant(ordered: list[tuple[str, str]]) -> None:
    ordered += [("after", "stil_motion"), ("before", "bloom/dwon1")]
    assert told() == [
        'plugin "extra": `extra/node` is declared to run before `bloom/dwon1`, which is no node; '
        "did you mean `bloom/down1`?",
        'plugin "extra": `extra/node` is declared to run after `stil_motion`, which is no node; '
        "did you mean `still_motion`?",
    ]


@pytest.mark.parametrize("what", ["after", "before"])
@pytest.mark.parametrize("other", ["bloom/combin", "blom/combine"])
def test_a_mistyped_node_of_a_chain_is_told(what: str, other: str, nodes: dict[str, Declare]) -> None:
    def declare(reg: Any) -> Any:
        reg.chain("post_hdr", **{what: other})
        return lambda cmd: None

    nodes["node"] = declare
    plan = plan_of(PlanOptions("marbles", plugins=PluginChoice(enable=("extra",))))
    (finding,) = findings(plan, ())
    assert finding.message == (
        f'plugin "extra": `extra/node` is declared to run {what} `{other}`, which is no node; '
        "did you mean `bloom/combine`?"
    )
    assert finding.where is not None
    assert finding.where.line == declare.__code__.co_firstlineno + 1


def test_the_namespace_of_an_installed_plugin_that_is_off_is_no_mistake(
    ordered: list[tuple[str, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    ordered.append(("after", "blom/combine"))
    assert len(told()) == 1
    found = (*discovery.find_plugins(), FoundPlugin("blom", object))
    monkeypatch.setattr(mistyped_names, "find_plugins", lambda: found)
    assert told() == []


@pytest.mark.parametrize(("other", "meant"), [("cats_0", "extra/cast_0"), ("kit_a", "extra/kite_a")])
def test_a_node_of_the_plugin_is_told_by_its_short_name(
    other: str, meant: str, ordered: list[tuple[str, str]], nodes: dict[str, Declare]
) -> None:
    nodes |= {"cast_0": plain, "kite_a": plain}
    ordered += [("after", other), ("before", "cast_0")]
    (message,) = told()
    assert message.endswith(f"is declared to run after `{other}`, which is no node; did you mean `{meant}`?")


@pytest.mark.parametrize("what", ["after", "before", "replaces"])
def test_a_mistyped_namespace_is_told(what: str, ordered: list[tuple[str, str]]) -> None:
    ordered.append((what, "blom/down1"))
    (message,) = told()
    assert message.endswith("`blom/down1`, which is no node; did you mean `bloom/down1`?")


def test_a_mistyped_node_that_is_to_be_replaced_is_told(ordered: list[tuple[str, str]]) -> None:
    ordered.append(("replaces", "bloom/dwon1"))
    (message,) = told()
    assert message.endswith("is declared to replace `bloom/dwon1`, which is no node; did you mean `bloom/down1`?")


def test_a_replaced_node_of_the_plugin_is_told_by_its_full_name(
    ordered: list[tuple[str, str]], nodes: dict[str, Declare]
) -> None:
    nodes["cast_0"] = plain
    ordered.append(("replaces", "cast_0"))
    assert told() == [
        'plugin "extra": `extra/node` is declared to replace `cast_0`, which is no node; did you mean `extra/cast_0`?'
    ]


@pytest.mark.parametrize("other", ["forward_opaque", "fog/apply", "bloom/down9", "still_motion"])
def test_what_another_frame_may_replace_is_not_told(other: str, ordered: list[tuple[str, str]]) -> None:
    ordered.append(("replaces", other))
    assert not any("replace" in message for message in told())


@pytest.mark.parametrize(
    "other",
    [
        "forward_opaque",
        "fog/apply",
        "glow/down1",
        "bloom2/down1",
        "blom/down2x",
        "bloom/down9",
        "extra/nod",
        "still_motion",
    ],
)
def test_what_another_frame_may_have_is_not_told(ordered: list[tuple[str, str]], other: str) -> None:
    ordered.append(("after", other))
    assert told() == []


def test_the_note_of_a_frame_in_words_has_its_hint(
    ordered: list[tuple[str, str]], capsys: pytest.CaptureFixture[str]
) -> None:
    ordered.append(("after", "stil_motion"))
    assert main(["graph", "marbles", "--enable", "extra"]) == 0
    assert "`stil_motion`, which is not in the graph; did you mean `still_motion`?" in capsys.readouterr().out


def test_a_node_that_names_both_means_both(ordered: list[tuple[str, str]]) -> None:
    ordered += [("before", "blom/down1"), ("before", "bloom/down1")]
    assert told() == []
