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


def shown(text: str, most: int = _SHOWN) -> str:
    """A text of a file for a message: one line of at most so many characters, without control characters."""
    line = "".join(character if character.isprintable() else "\ufffd" for character in text[: most + 1])
    return line if len(line) <= most else f"{line[:most]}..."
