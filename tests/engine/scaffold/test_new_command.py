"""``renderwright new``: what it writes, which names it refuses, and what it leaves alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from renderwright.engine.cli import main, new
from renderwright.engine.plugins import FoundPlugin
from renderwright.engine.scaffold import PluginKind, plugin
from renderwright.engine.skeleton import shipped_skeletons


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def _written(folder: Path) -> set[str]:
    return {file.relative_to(folder).as_posix() for file in folder.rglob("*") if file.is_file()}


def test_the_files_and_the_next_commands_are_printed(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["new", "plugin", "glow_2"]) == 0
    first, *lines = capsys.readouterr().out.splitlines()
    assert first == "./glow_2 has 6 files:"
    assert {line.strip() for line in lines[:6]} == _written(folder)
    assert "glow_2/glow_2_plugin/glsl/glow_2.frag" in _written(folder)
    assert lines[6:] == [
        "next:",
        "  pip install -e ./glow_2",
        "  renderwright play marbles --enable glow_2 --strict",
        "  python -m pytest ./glow_2",
    ]


def test_nothing_is_overwritten(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "glow").mkdir()
    (folder / "glow" / "README.md").write_text("mine")
    assert main(["new", "plugin", "glow"]) == 2
    assert '"glow" exists already, and nothing is overwritten' in capsys.readouterr().err
    assert _written(folder) == {"glow/README.md"}
    (folder / "catch").write_text("a file")
    assert main(["new", "game", "catch"]) == 2
    assert (folder / "catch").read_text() == "a file"


def test_a_folder_that_cannot_be_written_to_is_named(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "gone").mkdir()
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder / "gone")
        (folder / "gone").rmdir()
        assert main(["new", "plugin", "glow"]) == 2
    assert '"glow" cannot be written: No such file or directory' in capsys.readouterr().err


@pytest.mark.parametrize(
    ("name", "near"),
    [
        ("my-glow", "my_glow"),
        ("MyGlow", "my_glow"),
        ("2d glow", "d_glow"),
        ("glow__", "glow"),
        ("_glow", "glow"),
        ("glow.frag", "glow_frag"),
        ("../glow", "glow"),
        ("a" * 33, "a" * 32),
        ("class", ""),
        ("é", ""),
        ("", ""),
    ],
)
@pytest.mark.parametrize("kind", ["plugin", "game", "skeleton"])
def test_a_name_that_cannot_be_used_is_refused(
    folder: Path, capsys: pytest.CaptureFixture[str], kind: str, name: str, near: str
) -> None:
    assert main(["new", kind, name]) == 2
    told = capsys.readouterr().err
    assert f'"{name}" cannot be the name of a package' in told
    assert (f'did you mean "{near}"?' in told) if near else ("did you mean" not in told)
    assert _written(folder) == set()


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("plugin bloom", 'a plugin "bloom" is installed already, by renderwright 0.'),
        ("plugin numpy", 'the package "numpy" '),
        ("plugin renderwright", 'the package "renderwright" 0.'),
        ("game marbles", 'a game "marbles" is installed already'),
        ("game numpy", 'the package "numpy" '),
        ("skeleton forward", 'a skeleton "forward" comes with renderwright'),
    ],
)
def test_a_name_that_is_taken_is_refused(
    folder: Path, capsys: pytest.CaptureFixture[str], line: str, message: str
) -> None:
    assert main(["new", *line.split()]) == 2
    assert message in capsys.readouterr().err
    assert _written(folder) == set()


def test_the_package_that_has_the_name_is_named(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    found = (FoundPlugin("glow", lambda: None, "shiny-things", "2.1"),)
    monkeypatch.setattr(plugin, "find_plugins", lambda: found)
    assert main(["new", "plugin", "glow"]) == 2
    assert 'a plugin "glow" is installed already, by shiny-things 2.1' in capsys.readouterr().err


def test_a_module_of_that_name_is_not_hidden(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "modules").mkdir()
    (folder / "modules" / "glow_plugin.py").write_text("")
    monkeypatch.syspath_prepend(folder / "modules")
    assert main(["new", "plugin", "glow"]) == 2
    assert 'a module "glow_plugin" is installed already' in capsys.readouterr().err


def test_the_choices_of_the_command_line_are_all_there_are() -> None:
    assert set(new.KINDS) == set(PluginKind)
    assert set(new.SKELETONS) == set(shipped_skeletons())


def test_a_skeleton_is_derived_from_a_shipped_one_and_says_how_to_use_it(folder: Path) -> None:
    for like, file in shipped_skeletons().items():
        name = f"my_{like}"
        assert main(["new", "skeleton", name, "--like", like]) == 0
        text = (folder / name / f"{name}.yaml").read_text()
        assert f'skeleton = "{name}.yaml"' in text
        shipped = file.read_text()
        shipped = shipped[shipped.index("version: ") :].strip()
        assert text.strip().endswith(shipped.replace(f"name: {like}", f"name: {name}", 1))
