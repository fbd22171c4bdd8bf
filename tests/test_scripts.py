"""The set-up scripts, in front of package systems that only note how they are called."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parents[1]
INSTALLER = REPOSITORY / "scripts" / "install-system-packages"
NEEDED = ("sh", "env", "cat", "true", "sed", "awk", "grep", "wc")


class Machine:
    """A search path with basic tools, and programs that are made up."""

    def __init__(self, folder: Path) -> None:
        self.bin = folder / "bin"
        self.installer = INSTALLER
        self.log = folder / "log"
        self.bin.mkdir()
        self.log.touch()
        for name in NEEDED:
            found = shutil.which(name)
            assert found
            (self.bin / name).symlink_to(found)

    def program(self, name: str, body: str) -> None:
        file = self.bin / name
        file.write_text(f"#!/bin/sh\n{body}\n")
        file.chmod(0o755)

    def install(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        own = {name: value for name, value in os.environ.items() if not name.startswith(("VK_", "VULKAN_"))}
        environment = {**own, "PATH": str(self.bin), "LOG": str(self.log)}
        return subprocess.run(
            [str(self.installer), *arguments], env=environment, capture_output=True, text=True, check=False
        )

    @property
    def calls(self) -> list[str]:
        return self.log.read_text().splitlines()


@pytest.fixture
def debian(tmp_path: Path) -> Machine:
    """A Debian machine that has everything but ``spirv-cross``, with an administrator's rights."""
    machine = Machine(tmp_path)
    machine.program("dpkg-query", 'for last; do :; done\n[ "$last" != spirv-cross ] && echo installed')
    machine.program("id", "echo 0")
    machine.program("apt-get", 'echo "apt-get $*" >>"$LOG"')
    machine.program("apt-cache", "echo '  Candidate: 1.0'")
    return machine


def test_nothing_happens_when_nothing_is_missing(debian: Machine) -> None:
    debian.program("dpkg-query", "echo installed")
    done = debian.install("--tests")
    assert (done.returncode, done.stdout, done.stderr, debian.calls) == (0, "", "", [])


def test_a_tool_from_elsewhere_counts(debian: Machine) -> None:
    debian.program("spirv-cross", "")
    assert (debian.install().returncode, debian.calls) == (0, [])


def test_only_what_is_missing_is_installed(debian: Machine) -> None:
    assert debian.install().returncode == 0
    assert debian.calls == ["apt-get install --yes --no-install-recommends spirv-cross"]


def test_the_lists_are_fetched_only_when_they_do_not_know_a_package(debian: Machine) -> None:
    debian.program("apt-cache", "echo '  Candidate: (none)'")
    assert debian.install().returncode == 0
    assert debian.calls == ["apt-get update", "apt-get install --yes --no-install-recommends spirv-cross"]


def test_without_rights_the_exact_command_is_printed(debian: Machine) -> None:
    debian.program("id", "echo 1000")
    debian.program("sudo", "exit 1")
    done = debian.install()
    assert (done.returncode, debian.calls) == (1, [])
    command = "sudo apt-get update && sudo apt-get install --yes --no-install-recommends spirv-cross"
    assert command in done.stderr


def test_sudo_that_asks_nothing_is_used(debian: Machine) -> None:
    debian.program("id", "echo 1000")
    debian.program("sudo", '[ "$1" = -n ] || exit 1\nshift\necho "sudo $1" >>"$LOG"\nexec "$@"')
    assert debian.install().returncode == 0
    assert debian.calls[-2:] == ["sudo env", "apt-get install --yes --no-install-recommends spirv-cross"]


def test_a_failing_installation_ends_in_clear_words(debian: Machine) -> None:
    debian.program("apt-get", 'echo "E: no network" >&2; exit 100')
    done = debian.install()
    assert done.returncode == 1
    assert "error: apt-get could not install: spirv-cross" in done.stderr


def without_vulkan(machine: Machine) -> None:
    """Have the script look for Vulkan in folders that are not there, and the package system know none."""
    machine.program("dpkg-query", "for last; do :; done\ncase $last in *vulkan*) ;; *) echo installed ;; esac")
    text = INSTALLER.read_text()
    for folder in ("/usr/share/vulkan", "/usr/local/share/vulkan", "/etc/vulkan", "/usr/local/etc/vulkan"):
        assert folder in text
    machine.installer = machine.bin / "install"
    hidden = re.sub(r"(?<![\w.])/(usr|etc|sbin)/", "/nonexistent/", text)
    machine.installer.write_text(hidden)
    machine.installer.chmod(0o755)


def test_opengl_is_enough_to_play_where_nothing_can_be_installed(debian: Machine) -> None:
    without_vulkan(debian)
    debian.program("id", "echo 1000")
    debian.program("sudo", "exit 1")
    done = debian.install()
    assert done.returncode == 0
    assert "Going on without them: games play on OpenGL. For Vulkan, run" in done.stderr
    assert "sudo apt-get install --yes --no-install-recommends libvulkan1 mesa-vulkan-drivers" in done.stderr
    assert debian.install("--tests").returncode == 1
    assert debian.install("--check").returncode == 1
    debian.program("dpkg-query", "exit 1")
    assert debian.install().returncode == 1, "other packages are missing, too"
    assert debian.calls == []


def test_opengl_is_enough_to_play_where_the_installation_fails(debian: Machine) -> None:
    without_vulkan(debian)
    debian.program("apt-get", 'echo "E: no network" >&2; exit 100')
    done = debian.install()
    assert done.returncode == 0
    assert done.stderr.splitlines()[-1] == "Going on without them: games play on OpenGL."


def test_another_distribution_is_told_what_is_needed(tmp_path: Path) -> None:
    done = Machine(tmp_path).install("--tests")
    assert done.returncode == 1
    assert "glslc" in done.stderr.splitlines()[0]
    assert "no apt-get" in done.stderr


def test_check_installs_nothing(debian: Machine) -> None:
    done = debian.install("--check")
    assert (done.returncode, done.stderr, debian.calls) == (1, "Missing system packages: spirv-cross\n", [])


def test_an_unknown_option_shows_the_usage(debian: Machine) -> None:
    done = debian.install("--everything")
    assert done.returncode == 2
    assert "usage: scripts/install-system-packages" in done.stderr


@pytest.mark.parametrize("script", ["scripts/setup", "scripts/install-system-packages", ".ci/run"])
def test_scripts_are_valid_and_executable(script: str) -> None:
    file = REPOSITORY / script
    assert os.access(file, os.X_OK)
    subprocess.run(["sh", "-n", str(file)], check=True)


def test_setting_up_twice_does_nothing_the_second_time(tmp_path: Path) -> None:
    (tmp_path / "scripts").mkdir()
    shutil.copy(REPOSITORY / "scripts" / "setup", tmp_path / "scripts" / "setup")
    (tmp_path / "pyproject.toml").write_text("[project]\n")
    (tmp_path / "setup.py").write_text("")
    python = tmp_path / ".venv" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.write_text(f'#!/bin/sh\necho "$*" >>"{tmp_path}/log"\n')
    python.chmod(0o755)

    def set_up(*arguments: str) -> list[str]:
        (tmp_path / "log").write_text("")
        subprocess.run([str(tmp_path / "scripts" / "setup"), *arguments], check=True, capture_output=True)
        return [line for line in (tmp_path / "log").read_text().splitlines() if line.startswith(("-m pip i", "-m c"))]

    compiled = "-m compileall -q engine games plugins render"
    for_play = "-m pip install --disable-pip-version-check --editable .[gltf,panel,reload]"
    assert set_up("--play") == [for_play, compiled]
    assert set_up("--play") == []
    assert set_up() == [
        "-m pip install --disable-pip-version-check --editable .[dev]",
        compiled,
    ]
    assert set_up() == []
    assert set_up("--play") == [], "all of it is there"
    for file in ("pyproject.toml", "setup.py"):
        (tmp_path / file).write_text("name = 'x'\n")
        assert (len(set_up()), set_up()) == (2, [])


def test_playing_installs_no_tools_and_testing_all_of_them() -> None:
    makefile = (REPOSITORY / "Makefile").read_text()
    rules = dict(re.findall(r"^(\w+):[^\n]*\n((?:\t[^\n]*\n)+)", makefile, re.MULTILINE))
    assert "\t@scripts/setup --play\n" in rules["play"]
    assert all("\t@scripts/setup\n" in rules[name] for name in ("setup", "test"))
    extras = tomllib.loads((REPOSITORY / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    script = (REPOSITORY / "scripts" / "setup").read_text()
    (chosen,) = re.findall(r"--play\) extras=(\S+) ;;", script)
    assert set(chosen.split(",")) <= extras.keys() - {"dev"}
    assert set(chosen.split(",")) <= set(re.findall(r"\w+", extras["dev"][0]))


def test_an_unknown_option_of_the_set_up_shows_the_usage(tmp_path: Path) -> None:
    done = Checkout(tmp_path)
    ran = done.set_up("--everything")
    assert ran.returncode == 2
    assert "usage: scripts/setup [--play]" in ran.stderr


class Checkout:
    """A checkout of nothing but the set-up script, on a machine with Pythons that are made up."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "checkout"
        self.log = folder / "log"
        self.folders: list[str] = []
        (self.root / "scripts").mkdir(parents=True)
        shutil.copy(REPOSITORY / "scripts" / "setup", self.root / "scripts" / "setup")
        (self.root / "pyproject.toml").write_text("[project]\n")
        (self.root / "setup.py").write_text("")
        tools = Machine(folder)
        for name in ("dirname", "cksum", "mkdir", "cp"):
            tools.program(name, f'exec {shutil.which(name)} "$@"')
        self._tools = str(tools.bin)

    def python(self, name: str, *, suitable: bool = True, optimised: bool = False) -> str:
        """A Python in a folder of its own, behind those before it on the search path."""
        folder = self.root.parent / name
        folder.mkdir()
        file = folder / "python3"
        file.write_text(
            f"""#!/bin/sh
case "$*" in
    *ensurepip*) exit {int(not suitable)} ;;
    *sysconfig*) exit {int(not optimised)} ;;
    --version) echo "Python 3 of {name}" ;;
    *venv*) mkdir -p .venv/bin && cp "$0" .venv/bin/python ;;
esac
"""
        )
        file.chmod(0o755)
        self.folders.append(str(folder))
        return str(file)

    def set_up(self, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
        path = ":".join([*self.folders, self._tools])
        script = str(self.root / "scripts" / "setup")
        return subprocess.run(
            [script, *arguments], env={"PATH": path, **environment}, capture_output=True, text=True, check=False
        )


@pytest.fixture
def checkout(tmp_path: Path) -> Checkout:
    return Checkout(tmp_path)


def test_the_first_optimised_python_is_taken(checkout: Checkout) -> None:
    checkout.python("broken", suitable=False, optimised=True)
    checkout.python("plain")
    checkout.python("fast", optimised=True)
    checkout.python("other", optimised=True)
    done = checkout.set_up()
    assert done.returncode == 0, done.stderr
    assert "Making .venv with Python 3 of fast" in done.stderr


def test_without_an_optimised_one_the_first_python_is_taken(checkout: Checkout) -> None:
    checkout.python("plain")
    checkout.python("other")
    assert "Making .venv with Python 3 of plain" in checkout.set_up().stderr


def test_a_python_that_is_named_is_taken(checkout: Checkout) -> None:
    plain = checkout.python("plain")
    checkout.python("fast", optimised=True)
    assert "Making .venv with Python 3 of plain" in checkout.set_up(RENDERWRIGHT_PYTHON=plain).stderr


def test_a_named_python_that_cannot_do_is_an_error(checkout: Checkout) -> None:
    checkout.python("fast", optimised=True)
    old = checkout.python("old", suitable=False)
    done = checkout.set_up(RENDERWRIGHT_PYTHON=old)
    assert done.returncode == 1
    assert f"RENDERWRIGHT_PYTHON={old} is no Python 3.11 or newer" in done.stderr
    assert "python3-venv" in done.stderr
