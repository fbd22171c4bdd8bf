"""The page of a capture: one HTML file without anything from outside.

Its parts are files of the folder ``page``. They are put together here; nothing builds them.
"""

from __future__ import annotations

import base64
import gzip
import html
import json
from collections.abc import Mapping
from importlib.resources import files
from typing import Any

SCRIPTS = (
    "text.js",
    "data.js",
    "state.js",
    "table.js",
    "words.js",
    "axes.js",
    "grid.js",
    "heaps.js",
    "queues.js",
    "textures.js",
    "details.js",
    "overview.js",
    "lists.js",
    "compare.js",
    "main.js",
)
"""In the order in which they are put into the page; all share one scope."""

_FOLDER = files("renderwright.render.inspect.capture").joinpath("page")


def page_of(document: Mapping[str, Any]) -> str:
    """A capture's document as a page.

    The document is in it as packed text of letters and digits, so that nothing in it can end the script or the page.
    """
    title = f"{document['title']} - renderwright"
    parts = {
        "TITLE": html.escape(title[:200]),
        "STYLE": _part("style.css"),
        "DATA": _packed(document),
        "SCRIPT": "\n".join(_part(name) for name in SCRIPTS),
    }
    pieces = _part("page.html").split("@")
    return "".join(parts.get(piece, piece) if number % 2 else piece for number, piece in enumerate(pieces))


def _part(name: str) -> str:
    return _FOLDER.joinpath(name).read_text(encoding="utf-8")


def _packed(document: Mapping[str, Any]) -> str:
    text = json.dumps(document, ensure_ascii=True, separators=(",", ":"), allow_nan=False)
    return base64.b64encode(gzip.compress(text.encode(), 6, mtime=0)).decode()
