"""``renderwright verify``: exit codes and what is printed; ``play --record`` and ``--verify``."""

from __future__ import annotations

from pathlib import Path

import pytest

from renderwright.engine.cli import main
from renderwright.render.sync import oracle

HEADER = '{"renderwright-stream": 1, "queues": [{"name": "graphics", "family": 0}]}'
BUFFER = '{"op": "buffer", "id": "sums", "size": 64}'
BEGIN = '{"op": "begin", "in": "frame"}'
SUBMIT = '{"op": "submit", "queue": "graphics", "buffers": ["frame"]}'
BARRIER = (
    '{"op": "barrier", "in": "frame", "dependencies": [{"src": "COMPUTE_SHADER", "src_access": "SHADER_STORAGE_WRITE", '
    '"dst": "COMPUTE_SHADER", "dst_access": "SHADER_STORAGE_READ"}]}'
)


def work(access: str) -> str:
    use = f'{{"resource": "sums", "stages": "COMPUTE_SHADER", "access": "SHADER_STORAGE_{access}"}}'
    return f'{{"op": "work", "in": "frame", "name": "dispatch", "accesses": [{use}]}}'


def stream(tmp_path: Path, *lines: str) -> str:
    path = tmp_path / "frame.jsonl"
    path.write_text("\n".join(lines))
    return str(path)


def test_a_clean_stream(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = HEADER, BUFFER, BEGIN, work("WRITE"), BARRIER, work("READ"), SUBMIT
    assert main(["verify", stream(tmp_path, *lines)]) == 0
    assert capsys.readouterr().out == "clean: 1 submissions, 5 commands, 2 accesses\n"


def test_findings(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = HEADER, BUFFER, BEGIN, work("WRITE"), work("READ"), work("WRITE"), SUBMIT
    assert main(["verify", stream(tmp_path, *lines)]) == 1
    text = capsys.readouterr().out
    assert 'read after write of "sums": nothing makes SHADER_STORAGE_READ in COMPUTE_SHADER wait for' in text
    assert "(line 5)" in text
    assert "  after  #" in text
    assert "  enough a barrier COMPUTE_SHADER (SHADER_STORAGE_WRITE) -> COMPUTE_SHADER (SHADER_STORAGE_READ)" in text
    assert main(["verify", stream(tmp_path, *lines), "--limit", "1"]) == 1
    assert "more; --limit shows them" in capsys.readouterr().out


def test_a_malformed_stream(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = stream(tmp_path, HEADER, '{"op": "begun"}')
    assert main(["verify", path]) == 2
    error = capsys.readouterr().err
    assert f'{path}:2: the line: unknown op "begun"' in error
    assert 'did you mean "begin"?' in error
    assert main(["verify", str(tmp_path / "nowhere")]) == 2


def test_uses_of_destroyed_objects_are_findings(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    destroy = '{"op": "destroy", "id": "sums"}'
    path = stream(tmp_path, HEADER, BUFFER, BEGIN, work("WRITE"), destroy, SUBMIT)
    assert main(["verify", path]) == 1
    text = capsys.readouterr().out
    assert 'used after destruction of "sums": command buffer "frame", which uses it in line 4, is submitted' in text
    assert "destroy (line 5)" in text


def test_a_crash_has_an_exit_code_of_its_own(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(_: object) -> None:
        raise KeyError("sums")

    monkeypatch.setattr(oracle, "check", broken)
    path = stream(tmp_path, HEADER)
    assert main(["verify", path]) == 70
    error = capsys.readouterr().err
    assert "KeyError" in error
    assert f"the check of {path} failed: this is a fault of renderwright" in error


@pytest.mark.parametrize("backend", ["null", "opengl"])
def test_only_vulkan_commands_are_recorded(backend: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["play", "marbles", "--backend", backend, "--record", str(tmp_path / "frame.jsonl")]) == 2
    told = capsys.readouterr()
    assert "--record writes Vulkan commands" in told.err
    assert f"leave out --backend {backend}" in told.err
    assert told.out == "", "nothing has begun"
    assert list(tmp_path.iterdir()) == []


def test_plans_are_verified_before_they_run(tmp_path: Path) -> None:
    picture = str(tmp_path / "picture.png")
    line = f"play marbles --backend null --frames 1 --size 64x36 --verify --screenshot {picture}"
    assert main(line.split()) == 0


@pytest.mark.vulkan
def test_what_a_game_records_is_clean(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "frames" / "marbles.jsonl"
    picture = tmp_path / "picture.png"
    line = f"play marbles --headless --frames 3 --size 64x36 --record {path} --screenshot {picture}"
    assert main(line.split()) == 0
    capsys.readouterr()
    assert main(["verify", str(path)]) == 0
    assert capsys.readouterr().out.startswith("clean: ")
