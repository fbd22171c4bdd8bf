"""Functions that cannot be called as they will be are refused where they are given."""

from __future__ import annotations

import functools
from typing import Any

import pytest
from value_graph import ValueGraph

from renderwright.render.errors import GraphError
from renderwright.render.graph.callables import check_no_argument, check_one_argument
from renderwright.render.graph.registry import Registry


def draw(cmd: Any, pipeline: Any) -> None:
    """Takes one argument too many."""


class Callable:
    def __call__(self, cmd: Any) -> None:
        """Takes one."""


def adding_a_pipeline(function: Any) -> Any:
    @functools.wraps(function)
    def with_pipeline(*given: Any) -> Any:
        return function(*given, None)

    return with_pipeline


@pytest.mark.parametrize(
    "function",
    [
        lambda cmd: None,
        lambda cmd, pipeline=None: None,
        lambda *given: None,
        functools.partial(draw, pipeline=None),
        adding_a_pipeline(draw),
        functools.partial(adding_a_pipeline(draw)),
        Callable(),
        [].append,
        dict,
    ],
)
def test_functions_of_one_argument_are_fine(function: Any) -> None:
    check_one_argument("the function", function, "cmd")


def test_a_decorator_may_give_the_only_argument() -> None:
    check_no_argument("the function", adding_a_pipeline(lambda pipeline: None))


def test_a_decorator_of_other_arguments_is_refused() -> None:
    @functools.wraps(draw)
    def with_extent(cmd: Any, extent: Any) -> None:
        draw(cmd, extent)

    with pytest.raises(GraphError, match=r"the function is draw\(cmd, extent\), but is called with one"):
        check_one_argument("the function", with_extent, "cmd")


def test_a_lambda_of_two_arguments_has_no_name_to_call_it_by() -> None:
    with pytest.raises(GraphError) as caught:
        check_one_argument("the function", lambda cmd, pipeline: None, "cmd")
    assert caught.value.message == (
        "the function is <lambda>(cmd, pipeline), but is called with one positional argument, cmd"
    )
    assert caught.value.hint == "give a function of one argument, cmd"


def test_an_execute_function_of_two_arguments_fails_where_it_is_defined(values: ValueGraph) -> None:
    def declare(reg: Registry) -> Any:
        reg.side_effects()
        return draw

    values.graph.add_node("fx/draw", declare, plugin="fx")
    values.frame()
    (failure,) = values.failures
    error = failure.error
    assert isinstance(error, GraphError)
    assert str(error) == (
        f'{__file__}:{draw.__code__.co_firstlineno}: the execute function of node "fx/draw" is draw(cmd, pipeline), '
        "but is called with one positional argument, cmd\n"
        "  give a function of one argument: lambda cmd: draw(cmd, pipeline)"
    )
