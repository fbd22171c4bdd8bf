"""What is said about plans in which something is missing."""

from __future__ import annotations

import logging
from collections.abc import Callable
from contextlib import closing, nullcontext
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from renderwright.engine import Game, GameContext, plugin_trial
from renderwright.engine.cli import main
from renderwright.engine.options import PlanOptions, PluginChoice
from renderwright.engine.plan_review import Reviewer
from renderwright.engine.planning import plan_of
from renderwright.engine.plugin_trial import try_plugin
from renderwright.engine.plugins import (
    PluginState,
    PluginStatus,
    discovery,
)
from renderwright.engine.session import Session
from renderwright.engine.skeleton import find_skeleton, shipped_skeletons
from renderwright.games.marbles import Marbles
from renderwright.plugins.decals import Decal
from renderwright.render.backend.null.backend import NullBackend
from renderwright.render.compiler.values.plan import Plan
from renderwright.render.errors import PluginError, RenderwrightError
from renderwright.render.types.resources import Texture


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
        (lambda reg: draw_to("/hdrr", reg), "`renderwright graph GAME --enable extra --explain extra/node` shows more"),
        (lambda reg: draw_to("/hdrr", reg), f"{__file__}:"),
        (lambda reg: join("post_hrd", reg), 'did you mean "post_hdr"?'),
        (lambda reg: 42, "returns 42"),
    ],
)
def test_a_plugin_is_tried_in_the_frame_of_a_game(
    install: Callable[[Any], None], declare: Callable[[Any], object], words: str
) -> None:
    install(declare)
    fault = try_plugin("marbles", "extra").fault
    assert (words in fault, fault == "") == (True, not words), fault


def test_a_skeleton_that_feeds_nobody_is_named_rather_than_the_plugins(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    text = Path(find_skeleton("deferred")).read_text(encoding="utf-8")
    (tmp_path / "typo.yaml").write_text(text.replace("output: ldr}", "output: ldrr}"), encoding="utf-8")

    class Typo(Marbles):
        skeleton = str(tmp_path / "typo.yaml")

    monkeypatch.setattr(plugin_trial, "find_game", lambda name: Typo)
    assert try_plugin("typo", "fxaa").fault == (
        f"{tmp_path / 'typo.yaml'}: the skeleton is incomplete: `compose` removed: it needs `ldr`, which nobody "
        "creates; did you mean `ldrr`?\n  create `ldr` in a node of the skeleton, or by a chain"
    )


@pytest.mark.parametrize(
    ("right", "wrong", "says"),
    [
        (
            "post_opaque: {input: hdr_lit,",
            "post_opaque: {input: hdr_li,",
            "20:24: the input of chain `post_opaque` is `hdr_li`, which nobody creates\n  did you mean `hdr_lit`?",
        ),
        (
            "hdr_opaque: {to: hdr}",
            "hdr_opaqe: {to: hdr}",
            "it needs `hdr_opaqe`, which nobody creates; did you mean `hdr_opaque`?\n"
            "  correct the name, or create `hdr_opaqe` in a node of the skeleton, or by a chain",
        ),
    ],
)
def test_a_mistyped_name_of_a_skeleton_is_named_with_its_line(
    right: str, wrong: str, says: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    text = Path(find_skeleton("forward")).read_text(encoding="utf-8")
    assert right in text
    (tmp_path / "typo.yaml").write_text(text.replace(right, wrong), encoding="utf-8")

    class Typo(Marbles):
        skeleton = str(tmp_path / "typo.yaml")

    with closing(Session(Typo, NullBackend(), (64, 36))) as session:
        session.step()
        with closing(session.backend.create_target((64, 36))) as target:
            session.render(target)
    said = [record.getMessage() for record in caplog.records]
    assert all(one.startswith(str(tmp_path / "typo.yaml")) for one in said)
    assert says in said[0]


def test_an_error_without_a_line_names_the_file_of_the_skeleton(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    text = Path(find_skeleton("forward")).read_text(encoding="utf-8")
    (tmp_path / "typo.yaml").write_text(text.replace("sinks: [image]", "sinks: [image, imgae]"), encoding="utf-8")

    class Typo(Marbles):
        skeleton = str(tmp_path / "typo.yaml")

    with closing(Session(Typo, NullBackend(), (64, 36))) as session:
        session.step()
        with closing(session.backend.create_target((64, 36))) as target:
            session.render(target)
    (said,) = [record.getMessage() for record in caplog.records]
    assert said.startswith(f"{tmp_path / 'typo.yaml'}: the frame is made for `imgae`, which nobody creates")


def _plan(install: Callable[[Any], None], declare: Callable[[Any], object]) -> Plan:
    install(declare)
    return plan_of(PlanOptions("marbles", plugins=PluginChoice(enable=("extra",))))


@pytest.mark.parametrize(
    ("declare", "words"),
    [
        (lambda reg: join("post_hrd", reg), "wants to join the chain `post_hrd`"),
        (lambda reg: draw_to("/hdrr", reg), 'plugin "extra" adds nothing to the frame'),
    ],
)
def test_what_a_plan_lacks_is_a_warning_once_and_an_error_of_a_strict_game(
    install: Callable[[Any], None],
    declare: Callable[[Any], object],
    words: str,
    caplog: pytest.LogCaptureFixture,
) -> None:
    plan = _plan(install, declare)
    extra = PluginStatus("extra", PluginState.ENABLED, nodes=("extra/node",))
    again = replace(plan, graph=replace(plan.graph))
    lenient = Reviewer(strict=False)
    for each in (plan, again):
        lenient.see(each, lambda: (extra,))
    (record,) = caplog.records
    assert (record.levelno, words in record.getMessage()) == (logging.WARNING, True)
    caplog.clear()
    with pytest.raises(RenderwrightError, match="because of --strict") as raised:
        Reviewer(strict=True).see(plan, lambda: (extra,))
    assert words in str(raised.value)
    assert str(raised.value).startswith(f"{__file__}:")
    assert not caplog.records


@pytest.mark.parametrize("strict", [False, True])
def test_an_error_of_the_plan_is_said_once_in_a_game(
    strict: bool, install: Callable[[Any], None], caplog: pytest.LogCaptureFixture
) -> None:
    install(lambda reg: join("post_hrd", reg))
    session = Session(Marbles, NullBackend(), (64, 36), choice=PluginChoice(enable=("extra",)), strict=strict)
    target = session.backend.create_target((64, 36))
    with closing(session), pytest.raises(RenderwrightError) if strict else nullcontext():
        session.step()
        session.render(target)
    said = [record.levelname.lower() for record in caplog.records if "post_hrd" in record.getMessage()]
    assert said == ([] if strict else ["warning"])


def test_a_plugin_that_waits_for_transparent_surfaces_may_add_nothing() -> None:
    session = Session(Marbles, NullBackend(), (64, 36), choice=PluginChoice(enable=("oit",)), strict=True)
    with closing(session), closing(session.backend.create_target((64, 36))) as target:
        session.step()
        assert session.render(target) is not None
        assert "oit/gather" not in {node.declaration.name for node in session.runtime.plan.graph.nodes}


def test_the_summary_of_a_game_tells_which_plugins_have_no_node(
    install: Callable[[Any], None], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    install(lambda reg: join("post_hrd", reg))
    shot = str(tmp_path / "shot.png")
    arguments = ["--backend", "null", "--frames", "1", "--enable", "extra", "--screenshot", shot]
    assert main(["play", "marbles", *arguments]) == 0
    (summary,) = [line for line in capsys.readouterr().err.splitlines() if "render passes" in line]
    assert summary.endswith("plugins: bloom, shadows, tonemap; enabled without any node in the frame: extra")


def test_a_plugin_for_another_skeleton_is_told_which_one_it_needs() -> None:
    class Marked(Game):
        plugins = ("decals",)
        skeleton = "forward"

        def setup(self, context: GameContext) -> None:
            context.scene.placed.add(Decal())

    with closing(Session(Marked, NullBackend(), (64, 64), strict=True)) as session:
        session.step()
        with pytest.raises(RenderwrightError) as error, closing(session.backend.create_target((64, 64))) as target:
            session.render(target)
    assert 'plugin "decals" adds nothing to the frame' in str(error.value)
    assert 'the skeleton "deferred" has `normal`: set skeleton = "deferred" in the game' in error.value.hint


def make(name: str, reg: Any) -> Callable[[Any], None]:
    reg.create(name, Texture("rgba8_unorm", (8, 8))).color()
    reg.side_effects()
    return lambda cmd: None


def blur(request: Callable[[Any], Any], reg: Any) -> Callable[[Any], None]:
    request(reg).sampled(stage="fragment").bind("source")
    return make("blurred", reg)


def apply(reg: Any) -> Callable[[Any], None]:
    reg.chain("post_hdr")
    return lambda cmd: None


NOT_A_MEMBER = (
    'plugin "extra" lacks its node `extra/blur`: it needs the input of `{}` in the chain `post_hdr`, which has no such '
    "member; {}"
)
ELSEWHERE = 'plugin "extra" lacks its node `extra/blur`: it needs `{}`, which nobody creates; did you mean `{}`?'
OPTIONAL = 'plugin "extra": `extra/blur` requests `{}` as optional, which nobody creates; did you mean `{}`?'
NOT_CREATED = (
    'plugin "extra" lacks its node `extra/blur`: it needs `extra/{}`, which nobody creates; did you mean `extra/down`?'
)


@pytest.mark.parametrize(
    ("request_", "message"),
    [
        (lambda reg: reg.chain_source("post_hdr", "aply"), NOT_A_MEMBER.format("aply", 'did you mean "apply"?')),
        (lambda reg: reg.chain_source("post_hdr", "sharpen"), NOT_A_MEMBER.format("sharpen", "known: apply")),
        (lambda reg: reg.read("extra/dwon"), NOT_CREATED.format("dwon")),
        (lambda reg: reg.read("/extra/dwon"), NOT_CREATED.format("dwon")),
        (lambda reg: reg.history("extra/donw"), NOT_CREATED.format("donw")),
        (lambda reg: reg.read("extra/bare"), ELSEWHERE.format("extra/bare", "bare")),
        (lambda reg: reg.read("motion_vector"), ELSEWHERE.format("motion_vector", "motion_vectors")),
        (lambda reg: reg.read("blom/light"), ELSEWHERE.format("blom/light", "bloom/light")),
        (lambda reg: reg.history("fogg/light"), ""),
        (
            lambda reg: reg.read("light"),
            'plugin "extra" lacks its node `extra/blur`: it needs `light`, which nobody creates; the plugin "bloom" '
            "creates `bloom/light`, which has to be requested by its full name",
        ),
        (lambda reg: reg.read("dept"), ELSEWHERE.format("dept", "depth")),
        (lambda reg: reg.read("depths"), ELSEWHERE.format("depths", "depth")),
        (lambda reg: reg.read("depyh"), ELSEWHERE.format("depyh", "depth")),
        (lambda reg: reg.read("epth"), ELSEWHERE.format("epth", "depth")),
        (lambda reg: reg.read("camer"), ELSEWHERE.format("camer", "camera")),
        (lambda reg: reg.read("cameras"), ELSEWHERE.format("cameras", "camera")),
        (lambda reg: reg.history("hdr_li"), ELSEWHERE.format("hdr_li", "hdr_lit")),
        (lambda reg: reg.read("norml"), ELSEWHERE.format("norml", "normal")),
        (lambda reg: reg.history("post_hdr/apply"), ELSEWHERE.format("post_hdr/apply", "post_hdr/extra/apply")),
        (lambda reg: reg.read("extra/dwon").optional(), OPTIONAL.format("extra/dwon", "extra/down")),
        (
            lambda reg: reg.chain_source("post_hdr", "aply").optional(),
            OPTIONAL.format("post_hdr/extra/aply.source", "post_hdr/extra/apply.source"),
        ),
        # All of these are absent by intent.
        (lambda reg: reg.chain_source("post_hdr", "apply"), ""),
        (lambda reg: reg.chain_source("post_ldr_of_another_skeleton", "apply"), ""),
        (lambda reg: reg.read("extra/down"), ""),
        (lambda reg: reg.read("extra/normals").optional(), ""),
        (lambda reg: reg.read("extra/normals"), ""),
        (lambda reg: reg.read("extra/level2"), ""),
        (lambda reg: reg.read("other/down"), ""),
        (lambda reg: reg.read("dphet"), ""),
        (lambda reg: reg.read("post_hdr/mist/combine"), ""),
    ],
)
def test_a_mistyped_name_of_a_plugin_is_told(
    request_: Callable[[Any], Any],
    message: str,
    install_nodes: Callable[..., None],
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Other resources may be absent: plugins have nodes for what only some skeletons and scenes have."""
    install_nodes(
        down=lambda reg: make("extra/down", reg),
        level=lambda reg: make("extra/level1", reg),
        bare=lambda reg: make("bare", reg),
        apply=apply,
        blur=lambda reg: blur(request_, reg),
    )
    plan = plan_of(PlanOptions("marbles", plugins=PluginChoice(enable=("extra",))))
    extra = PluginStatus("extra", PluginState.ENABLED, nodes=("extra/down", "extra/bare", "extra/apply", "extra/blur"))
    lenient = Reviewer(strict=False)
    for each in (plan, replace(plan, graph=replace(plan.graph))):
        lenient.see(each, lambda: (extra,))
    said = [record.getMessage() for record in caplog.records]
    if not message:
        assert said == []
        Reviewer(strict=True).see(plan, lambda: (extra,))
        return
    (line,) = said
    assert line.startswith(f"{__file__}:")
    assert line.endswith(f": {message}")
    with pytest.raises(PluginError, match="because of --strict"):
        Reviewer(strict=True).see(plan, lambda: (extra,))
    assert message in try_plugin("marbles", "extra").fault


@pytest.mark.parametrize("wanted", ["luma", "extra/luma"])
def test_a_mistyped_namespace_of_a_created_name_is_told(
    wanted: str, install_nodes: Callable[..., None], caplog: pytest.LogCaptureFixture
) -> None:
    install_nodes(measure=partial(make, "extr/luma"), blur=lambda reg: blur(lambda reg: reg.read(wanted), reg))
    plan = plan_of(PlanOptions("marbles", plugins=PluginChoice(enable=("extra",))))
    extra = PluginStatus("extra", PluginState.ENABLED, nodes=("extra/measure", "extra/blur"))
    Reviewer(strict=False).see(plan, lambda: (extra,))
    (message,) = [record.getMessage() for record in caplog.records]
    assert f"it needs `{wanted}`, which nobody creates; did you mean `extr/luma`" in message


@pytest.mark.parametrize(("node", "call"), [("cast", "such as cast(0)"), ("sail_2", "sail(2)")])
def test_a_node_that_executes_and_requests_nothing_is_told(
    node: str, call: str, install_nodes: Callable[..., None], caplog: pytest.LogCaptureFixture
) -> None:
    """A function that returns the declare function is given in its place."""
    wrong = {node: lambda reg: partial(make, "extra/cast")}
    install_nodes(down=lambda reg: make("extra/down", reg), **wrong)
    plan = plan_of(PlanOptions("marbles", plugins=PluginChoice(enable=("extra",))))
    extra = PluginStatus("extra", PluginState.ENABLED, nodes=("extra/down", f"extra/{node}"))
    Reviewer(strict=False).see(plan, lambda: (extra,))
    (message,) = [record.getMessage() for record in caplog.records]
    assert message.startswith(f"{__file__}:")
    assert f'plugin "extra" lacks its node `extra/{node}`: it executes, but requests nothing' in message
    assert message.endswith(f"called where the node is added, {call}, and not within another lambda")


def test_a_mistyped_name_ends_a_strict_game(
    install_nodes: Callable[..., None],
    caplog: pytest.LogCaptureFixture,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    reading = partial(blur, lambda reg: reg.chain_source("post_hdr", "aply"))
    install_nodes(blur=reading, apply=apply)
    shot = str(tmp_path / "shot.png")
    arguments = ["--backend", "null", "--frames", "1", "--enable", "extra", "--screenshot", shot]
    assert main(["play", "marbles", *arguments]) == 0
    told = [record for record in caplog.records if "lacks its node `extra/blur`" in record.getMessage()]
    assert len(told) == 1
    assert main(["play", "marbles", *arguments, "--strict"]) == 2
    assert NOT_A_MEMBER.format("aply", 'did you mean "apply"?') in capsys.readouterr().err


def test_a_plugin_without_any_node_for_a_mistyped_name_is_told_once(
    install: Callable[[Callable[[Any], object]], None], caplog: pytest.LogCaptureFixture
) -> None:
    plan = _plan(install, lambda reg: blur(lambda reg: reg.chain_source("post_hdr", "aply"), reg))
    extra = PluginStatus("extra", PluginState.ENABLED, nodes=("extra/node",))
    Reviewer(strict=False).see(plan, lambda: (extra,))
    (record,) = caplog.records
    assert 'plugin "extra" adds nothing to the frame' in record.getMessage()


@pytest.mark.parametrize("name", ["light", "extra/light"])
def test_a_short_name_of_another_plugin_is_told_in_full(name: str, install: Callable[[Any], None]) -> None:
    install(partial(blur, lambda reg: reg.read(name)))
    fault = try_plugin("marbles", "extra").fault
    assert f"it needs `{name}`, which nobody creates" in fault
    assert 'the plugin "bloom" creates `bloom/light`, which has to be requested by its full name' in fault


@pytest.mark.parametrize("frame", sorted(shipped_skeletons()))
def test_the_plugins_that_come_along_mistype_no_name(frame: str, monkeypatch: pytest.MonkeyPatch) -> None:
    class Empty(Game):
        skeleton = frame

    monkeypatch.setattr(plugin_trial, "find_game", lambda name: Empty)
    every = tuple(found.name for found in discovery.find_plugins())
    trials = [try_plugin("empty", name) for name in every]
    trials += [try_plugin("empty", name, PluginChoice(enable=every)) for name in every[:1]]
    assert [trial.fault for trial in trials if "lacks its node" in trial.fault] == []
