"""Decoding of files by libraries that warn of what is wrong with them."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np


@contextmanager
def quiet_decoding() -> Iterator[None]:
    """Within it, warnings of numpy, Pillow and pygltflib are not shown.

    A player cannot do anything about them. A decoder checks its results and raises an error that names the file.
    """
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield
