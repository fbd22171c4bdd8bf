"""Captures that were written before, from JSON or from a page."""

from __future__ import annotations

import base64
import binascii
import json
import re
import zlib
from pathlib import Path
from typing import Any

from renderwright.engine.capture.files import PAGES
from renderwright.render.errors import UsageError
from renderwright.render.files.reading import read_text
from renderwright.render.inspect.capture import CAPTURE_SCHEMA

MOST_BYTES = 1 << 28
"""Of a file, and of a document."""

_DATA = re.compile(r'<script type="application/octet-stream" id="data">([A-Za-z0-9+/=\s]*)</script>')


def read_capture(file: Path) -> dict[str, Any]:
    """The document of a file that ``capture`` or ``graph --html`` has written. Raises ``UsageError``."""
    try:
        text = read_text(file, MOST_BYTES)
        document = json.loads(_unpacked(file, text) if file.suffix.lower() in PAGES else text)
    except (OSError, UnicodeDecodeError) as error:
        raise _wrong(file, str(error.strerror if isinstance(error, OSError) else error)) from error
    except (ValueError, binascii.Error, zlib.error) as error:
        raise _wrong(file, f"it is damaged: {error}") from error
    if not isinstance(document, dict) or document.get("kind") != "capture":
        raise _wrong(file, "it is no capture of a frame")
    if document.get("schema") != CAPTURE_SCHEMA:
        raise _wrong(file, f"its schema is {document.get('schema')}, and this renderwright reads {CAPTURE_SCHEMA}")
    return document


def _unpacked(file: Path, page: str) -> bytes:
    found = _DATA.search(page)
    if found is None:
        raise _wrong(file, "it is no page of a capture")
    # 16 more than the window's bits: the data has the head of a gzip file.
    return zlib.decompressobj(zlib.MAX_WBITS + 16).decompress(base64.b64decode(found[1]), MOST_BYTES)


def _wrong(file: Path, reason: str) -> UsageError:
    return UsageError(
        f'"{file}" cannot be compared: {reason}',
        hint="give files that `renderwright capture` or `renderwright graph --html` has written",
    )
