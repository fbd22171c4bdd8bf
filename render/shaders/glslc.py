"""The processes of the shader toolchain: ``glslc`` compiles, ``spirv-val`` checks."""

from __future__ import annotations

import logging
import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

from renderwright.render.errors import ShaderError

# -O drops names unless -g keeps them, and reflection needs them. -g also lets GPU debuggers show the source.
OPTIONS = ("-O", "-g", "--target-env=vulkan1.3")
FAILED = "the compiler glslc failed"
"""The first words of the output of a compiler that ended otherwise than by rejecting a shader."""

_SECONDS_PER_BATCH = 60.0
_SECONDS_PER_SHADER = 10.0
_log = logging.getLogger("renderwright.shaders")


def find_glslc() -> Path | None:
    """The compiler on the PATH, or None."""
    found = shutil.which("glslc")
    return Path(found) if found else None


def glslc_version(glslc: Path) -> str:
    """The output of ``glslc --version``, queried once per binary and process."""
    return _version_of(str(glslc), glslc.stat().st_mtime_ns)


@lru_cache(maxsize=8)
def _version_of(path: str, _modified: int) -> str:
    finished = _run([path, "--version"], cwd=None, timeout=_SECONDS_PER_SHADER)
    if finished.returncode != 0:
        raise ShaderError(f"{path} --version fails: {finished.stderr.strip()}", hint="reinstall glslc")
    return finished.stdout.strip()


def compile_files(glslc: Path, files: Mapping[str, str]) -> dict[str, bytes | str]:
    """SPIR-V of each GLSL text by file name (whose suffix is the stage), or the compiler's output if it is rejected.

    One process compiles all files. A rejected file is compiled again alone, so that its messages are its own.
    """
    with tempfile.TemporaryDirectory(prefix="renderwright-") as folder_name:
        folder = Path(folder_name)
        for name, text in files.items():
            (folder / name).write_text(text, encoding="utf-8")
        printed = _compile(glslc, folder, list(files))
        results: dict[str, bytes | str] = {}
        for name in files:
            output = _take_output(folder, name)
            if output is None:
                alone = printed if len(files) == 1 else _compile(glslc, folder, [name])
                output = _take_output(folder, name)
                results[name] = alone if output is None else output
            else:
                results[name] = output
        return results


def preprocessed(text: str) -> str:
    """A fragment shader's text with its macros expanded, and without comments and code that is not compiled.

    Its ``#line`` directives stay. '' if ``glslc`` is not installed or rejects the text.
    """
    glslc = find_glslc()
    if glslc is None:
        return ""
    with tempfile.TemporaryDirectory(prefix="renderwright-") as folder:
        path = Path(folder) / "text.frag"
        path.write_text(text, encoding="utf-8")
        finished = _run([str(glslc), "-E", path.name], cwd=Path(folder), timeout=_SECONDS_PER_SHADER)
    return finished.stdout if finished.returncode == 0 else ""


def validate(spirv: bytes) -> str:
    """The output of ``spirv-val`` for invalid code; '' if the code is valid.

    Also '' if the tool is not installed or ``RENDERWRIGHT_SPIRV_VAL=0``.
    """
    tool = shutil.which("spirv-val")
    if tool is None or os.environ.get("RENDERWRIGHT_SPIRV_VAL") == "0":
        return ""
    with tempfile.TemporaryDirectory(prefix="renderwright-") as folder:
        path = Path(folder) / "code.spv"
        path.write_bytes(spirv)
        finished = _run([tool, "--target-env", "vulkan1.3", str(path)], cwd=None, timeout=_SECONDS_PER_SHADER)
    return "" if finished.returncode == 0 else (finished.stderr or finished.stdout).strip() or "no reason given"


def _compile(glslc: Path, folder: Path, names: list[str]) -> str:
    """Compile files of the folder, each to ``NAME.spv`` beside it; returns the output."""
    timeout = _SECONDS_PER_BATCH + _SECONDS_PER_SHADER * len(names)
    finished = _run([str(glslc), "-c", *OPTIONS, *names], cwd=folder, timeout=timeout)
    if finished.returncode not in (0, 1):
        # It crashed: its output files may be truncated.
        for name in names:
            (folder / f"{name}.spv").unlink(missing_ok=True)
        return f"{FAILED}: it ended with {_ending(finished.returncode)}\n{finished.stderr}"
    for line in finished.stderr.splitlines():
        if ": warning: " in line:
            _log.warning("%s", line)
    return finished.stderr


def _ending(code: int) -> str:
    """The signal that ended a process, or its exit code in words. Shells give 128 and the number of the signal."""
    number = -code if code < 0 else code - 128
    try:
        return f"{signal.Signals(number).name} ({signal.strsignal(number)})"
    except ValueError:
        return f"exit code {code}"


def _take_output(folder: Path, name: str) -> bytes | None:
    try:
        return (folder / f"{name}.spv").read_bytes()
    except FileNotFoundError:
        return None


def _run(command: list[str], cwd: Path | None, timeout: float) -> subprocess.CompletedProcess[str]:
    try:
        return subprocess.run(
            command, cwd=cwd, timeout=timeout, capture_output=True, text=True, errors="replace", check=False
        )
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(command, 124, "", f"{Path(command[0]).name} took over {timeout:.0f} s")
    except OSError as error:
        raise ShaderError(
            f"cannot run {command[0]}: {error.strerror or error}",
            hint="check the installation of glslc and spirv-tools",
        ) from error
