"""Fixtures that several folders of tests share."""

from __future__ import annotations

import gc
import os
import shutil
import subprocess
import sys
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import hypothesis
import pytest
from patience import PATIENCE
from wheels import build_wheel, made_once

if TYPE_CHECKING:
    from kept_pipelines import SharedDevice

    from renderwright.render.backend.vulkan.backend import VulkanBackend

SCREEN = "640x480x24"

# The rasteriser's threads of lavapipe 22.3 may still write to memory that a barrier has handed over: a picture in a
# hundred comes out otherwise on a loaded machine, also with a full barrier around each command.
os.environ.setdefault("LP_NUM_THREADS", "0")

# No test reads or writes the preferences of the user: in this folder no file can be.
os.environ["RENDERWRIGHT_CONFIG_DIR"] = os.devnull
os.environ["RENDERWRIGHT_DATA_DIR"] = os.devnull


# An example may take any time: on a loaded machine a moment without the processor is no failure.
hypothesis.settings.register_profile("without a deadline", deadline=None)
hypothesis.settings.load_profile("without a deadline")


LONGEST = ("test_wheel.py", "test_effects_in_views.py", "test_fuzz_slice.py", "test_poisoned_games.py", "test_sweep.py")
"""Files that one process has to run for a minute and more."""


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Keep what pytest makes of the test modules, also where PYTHONDONTWRITEBYTECODE is set.

    Each process of a run imports all of them: to rewrite the assertions takes it longer than all else of a collection.
    """
    before, sys.dont_write_bytecode = sys.dont_write_bytecode, False
    try:
        return (yield)
    finally:
        sys.dont_write_bytecode = before


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the longest files, so that no process runs one of them alone in the end."""
    places = {name: place for place, name in enumerate(LONGEST)}
    items.sort(key=lambda item: places.get(item.path.name, len(places)))


def pytest_collection_finish() -> None:
    """Collect garbage as rarely as a game does: thousands of tests and modules stay until the end."""
    from renderwright.engine.garbage import THRESHOLDS  # the measures of imports begin without the engine

    gc.collect()
    gc.freeze()
    gc.set_threshold(*THRESHOLDS)


MOST_LEFT = 800_000
"""Blocks of memory that files may leave before garbage is collected, which takes half a second late in a run."""


@pytest.fixture(scope="session")
def allocated() -> list[int]:
    """The blocks that were allocated when garbage was last collected. To count frozen objects takes far longer."""
    return [sys.getallocatedblocks()]


@pytest.fixture(autouse=True, scope="module")
def collect_what_games_left(allocated: list[int]) -> Iterator[None]:
    """Games freeze their objects when they have started, and those stay frozen in a run of tests."""
    yield
    if sys.getallocatedblocks() > allocated[0] + MOST_LEFT:
        gc.unfreeze()
        gc.collect()
        gc.freeze()
        allocated[0] = sys.getallocatedblocks()


@pytest.fixture(scope="session")
def shared_device() -> Iterator[SharedDevice]:
    """The device of all files that a process runs."""
    from kept_pipelines import SharedDevice  # not every test needs a driver

    device = SharedDevice()
    yield device
    device.take_back(keep=False)


@pytest.fixture(scope="module")
def backend(shared_device: SharedDevice) -> Iterator[VulkanBackend]:
    """A device for a file's tests, which the validation layer may not object to once.

    Files share it, and the pipelines that it has compiled, as long as each leaves nothing behind.
    """
    backend = shared_device.lend()
    yield backend
    shared_device.take_back(keep=True)
    assert [message.text for message in backend.validation_messages] == []


@pytest.fixture(scope="session")
def display() -> Iterator[str]:
    """An X server of its own, as ``:N``."""
    if shutil.which("Xvfb") is None:
        pytest.fail("Xvfb is missing; install it (on Debian or Ubuntu: sudo apt install xvfb)")
    reading, writing = os.pipe()
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(writing), "-screen", "0", SCREEN, "-nolisten", "tcp"],
        pass_fds=[writing],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    os.close(writing)
    with os.fdopen(reading) as numbers:
        number = numbers.readline().strip()  # written when the server is ready, or end of file when it died
    if not number:
        server.wait()
        pytest.fail(f"Xvfb ended at once with status {server.returncode}")
    yield f":{number}"
    server.terminate()
    server.wait(timeout=PATIENCE)


@pytest.fixture(scope="session")
def wheel(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of the project; the files that it was built from are in ``source`` beside it.

    It is built once for a run, and its folder is that of every process: nothing may be written there.
    """
    folder = tmp_path_factory.getbasetemp()
    distributed = hasattr(request.config, "workerinput")
    made = made_once((folder.parent if distributed else folder) / "wheel", build_wheel)
    (wheel,) = made.glob("*.whl")
    return wheel
