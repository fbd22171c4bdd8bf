"""The stages that a barrier orders besides those that it names."""

from __future__ import annotations

from renderwright.render.sync.flags import Stage
from renderwright.render.sync.oracle import names
from renderwright.render.sync.stage_order import with_earlier, with_later


def test_the_source_holds_what_comes_before_it_in_its_pipeline() -> None:
    earlier = with_earlier(Stage.FRAGMENT_SHADER)
    assert earlier & Stage.EARLY_FRAGMENT_TESTS
    assert earlier & Stage.VERTEX_SHADER
    assert not earlier & (Stage.LATE_FRAGMENT_TESTS | Stage.COLOR_ATTACHMENT_OUTPUT | Stage.COMPUTE_SHADER)


def test_the_destination_holds_what_comes_behind_it() -> None:
    later = with_later(Stage.FRAGMENT_SHADER)
    assert later == Stage.FRAGMENT_SHADER | Stage.LATE_FRAGMENT_TESTS | Stage.COLOR_ATTACHMENT_OUTPUT
    assert with_later(Stage.DRAW_INDIRECT) & (Stage.COMPUTE_SHADER | Stage.COLOR_ATTACHMENT_OUTPUT)


def test_stages_outside_of_pipelines_stand_for_themselves() -> None:
    for stage in (Stage.COPY, Stage.CLEAR, Stage.BLIT, Stage.HOST, Stage.NONE):
        assert with_earlier(stage) == with_later(stage) == stage
    assert with_earlier(Stage.COMPUTE_SHADER) == Stage.COMPUTE_SHADER | Stage.DRAW_INDIRECT


def test_all_commands_hold_every_stage_of_the_device() -> None:
    for stages in (with_earlier(Stage.ALL_COMMANDS), with_later(Stage.ALL_COMMANDS)):
        assert all(stages & stage for stage in Stage if stage not in (Stage.NONE, Stage.HOST))
        assert not stages & Stage.HOST


def test_the_oracle_knows_no_other_order() -> None:
    everything = sum(int(stage) for stage in Stage if stage not in (Stage.HOST, Stage.ALL_COMMANDS))
    for stage in Stage:
        if stage is not Stage.ALL_COMMANDS:
            assert with_earlier(stage) & everything == names.source_scope_stages(stage) & everything, stage
            assert with_later(stage) & everything == names.destination_scope_stages(stage) & everything, stage
