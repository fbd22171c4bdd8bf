"""A plugin is clean under mypy's strict mode, also where mypy cannot see pluggy."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

REPOSITORY = Path(__file__).parents[3]
PLUGIN = '''
from renderwright.engine.plugins.hookspecs import hookimpl


@hookimpl
def renderwright_settings() -> None:
    """No settings."""


@hookimpl(optionalhook=True)
def renderwright_later() -> int:
    return 1


text: str = renderwright_later()
'''
CONFIGURATION = """
[mypy]
strict = True
namespace_packages = True
explicit_package_bases = True
[mypy-renderwright.*]
follow_imports = silent
[mypy-renderwright.render.*,renderwright.engine.views.*,pydantic.*,numpy.*,glm.*]
follow_imports = skip
ignore_missing_imports = True
[mypy-pluggy.*]
follow_imports = skip
ignore_missing_imports = True
"""


def test_hooks_keep_their_types_under_mypy_strict(tmp_path: Path) -> None:
    (tmp_path / "plugin.py").write_text(PLUGIN)
    (tmp_path / "mypy.ini").write_text(CONFIGURATION)
    (tmp_path / "layout").mkdir()
    package = tmp_path / "layout" / "renderwright"
    package.mkdir()
    for folder in ("engine", "render"):
        (package / folder).symlink_to(REPOSITORY / folder)
    ran = subprocess.run(
        [sys.executable, "-m", "mypy", "--config-file", "mypy.ini", "plugin.py"],
        cwd=tmp_path,
        env={"MYPYPATH": "layout", "PATH": ""},
        capture_output=True,
        text=True,
        check=False,
    )
    errors = [line for line in ran.stdout.splitlines() if ": error:" in line]
    # The one deliberate mistake shows that the decorated function has kept its return type.
    assert len(errors) == 1, ran.stdout
    assert "assignment" in errors[0]
