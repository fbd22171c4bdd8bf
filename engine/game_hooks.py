"""The hooks of a game: one that does not take what the engine gives it is refused at its own line."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from renderwright.engine.class_location import class_location
from renderwright.render.errors import SourceLocation, UsageError

if TYPE_CHECKING:
    from renderwright.engine.game import Game

_GIVEN: Mapping[str, tuple[str, ...]] = {"setup": ("context",), "update": ("dt",), "draw": ("alpha",), "close": ()}
"""By hook, what the engine gives it, by position."""

HOOKS = tuple(_GIVEN)
"""The names of the hooks."""


def check_hooks(game: Game) -> None:
    """Raise ``UsageError`` for a hook that cannot be called as the engine does."""
    for name, given in _GIVEN.items():
        hook = getattr(game, name)
        problem = _problem(hook, given)
        if problem:
            kind = type(game)
            raise UsageError(
                f"{kind.__name__}.{name} {problem}",
                hint=f"write def {name}({', '.join(('self', *given))}):",
                where=_location(hook) or class_location(kind),
            )


def check_init(kind: type[Game]) -> None:
    """Raise ``UsageError`` for a class whose ``__init__`` cannot be called without arguments."""
    made = kind.__init__
    try:
        inspect.signature(made, follow_wrapped=False).bind(kind)  # in place of self
    except ValueError:  # others than Python's functions have no signature to look at
        return
    except TypeError as error:
        raise UsageError(
            f"{kind.__name__}.__init__ cannot be called: {error}",
            hint="a game is made without arguments: write def __init__(self):",
            where=_location(made) or class_location(kind),
        ) from None


def _problem(hook: Any, given: tuple[str, ...]) -> str:
    """Why a hook cannot be called with so many arguments, '' if it can."""
    if not callable(hook):
        return "is no function"
    try:
        parameters = inspect.signature(hook, follow_wrapped=False)  # a decorator may add arguments
        parameters.bind(*given)
    except ValueError:  # a method without self; others than Python's functions have no signature to look at
        return f"does not take {given[0] if given else 'self'}" if inspect.ismethod(hook) else ""
    except TypeError:
        takes_them = _by_position(parameters) >= len(given)
        return "needs more than the engine gives" if takes_them else f"does not take {given[0]}"
    return ""


def _by_position(signature: inspect.Signature) -> int:
    kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return sum(parameter.kind in kinds for parameter in signature.parameters.values())


def _location(hook: Callable[..., Any]) -> SourceLocation | None:
    """The line of a Python function."""
    code = getattr(inspect.unwrap(hook), "__code__", None)
    return None if code is None else SourceLocation(code.co_filename, code.co_firstlineno)
