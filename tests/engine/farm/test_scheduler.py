"""A scheduler and a worker that their own commands have started, with TLS."""

from __future__ import annotations

import logging
import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import dask
import pytest
from distributed import Client, Security, default_client
from distributed.comm import CommClosedError
from farm_works import Counted, processes
from patience import PATIENCE
from tornado.tcpclient import TCPClient

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


@pytest.fixture
def said(caplog: pytest.LogCaptureFixture) -> Iterator[pytest.LogCaptureFixture]:
    """What ``distributed`` logs: its loggers hand nothing on to others."""
    loggers = [logging.getLogger(name) for name in ("distributed", "distributed.client", "tornado.application")]
    for logger in loggers:
        logger.addHandler(caplog.handler)
    yield caplog
    for logger in loggers:
        logger.removeHandler(caplog.handler)


def test_a_scheduler_that_dies_is_one_message(certificate: Path, said: pytest.LogCaptureFixture) -> None:
    with started(certificate) as (address, process), certified(certificate), Farm(scheduler=address) as farm:
        pieces = farm.run(Counted(1000, seconds=0.1), range(1000))
        next(pieces)
        process.kill()
        with pytest.raises(BackendError, match="the scheduler does not answer any more") as failure:
            list(pieces)
    assert "it goes on from what is whole" in failure.value.hint
    assert not said.text


def loops() -> set[threading.Thread]:
    """The threads of clients that are not closed."""
    return {thread for thread in threading.enumerate() if thread.name == "IO loop"}


async def not_idle(*arguments: object, **options: object) -> None:
    """What tornado does where a connection ends before its TLS begins."""
    raise ValueError("IOStream is not idle; cannot convert to SSL")


def test_a_connection_that_ends_before_its_tls_is_the_same_message(
    certificate: Path, said: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = loops()
    with started(certificate) as (address, process), certified(certificate), Farm(scheduler=address) as farm:
        pieces = farm.run(Counted(1000, seconds=0.1), range(1000))
        next(pieces)
        monkeypatch.setattr(TCPClient, "connect", not_idle)
        process.kill()
        with pytest.raises(BackendError, match="the scheduler does not answer any more") as failure:
            list(pieces)
    assert "IOStream" not in failure.value.message
    assert "it goes on from what is whole" in failure.value.hint
    assert not said.text
    assert loops() <= before


def test_a_client_that_has_closed_itself_is_the_same_message(scheduler: str, certificate: Path) -> None:
    with certified(certificate), Farm(scheduler=scheduler) as farm:
        pieces = farm.run(Counted(1000, seconds=0.1), range(1000))
        next(pieces)
        default_client().close()
        with pytest.raises(BackendError, match="the scheduler does not answer any more: the connection has ended"):
            list(pieces)


def test_a_scheduler_that_dies_before_its_workers_are_known_cannot_be_reached(
    scheduler: str, certificate: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def closed(*arguments: object, **options: object) -> None:
        raise CommClosedError("Stream is closed")

    monkeypatch.setattr(Client, "wait_for_workers", closed)
    with certified(certificate), pytest.raises(UsageError, match="cannot be reached: Stream is closed"):
        Farm(scheduler=scheduler)


@dataclass(frozen=True)
class Unsendable(Counted):
    def __reduce__(self) -> tuple[Any, ...]:
        raise TypeError("a lock cannot be sent")


def test_a_work_that_cannot_be_sent_is_no_scheduler_that_dies(scheduler: str, certificate: Path) -> None:
    with certified(certificate), Farm(scheduler=scheduler) as farm:
        with pytest.raises(TypeError, match="serialize"):
            list(farm.run(Unsendable(1), range(1)))
        assert [piece.number for piece in farm.run(Counted(1), range(1))] == [0]
