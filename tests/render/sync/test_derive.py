import pytest

from renderwright.render.sync.barriers import BarrierReason
from renderwright.render.sync.derive import Dependency, ResourceAccess, SourceScope, derive, final_layout
from renderwright.render.sync.flags import Access, Layout, Stage
from renderwright.render.sync.merge import merge_scopes, without_layout
from renderwright.render.sync.queues import COMPUTE
from renderwright.render.sync.scopes import Scope, scope_of
from renderwright.render.types.usages import ShaderStage, Usage


def buffer_access(point: int, usage: Usage, stage: ShaderStage = ShaderStage.COMPUTE) -> ResourceAccess:
    return ResourceAccess(point, without_layout(scope_of(usage, (stage,))))


def texture_access(point: int, usage: Usage, stage: ShaderStage = ShaderStage.FRAGMENT) -> ResourceAccess:
    return ResourceAccess(point, scope_of(usage, (stage,)))


def test_a_write_then_a_read() -> None:
    (found,) = derive([buffer_access(0, Usage.STORAGE_WRITE), buffer_access(1, Usage.STORAGE_READ)])
    assert found == Dependency(
        1,
        Stage.COMPUTE_SHADER,
        Access.SHADER_STORAGE_WRITE,
        Scope(Stage.COMPUTE_SHADER, Access.SHADER_STORAGE_READ, Layout.UNDEFINED),
        Layout.UNDEFINED,
        BarrierReason.WRITE_READ,
        since=0,
    )


def test_a_write_after_reads_waits_for_their_execution_only() -> None:
    (found,) = derive([buffer_access(0, Usage.STORAGE_READ), buffer_access(1, Usage.STORAGE_WRITE)])
    assert found == Dependency(
        1,
        Stage.COMPUTE_SHADER,
        Access.NONE,
        Scope(Stage.COMPUTE_SHADER, Access.NONE, Layout.UNDEFINED),
        Layout.UNDEFINED,
        BarrierReason.READ_WRITE,
        since=0,
    )


def test_a_write_after_reads_of_an_earlier_write_sees_that_write() -> None:
    accesses = [
        buffer_access(point, usage) for point, usage in enumerate([Usage.STORAGE, Usage.UNIFORM, Usage.STORAGE_WRITE])
    ]
    last = derive(accesses)[-1]
    assert (last.src_stages, last.src_access) == (Stage.COMPUTE_SHADER, Access.NONE)
    assert last.dst.access == Access.SHADER_STORAGE_WRITE


def test_neighbouring_reads_share_one_barrier() -> None:
    accesses = [
        texture_access(0, Usage.COLOR),
        texture_access(1, Usage.SAMPLED, ShaderStage.VERTEX),
        texture_access(2, Usage.SAMPLED),
        texture_access(5, Usage.SAMPLED, ShaderStage.COMPUTE),
    ]
    (found,) = derive(accesses)
    assert found.point == 1
    assert found.dst.stages == Stage.VERTEX_SHADER | Stage.FRAGMENT_SHADER | Stage.COMPUTE_SHADER


def test_reads_in_different_layouts_are_parted_by_a_layout_change() -> None:
    accesses = [texture_access(0, Usage.COLOR), texture_access(1, Usage.SAMPLED), texture_access(2, Usage.COPY_SRC)]
    change = derive(accesses)[-1]
    assert change == Dependency(
        2,
        Stage.FRAGMENT_SHADER,
        Access.NONE,
        Scope(Stage.COPY, Access.TRANSFER_READ, Layout.TRANSFER_SRC),
        Layout.SHADER_READ_ONLY,
        BarrierReason.LAYOUT,
        since=1,
    )


def test_a_first_access_discards_and_waits() -> None:
    first = SourceScope(Stage.FRAGMENT_SHADER, Access.NONE, BarrierReason.HANDOVER)
    (found,) = derive([texture_access(3, Usage.COLOR)], first)
    assert (found.src_stages, found.src_access, found.old_layout) == (
        Stage.FRAGMENT_SHADER,
        Access.NONE,
        Layout.UNDEFINED,
    )
    assert (found.point, found.dst, found.reason) == (
        3,
        scope_of(Usage.COLOR, (ShaderStage.FRAGMENT,)),
        BarrierReason.HANDOVER,
    )


def test_final_layout() -> None:
    assert final_layout([texture_access(0, Usage.COLOR), texture_access(1, Usage.SAMPLED)]) is Layout.SHADER_READ_ONLY
    assert final_layout([]) is Layout.UNDEFINED


def test_merged_scopes_find_a_common_layout() -> None:
    tested = scope_of(Usage.DEPTH_READ, (ShaderStage.FRAGMENT,))
    sampled = scope_of(Usage.SAMPLED, (ShaderStage.FRAGMENT,))
    both = merge_scopes(tested, sampled)
    assert both.layout is Layout.DEPTH_READ_ONLY
    assert both.stages == tested.stages | Stage.FRAGMENT_SHADER
    assert both.access == Access.DEPTH_STENCIL_ATTACHMENT_READ | Access.SHADER_SAMPLED_READ
    with pytest.raises(ValueError, match="COLOR_ATTACHMENT and SHADER_READ_ONLY"):
        merge_scopes(scope_of(Usage.COLOR, (ShaderStage.FRAGMENT,)), sampled)


def test_behind_a_clear_command_the_barrier_stands_in_front_of_all_readers() -> None:
    """The clear command is part of the first reader's pass; a barrier behind that pass would come too late for it."""
    clear = ResourceAccess(0, Scope(Stage.CLEAR, Access.TRANSFER_WRITE, Layout.TRANSFER_DST))
    read = scope_of(Usage.SAMPLED, (ShaderStage.COMPUTE,))
    (found,) = derive([clear, ResourceAccess(1, read), ResourceAccess(2, read, COMPUTE)], concurrent=True)
    assert (found.point, found.behind, found.since) == (1, False, 0)
    assert (found.old_layout, found.dst) == (Layout.TRANSFER_DST, read)
    written = texture_access(0, Usage.COLOR)
    (found,) = derive([written, ResourceAccess(1, read), ResourceAccess(2, read, COMPUTE)], concurrent=True)
    assert (found.point, found.behind) == (0, True)


def test_a_write_behind_reads_on_several_queues_waits_for_no_single_place() -> None:
    """An event that is set behind its own queue's reader would let the layout change before the other queue is done."""
    read = scope_of(Usage.SAMPLED, (ShaderStage.COMPUTE,))
    accesses = [ResourceAccess(0, read), ResourceAccess(1, read, COMPUTE), texture_access(2, Usage.COLOR)]
    (found,) = derive(accesses, concurrent=True)
    assert (found.point, found.since, found.behind) == (2, None, False)
    assert (found.src_stages, found.src_access) == (Stage.COMPUTE_SHADER, Access.NONE)
