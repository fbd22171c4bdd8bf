"""The dependency graph of list scheduling, and the critical paths and the nested order that follow from it."""

from renderwright.render.compiler.order.critical_path import critical_paths
from renderwright.render.compiler.order.dependency_graph import DependencyGraph, dependency_graph
from renderwright.render.compiler.order.nested_order import nested_ranks

DIAMOND = dependency_graph({((0,), (1,)): 2, ((0,), (2, 3)): 1, ((1, 2), (4,)): 3}, 5)
"""0 before 1; 0 before 2 and 3; 1 and 2 before 4."""


def test_only_hyperedges_of_several_units_have_a_join_node():
    assert (
        DependencyGraph(
            units=5,
            predecessors=[[], [0], [5], [5], [6], [0], [1, 2]],
            successors=[[1, 5], [6], [6], [], [], [2, 3], [4]],
            dependents=[4, 3, 3, 0, 0],
        )
        == DIAMOND
    )


def test_paths_go_through_join_nodes_which_cost_nothing():
    paths = critical_paths(DIAMOND, [1.0, 2.0, 4.0, 8.0, 16.0])
    assert paths.top_levels == [0.0, 1.0, 1.0, 1.0, 5.0]
    assert paths.bottom_levels == [21.0, 18.0, 20.0, 8.0, 16.0]


def test_a_branch_is_finished_before_the_next_and_the_longer_one_comes_first():
    two_branches = dependency_graph({((0,), (2,)): 1, ((1,), (3,)): 1, ((2,), (4,)): 1, ((3,), (4,)): 1}, 5)
    assert nested_ranks(two_branches, [0.0, 0.0, 1.0, 2.0, 3.0]) == [2, 0, 3, 1, 4]
