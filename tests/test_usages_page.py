"""The page on adding a usage names the files that tell usages apart."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs/adding-a-usage.md").read_text(encoding="utf-8")

OF_THEIR_OWN = {
    "backend/null/target.py",
    "backend/texture_target.py",
    "backend/vulkan/swapchain.py",
    "runtime/checks/texel_counter.py",
    "runtime/memory/constant_textures.py",
    "runtime/memory/copies_out.py",
    "runtime/memory/move_recorder.py",
    "runtime/lowering/texture_copies.py",
    "runtime/lowering/uniforms.py",
    "engine/skeleton/build.py",
}
"""They give a usage to resources and requests that they make, and tell none apart."""


def test_the_page_names_every_file_that_tells_usages_apart() -> None:
    files = [*(ROOT / "render").rglob("*.py"), *(ROOT / "engine/skeleton").rglob("*.py")]
    naming = {
        str(file.relative_to(ROOT)).removeprefix("render/")
        for file in files
        if re.search(r"\bUsage\.[A-Z_]+", file.read_text(encoding="utf-8"))
    }
    named = {name for name in naming if f"`{name}`" in PAGE}
    assert "sync/scopes.py" in named
    assert naming - named == OF_THEIR_OWN


def test_its_files_exist() -> None:
    paths = re.findall(r"`((?:\w+/)*\w+\.py)`", PAGE)
    missing = [path for path in paths if not ((ROOT / path).exists() or (ROOT / "render" / path).exists())]
    assert len(paths) > 30
    assert not missing
