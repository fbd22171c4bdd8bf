"""Files of captures: JSON and pages. Each appears under its name when it is complete."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from renderwright.render.errors import UsageError
from renderwright.render.files.writing import replacing

PAGES = (".html", ".htm")


def check_capture_file(file: Path, suffixes: tuple[str, ...], what: str = "a capture") -> None:
    """Make the folder of a file to write. Raises ``UsageError`` if it cannot be written or has another suffix.

    ``what`` is what the file is for.
    """
    if file.suffix.lower() not in suffixes:
        raise UsageError(f'{what} cannot be saved as "{file}"', hint=f"give a file name that ends in {suffixes[0]}")
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise _cannot_save(file, error.strerror or str(error), what) from error
    if file.is_dir():
        raise _cannot_save(file, "that is a folder", what)
    if not os.access(file if file.exists() else file.parent, os.W_OK):
        raise _cannot_save(file, "no permission", what)


def write_page(file: Path, document: Mapping[str, Any]) -> str:
    """Write a document as a page; returns its size in words. Raises ``UsageError``."""
    from renderwright.render.inspect.capture.html_page import page_of

    return _write(file, page_of(document))


def write_json(file: Path, document: Mapping[str, Any], what: str = "a capture") -> str:
    """Write a document as JSON; returns its size in words. Raises ``UsageError``."""
    return _write(file, json.dumps(document, separators=(",", ":"), allow_nan=False), what)


def _write(file: Path, text: str, what: str = "a capture") -> str:
    data = text.encode()
    try:
        with replacing(file) as opened:
            opened.write(data)
    except OSError as error:
        raise _cannot_save(file, error.strerror or str(error), what) from error
    return f"{len(data) / 1e6:.2f} MB"


def _cannot_save(file: Path, reason: str, what: str) -> UsageError:
    return UsageError(f'{what} cannot be saved as "{file}": {reason}', hint="give a path that can be written")
