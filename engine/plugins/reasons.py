"""Why a plugin has failed, in words."""

from __future__ import annotations

import importlib
import os
import traceback
from pathlib import Path

from renderwright import engine, render
from renderwright.engine.meant_names import meant_name
from renderwright.engine.plugins.hookspecs import HOOK_PREFIX
from renderwright.render.debugging import debug_advice
from renderwright.render.errors import RenderwrightError
from renderwright.render.runtime.failures import notes_of

_NOT_THE_PLUGIN = (
    *(f"{Path(package.__path__[0])}{os.sep}" for package in (engine, render, importlib)),
    "<",
)
"""Where the file names of frames begin that are not the plugin's, but call it or are called by it. Functions that
dataclasses make are in "<string>"."""


def reason_of(error: BaseException, node: str = "", phase: str = "") -> str:
    """The message of an error with the innermost source line of the plugin, and the ``node`` that failed in a phase, or
    the hook that failed."""
    text = "\n  ".join([_text(error), *notes_of(error)])
    hook = _hook(error)
    if node and node not in text:
        text = f'node "{node}" fails{f" in {phase}" if phase else ""}: {text}'
    elif hook and not isinstance(error, RenderwrightError):
        text = f"{hook} fails: {text}"
    place = _place(error)
    return f"{place}: {text}" if place else text


def traceback_advice(error: BaseException) -> str:
    """A further line for errors that are no messages of their own: how to see all calls on the way to them."""
    tells_all = isinstance(error, RenderwrightError | SyntaxError)
    advice = "" if tells_all else debug_advice()
    return f"\n  {advice}" if advice else ""


def _place(error: BaseException) -> str:
    if isinstance(error, RenderwrightError) and error.where is not None:
        return str(error.where)
    if isinstance(error, SyntaxError) and error.filename:
        return f"{error.filename}:{error.lineno or 0}"
    inside = _lines_of_plugin(error)
    return f"{inside[-1].filename}:{inside[-1].lineno}" if inside else ""


def _hook(error: BaseException) -> str:
    """The hook that raised an error, '' if none did. The engine calls it, so it is the plugin's outermost function."""
    inside = _lines_of_plugin(error)
    return inside[0].name if inside and inside[0].name.startswith(HOOK_PREFIX) else ""


def _lines_of_plugin(error: BaseException) -> list[traceback.FrameSummary]:
    frames = traceback.extract_tb(error.__traceback__)
    return [frame for frame in frames if not frame.filename.startswith(_NOT_THE_PLUGIN)]


def _line(error: BaseException) -> str:
    """The plugin's innermost line of source, all that is known of an error without a message; '' if it has none."""
    inside = _lines_of_plugin(error)
    return f" in `{inside[-1].line}`" if inside and inside[-1].line else ""


def _text(error: BaseException) -> str:
    if isinstance(error, RenderwrightError):
        return f"{error.message}\n  {error.hint}" if error.hint else error.message
    if isinstance(error, SystemExit):
        return f"it calls sys.exit({'' if error.code is None else repr(error.code)})"
    kind, message = type(error).__name__, error.msg if isinstance(error, SyntaxError) else str(error)
    text = f"{kind}: {message}" if message else f"{kind} without a message{_line(error)}"
    if isinstance(error, ModuleNotFoundError) and error.name:
        return f'{text}\n  install "{error.name}", or reinstall the package that brings the plugin'
    meant = meant_name(error)
    return f"{text}\n  {meant}" if meant else text
