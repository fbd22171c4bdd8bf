"""Why a plugin has failed, in words."""

from __future__ import annotations

import importlib
import os
import traceback
from pathlib import Path

from renderwright import engine, render
from renderwright.render.errors import RenderwrightError

_NOT_THE_PLUGIN = (
    *(f"{Path(package.__path__[0])}{os.sep}" for package in (engine, render, importlib)),
    "<frozen ",
)
"""Where the file names of frames begin that are not the plugin's, but call it or are called by it."""


def reason_of(error: BaseException) -> str:
    """The message of an error with the innermost source line of the plugin."""
    if isinstance(error, RenderwrightError) and error.where is not None:
        return str(error)
    frames = traceback.extract_tb(error.__traceback__)
    inside = [frame for frame in frames if not frame.filename.startswith(_NOT_THE_PLUGIN)]
    text = _text(error)
    return f"{inside[-1].filename}:{inside[-1].lineno}: {text}" if inside else text


def _text(error: BaseException) -> str:
    if isinstance(error, RenderwrightError):
        return str(error)
    if isinstance(error, SystemExit):
        return f"it calls sys.exit({'' if error.code is None else repr(error.code)})"
    text = f"{type(error).__name__}: {error}"
    if isinstance(error, ModuleNotFoundError) and error.name:
        return f'{text}\n  install "{error.name}", or reinstall the package that brings the plugin'
    return text
