"""Checks that a function of a user can be called as it will be, where it is given."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from inspect import Parameter
from types import CodeType, FunctionType
from typing import Any

from renderwright.render.errors import GraphError, SourceLocation


def check_one_argument(
    what: str, function: Callable[..., Any], argument: str, where: SourceLocation | None = None
) -> None:
    """Raise ``GraphError`` unless a function can be called with one argument, which has this name in the message."""
    needed = _misfit(function, 1)
    if needed is not None:
        name = _name(function)
        raise GraphError(
            f"{what} is {_call(name, needed)}, but is called with one positional argument, {argument}",
            hint=_hint(name, argument, needed),
            where=where,
        )


def check_no_argument(what: str, function: Callable[..., Any], where: SourceLocation | None = None) -> None:
    """Raise ``GraphError`` unless a function can be called without arguments."""
    needed = _misfit(function, 0)
    if needed is not None:
        raise GraphError(
            f"{what} is {_call(_name(function), needed)}, but is called without arguments",
            hint="give a function without arguments, which has what it needs from around it",
            where=where,
        )


def _misfit(function: Callable[..., Any], given: int) -> list[Parameter] | None:
    """The parameters that a function needs, if it cannot be called with ``given`` positional arguments; else None."""
    if isinstance(function, FunctionType) and _takes(function.__code__, given):
        return None  # as nearly all do: its signature would take fifty times as long
    try:
        signature = inspect.signature(function, follow_wrapped=False)  # a decorator may add arguments
    except (TypeError, ValueError):  # a function of C without a signature
        return None
    try:
        signature.bind(*[None] * given)
    except TypeError:
        return [parameter for parameter in signature.parameters.values() if _is_needed(parameter)]
    return None


def _name(function: Callable[..., Any]) -> str:
    return str(getattr(function, "__name__", type(function).__name__))


def _call(name: str, needed: list[Parameter]) -> str:
    return f"{name}({', '.join(parameter.name for parameter in needed)})"


def _takes(code: CodeType, given: int) -> bool:
    return code.co_argcount == given and not code.co_kwonlyargcount


def _is_needed(parameter: Parameter) -> bool:
    several = parameter.kind in (Parameter.VAR_POSITIONAL, Parameter.VAR_KEYWORD)
    return parameter.default is Parameter.empty and not several


def _hint(name: str, argument: str, needed: list[Parameter]) -> str:
    given = [argument, *(_passed_on(parameter) for parameter in needed[1:])]
    if len(given) == 1 or not name.isidentifier():
        return f"give a function of one argument, {argument}"
    return f"give a function of one argument: lambda {argument}: {name}({', '.join(given)})"


def _passed_on(parameter: Parameter) -> str:
    return f"{parameter.name}={parameter.name}" if parameter.kind is Parameter.KEYWORD_ONLY else parameter.name
