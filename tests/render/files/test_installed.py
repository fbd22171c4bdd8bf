"""Where libraries are: what pip, a distribution or Python itself has brought is told from code of one's own."""

from __future__ import annotations

import json
import sysconfig
from pathlib import Path

import numpy as np
import pytest

from renderwright.render.files import is_installed, is_of_library

PACKAGES = Path(sysconfig.get_path("purelib"))


@pytest.mark.parametrize("file", [PACKAGES / "fx" / "glsl" / "fx.frag", Path(np.__file__)])
def test_what_lies_among_packages_is_installed(file: Path) -> None:
    assert is_installed(file)
    assert is_of_library(file)


def test_python_s_own_modules_are_of_a_library_and_not_installed() -> None:
    assert is_of_library(Path(json.__file__))
    assert not is_installed(Path(json.__file__))


def test_other_code_is_of_no_library(tmp_path: Path) -> None:
    assert not is_of_library(tmp_path / "game.py")
    assert not is_of_library(Path(__file__))


def test_packages_are_also_where_the_dependencies_are(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """As on a Debian whose packages are in ``dist-packages``, and with ``pip install --user``."""
    monkeypatch.setattr(sysconfig, "get_path", lambda name: str(tmp_path / name))
    assert is_installed(Path(np.__file__))
    assert is_of_library(Path(np.__file__))
    assert not is_of_library(Path(__file__))
