"""The OpenXR runtime for tests (the folder ``runtime``), built anew for each run of the tests."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

SOURCES = Path(__file__).parent / "runtime"


@pytest.fixture(scope="session")
def openxr_manifest(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What XR_RUNTIME_JSON has to name so that OpenXR's loader finds the runtime."""
    pytest.importorskip("xr", reason='pyopenxr is not installed: pip install "renderwright[vr]"')
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("there is no C compiler to build the test runtime with (on Debian or Ubuntu: sudo apt install gcc)")
    folder = tmp_path_factory.mktemp("openxr")
    library = folder / "libtest_runtime.so"
    options = ["-std=c11", "-Wall", "-Wextra", "-Werror", "-O1", "-shared", "-fPIC"]
    files = sorted(str(file) for file in SOURCES.glob("*.c"))
    built = subprocess.run(
        [compiler, *options, "-o", str(library), *files, "-l:libvulkan.so.1", "-lm"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert built.returncode == 0, built.stderr
    manifest = folder / "runtime.json"
    runtime = {"name": "test runtime", "library_path": str(library)}
    manifest.write_text(json.dumps({"file_format_version": "1.0.0", "runtime": runtime}))
    return manifest
