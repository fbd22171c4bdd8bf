"""The files that a game keeps for its user: where they are, what is told, and what is left alone."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest

from renderwright.engine.user_files import MAX_BYTES, UserFiles, folder_name, user_files_folder
from renderwright.render.errors import AssetError, SourceLocation, UsageError


def same(text: str, file: str) -> str:
    return text


def refused(text: str, file: str) -> str:
    raise AssetError("a word is missing", hint="-", where=SourceLocation(file, 3, 5))


def test_what_is_saved_is_there_in_the_next_run(tmp_path: Path) -> None:
    assert UserFiles(tmp_path / "new" / "marbles").save("best_times.yaml", "fast: ü\n")
    assert UserFiles(tmp_path / "new" / "marbles").load("best_times.yaml", same) == "fast: ü\n"
    assert [file.name for file in (tmp_path / "new" / "marbles").iterdir()] == ["best_times.yaml"]


def test_without_a_folder_nothing_is_kept() -> None:
    files = UserFiles()
    assert not files.save("best_times.yaml", "1")
    assert files.load("best_times.yaml", same) is None


def test_a_missing_file_is_no_mistake(tmp_path: Path) -> None:
    assert UserFiles(tmp_path, strict=True).load("best_times.yaml", same) is None


def test_a_damaged_file_is_told_once_and_left_alone(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    file = tmp_path / "best_times.yaml"
    file.write_bytes(b"\xff broken")
    files = UserFiles(tmp_path)
    with caplog.at_level(logging.WARNING):
        assert files.load("best_times.yaml", same) is None
        assert files.load("best_times.yaml", same) is None
        assert not files.save("best_times.yaml", "new")
    assert file.read_bytes() == b"\xff broken"
    (record,) = caplog.records
    assert str(file) in record.message
    assert "remove it" in record.message


def test_what_the_parser_refuses_names_its_line(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "best_times.yaml").write_text("x")
    with caplog.at_level(logging.WARNING):
        assert UserFiles(tmp_path).load("best_times.yaml", refused) is None
    assert "best_times.yaml:3:5" in caplog.text
    assert "a word is missing" in caplog.text


def test_strict_makes_it_an_error(tmp_path: Path) -> None:
    (tmp_path / "best_times.yaml").write_text("x")
    with pytest.raises(UsageError, match="a word is missing"):
        UserFiles(tmp_path, strict=True).load("best_times.yaml", refused)


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "file").write_text("in the way")
    with caplog.at_level(logging.WARNING):
        assert not UserFiles(tmp_path / "file" / "marbles").save("best_times.yaml", "1")
    assert "cannot be written" in caplog.text
    assert "RENDERWRIGHT_DATA_DIR" in caplog.text


def test_what_could_not_be_read_again_is_not_written(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    assert not UserFiles(tmp_path).save("run.yaml", "x" * (MAX_BYTES + 1))
    assert "longer than 4 MiB" in caplog.text
    assert not any(tmp_path.iterdir())


@pytest.mark.parametrize("name", ["../x.yaml", "a/b.yaml", "noending", "", ".yaml", "a b.yaml"])
def test_a_name_is_a_name_and_no_path(tmp_path: Path, name: str) -> None:
    with pytest.raises(UsageError, match="cannot be named"):
        UserFiles(tmp_path).save(name, "1")


def test_the_folder_is_the_users_or_the_one_of_the_variable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RENDERWRIGHT_DATA_DIR", str(tmp_path))
    assert user_files_folder() == tmp_path
    monkeypatch.delenv("RENDERWRIGHT_DATA_DIR")
    assert user_files_folder().name == "renderwright"


def test_games_have_folders_of_their_own() -> None:
    assert folder_name("marbles") == "marbles"
    names = {folder_name(each) for each in ("/a/pong.py", "/b/pong.py", "pong.py", "pong:Game", "pong_Game")}
    assert len(names) == 5
    assert all("/" not in name and ":" not in name for name in names)
