#!/usr/bin/env python3
"""Writes the lists of docs/plugin-reference.md from docstrings. ``tests/test_reference_page.py`` holds the page against
them.

.venv/bin/python scripts/reference_page.py
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator

from api_page import BLOCK_OF_TEXT, REPOSITORY, members

from renderwright.render import Commands, Registry
from renderwright.render.graph.handles import ResourceHandle
from renderwright.render.graph.node_recorder import NodeRecorder
from renderwright.render.graph.request_builder import RequestBuilder

RECORDER = re.compile(r"- `cmd\.recorder\.(draw|clear_texture|copy_texture|copy_texels|fill_buffer|copy_buffer)\(")
"""The methods of the recorder that are for plugins."""
PAGE = REPOSITORY / "docs" / "plugin-reference.md"


def lists() -> dict[str, str]:
    """The lists by name, each a text in Markdown."""
    return {
        "requests": "".join(_entries(Registry, "reg")),
        "usages": "".join(_entries(RequestBuilder, "request", but=ResourceHandle)),
        "handles": "".join(_entries(ResourceHandle, "handle")),
        "commands": "".join(_entries(Commands, "cmd")),
        "recorder": "".join(entry for entry in _entries(NodeRecorder, "cmd.recorder") if RECORDER.match(entry)),
    }


def rewritten(page: str) -> str:
    """The page with the lists of the code."""
    now = lists()
    return BLOCK_OF_TEXT.sub(lambda block: f"{block[1]}\n{now[block[2]]}\n{block[4]}", page)


def _entries(kind: type, prefix: str, but: type | None = None) -> Iterator[str]:
    """An entry for each public method and property: its signature and its docstring."""
    for name, signature in members(kind, prefix):
        if but is None or name not in vars(but):
            text = inspect.getdoc(inspect.getattr_static(kind, name)) or ""
            yield f"- `{signature}`: {_markdown(text)}\n"


def _markdown(docstring: str) -> str:
    """A docstring in one paragraph."""
    return re.sub(r"\s+", " ", docstring.replace("``", "`")).strip()


if __name__ == "__main__":
    PAGE.write_text(rewritten(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
