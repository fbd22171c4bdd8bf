"""Decoding of files from strangers: no warnings, and readable messages."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np

_SHOWN = 80


@contextmanager
def quiet_decoding() -> Iterator[None]:
    """Within it, warnings of numpy and Pillow are not shown.

    A player cannot do anything about them. A decoder checks its results and raises an error that names the file.
    """
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def shown(text: str) -> str:
    """A text of a file for a message: one short line without control characters."""
    line = "".join(character if character.isprintable() else "\ufffd" for character in text[: _SHOWN + 1])
    return line if len(line) <= _SHOWN else f"{line[:_SHOWN]}..."
