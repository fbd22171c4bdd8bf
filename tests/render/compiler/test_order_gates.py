"""Gates: who waits for whom by node, what is between runs, and the paths and the nesting that follow."""

from renderwright.render.compiler.order.gates import Gates, Waits, critical_paths, nested_ranks

DIAMOND = Waits({(0, 1): 2}, {((0,), (2, 3)): 1, ((1, 2), (4,)): 3}, 5)
"""0 before 1; 0 before 2 and 3; 1 and 2 before 4."""


def test_only_where_several_wait_together_is_a_gate():
    assert DIAMOND.gates() == Gates(
        befores=[[], [0], [5], [5], [6], [0], [1, 2]],
        afters=[[1, 5], [6], [6], [], [], [2, 3], [4]],
        consumers=[4, 3, 3, 0, 0],
        count=5,
    )


def test_of_runs_what_their_members_ask_is_added_up_and_nothing_is_asked_inside():
    waits = Waits({(0, 1): 1, (2, 0): 1}, {((2,), (0, 1)): 2, ((0, 1), (3, 4)): 5}, 5)
    assert waits.between({0: 0, 1: 0, 2: 1, 3: 2, 4: 3}, 4) == Waits({(1, 0): 3}, {((0,), (2, 3)): 5}, 4)


def test_paths_go_through_gates_which_cost_nothing():
    paths = critical_paths(DIAMOND.gates(), [1.0, 2.0, 4.0, 8.0, 16.0])
    assert paths.before == [0.0, 1.0, 1.0, 1.0, 5.0]
    assert paths.behind == [21.0, 18.0, 20.0, 8.0, 16.0]


def test_a_branch_is_finished_before_the_next_and_the_larger_one_comes_first():
    apart = Waits({(0, 2): 1, (1, 3): 1, (2, 4): 1, (3, 4): 1}, {}, 5)
    assert nested_ranks(apart.gates(), [0.0, 0.0, 1.0, 2.0, 3.0]) == [2, 0, 3, 1, 4]
