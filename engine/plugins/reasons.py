"""Why a plugin has failed, in words."""

from __future__ import annotations

import os
import traceback
from pathlib import Path

from renderwright import engine, render
from renderwright.engine.code_lines import lines_of_code, missing_data, top_package
from renderwright.engine.entry_points import HOOK_PREFIX
from renderwright.engine.meant_names import meant_name
from renderwright.render.debugging import debug_advice
from renderwright.render.errors import RenderwrightError
from renderwright.render.runtime.failures import notes_of

_ENGINE = tuple(f"{Path(package.__path__[0])}{os.sep}" for package in (engine, render))
"""Where the names of files begin that call plugins or are called by them."""


def reason_of(error: BaseException, node: str = "", phase: str = "", *, module: str = "") -> str:
    """The message of an error with the innermost source line of the plugin, and the ``node`` that failed in a phase, or
    the hook that failed. ``module`` is the plugin's, by name: its package may be installed among libraries."""
    lines = lines_of_code(error.__traceback__, {top_package(module)}, _ENGINE)
    text = "\n  ".join([_text(error, lines), *notes_of(error)])
    hook = _hook(lines)
    if node and node not in text:
        text = f'node "{node}" fails{f" in {phase}" if phase else ""}: {text}'
    elif hook and not isinstance(error, RenderwrightError):
        text = f"{hook} fails: {text}"
    place = _place(error, lines)
    return f"{place}: {text}" if place else text


def traceback_advice(error: BaseException) -> str:
    """A further line for errors that are no messages of their own: how to see all calls on the way to them."""
    tells_all = isinstance(error, RenderwrightError | SyntaxError)
    advice = "" if tells_all else debug_advice()
    return f"\n  {advice}" if advice else ""


def _place(error: BaseException, lines: list[traceback.FrameSummary]) -> str:
    if isinstance(error, RenderwrightError) and error.where is not None:
        return str(error.where)
    if isinstance(error, SyntaxError) and error.filename and not error.filename.startswith("<"):
        return f"{error.filename}:{error.lineno or 0}"
    return f"{lines[-1].filename}:{lines[-1].lineno}" if lines else ""


def _hook(lines: list[traceback.FrameSummary]) -> str:
    """The hook that raised an error, '' if none did. The engine calls it, so it is the plugin's outermost function."""
    return lines[0].name if lines and lines[0].name.startswith(HOOK_PREFIX) else ""


def _line(lines: list[traceback.FrameSummary]) -> str:
    """The plugin's innermost line of source, all that is known of an error without a message; '' if it has none."""
    return f" in `{lines[-1].line}`" if lines and lines[-1].line else ""


def _text(error: BaseException, lines: list[traceback.FrameSummary]) -> str:
    if isinstance(error, RenderwrightError):
        return f"{error.message}\n  {error.hint}" if error.hint else error.message
    if isinstance(error, SystemExit):
        return f"it calls sys.exit({'' if error.code is None else repr(error.code)})"
    kind, message = type(error).__name__, error.msg if isinstance(error, SyntaxError) else str(error)
    text = f"{kind}: {message}" if message else f"{kind} without a message{_line(lines)}"
    meant = meant_name(error) or missing_data(error, lines)
    if isinstance(error, ModuleNotFoundError) and error.name and not meant:
        meant = f'install "{error.name}", or reinstall the package that brings the plugin'
    return f"{text}\n  {meant}" if meant else text
