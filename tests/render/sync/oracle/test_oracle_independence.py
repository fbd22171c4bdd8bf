"""The oracle must not know what it judges: no plan, no usage, no derivation of barriers."""

from __future__ import annotations

import ast
from pathlib import Path

ORACLE = Path(__file__).parents[4] / "render" / "sync" / "oracle"
ALLOWED = (
    "renderwright.render.errors",
    "renderwright.render.files",
    "renderwright.render.suggest",
    "renderwright.render.sync.oracle",
)


def test_the_oracle_imports_nothing_of_the_compiler() -> None:
    files = sorted(ORACLE.glob("*.py"))
    assert len(files) > 10
    for file in files:
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            names = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            names += [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            for name in names:
                assert not name.startswith("render") or name.startswith(ALLOWED), f"{file.name} imports {name}"
