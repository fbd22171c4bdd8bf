"""A scheduler and a worker that their own commands have started, with TLS."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import dask
import pytest
from distributed import Security
from farm_works import Counted, processes
from patience import PATIENCE

from renderwright.engine.farm import Farm, dask_crew
from renderwright.render.errors import BackendError, UsageError


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def wait_for(port: int) -> None:
    end = time.monotonic() + PATIENCE
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), 1.0).close()
            return
        except OSError:
            assert time.monotonic() < end, "the scheduler does not listen"
            time.sleep(0.2)


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with ``cert.pem`` and ``key.pem``."""
    folder = tmp_path_factory.mktemp("certificate")
    made = Security.temporary()
    (folder / "cert.pem").write_text(made.tls_ca_file)
    (folder / "key.pem").write_text(made.tls_client_key)
    return folder


@contextmanager
def started(folder: Path) -> Iterator[tuple[str, subprocess.Popen[bytes]]]:
    """The address of a scheduler with one worker, and its process. The ``folder`` has the certificate."""
    port = free_port()
    address = f"tls://127.0.0.1:{port}"
    files = ["--tls-ca-file", "cert.pem", "--tls-cert", "cert.pem", "--tls-key", "key.pem", "--no-dashboard"]
    own = ["--host", "127.0.0.1", "--port", str(port), "--protocol", "tls"]
    one = ["--nthreads", "1", "--memory-limit", "0", "--local-directory", "scratch"]
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parent)}
    running: list[subprocess.Popen[bytes]] = []
    try:
        for command in (["scheduler", *own], ["worker", address, *one]):
            arguments = [sys.executable, "-m", "dask", *command, *files]
            silent = subprocess.DEVNULL
            running.append(subprocess.Popen(arguments, cwd=folder, env=environment, stdout=silent, stderr=silent))
            wait_for(port)
        yield address, running[0]
    finally:
        for process in reversed(running):
            process.terminate()
            process.wait(timeout=PATIENCE)


@pytest.fixture(scope="module")
def scheduler(certificate: Path) -> Iterator[str]:
    with started(certificate) as (address, _):
        yield address


@contextmanager
def certified(certificate: Path) -> Iterator[None]:
    """Connections with the certificate."""
    files = {"ca-file": "cert.pem", "client.cert": "cert.pem", "client.key": "key.pem"}
    with dask.config.set({f"distributed.comm.tls.{key}": str(certificate / name) for key, name in files.items()}):
        yield


def test_whoever_has_the_certificate_has_the_workers(scheduler: str, certificate: Path, tmp_path: Path) -> None:
    with certified(certificate), Farm(scheduler=scheduler) as farm:
        done = sorted(piece.number for piece in farm.run(Counted(8, tmp_path), range(8)))
        assert done == list(range(8))
        assert os.getpid() not in processes(tmp_path, 0)
        again = sorted(piece.number for piece in farm.run(Counted(3), range(3)))
        assert again == [0, 1, 2]


@pytest.mark.parametrize("scheme", ["tls", "tcp"])
def test_without_the_certificate_nobody_has(scheduler: str, scheme: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dask_crew, "CONNECT_SECONDS", 2.0)
    with pytest.raises(UsageError, match="cannot be reached"):
        Farm(scheduler=scheduler.replace("tls", scheme))


def test_an_open_connection_to_another_machine_is_warned_of(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dask_crew, "CONNECT_SECONDS", 0.2)
    with pytest.raises(UsageError, match="cannot be reached"):
        Farm(scheduler="tcp://nowhere.invalid:8786")
    assert "the connection to tcp://nowhere.invalid:8786 is open" in caplog.text


def test_a_scheduler_that_dies_is_one_message(certificate: Path) -> None:
    with started(certificate) as (address, process), certified(certificate), Farm(scheduler=address) as farm:
        pieces = farm.run(Counted(1000, seconds=0.1), range(1000))
        next(pieces)
        process.kill()
        with pytest.raises(BackendError, match="the scheduler does not answer any more") as failure:
            list(pieces)
    assert "it goes on from what is whole" in failure.value.hint
