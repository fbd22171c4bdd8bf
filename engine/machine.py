"""The tools and Python packages that the engine uses, and their versions on this machine."""

from __future__ import annotations

import importlib.metadata
import re
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Tool:
    """A program that the engine or its tests call, with its purpose and its Debian package."""

    name: str
    purpose: str
    package: str
    version_arguments: tuple[str, ...] = ("--version",)


@dataclass(frozen=True)
class FoundTool:
    """A tool on this machine: its path and the first line of its version, both '' if it is missing."""

    tool: Tool
    path: str = ""
    version: str = ""


TOOLS = (
    Tool("glslc", "compiles shaders that do not come compiled", "glslc"),
    Tool("spirv-val", "checks compiled shaders in the tests", "spirv-tools"),
    Tool("spirv-cross", "translates compiled shaders to GLSL for OpenGL", "spirv-cross", ("--revision",)),
    Tool("Xvfb", "provides a display for the tests", "xvfb", ()),
)


def find_tool(tool: Tool) -> FoundTool:
    """Look a tool up on the PATH and query its version."""
    path = shutil.which(tool.name)
    if path is None:
        return FoundTool(tool)
    return FoundTool(tool, path, _version(path, tool.version_arguments) if tool.version_arguments else "")


def _version(path: str, arguments: Sequence[str]) -> str:
    try:
        done = subprocess.run([path, *arguments], capture_output=True, text=True, timeout=10, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    lines = [line.strip() for line in (done.stdout + done.stderr).splitlines() if line.strip()]
    return lines[0] if lines else ""


def package_versions(distribution: str = "renderwright") -> tuple[tuple[str, str], ...]:
    """The distribution and its requirements without extras, with installed versions ('' if missing)."""
    try:
        requirements = importlib.metadata.requires(distribution) or []
    except importlib.metadata.PackageNotFoundError:
        requirements = []
    names = [re.split(r"[^A-Za-z0-9._-]", text, maxsplit=1)[0] for text in requirements if "extra ==" not in text]
    return tuple((name, _installed_version(name)) for name in (distribution, *names))


def _installed_version(name: str) -> str:
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return ""
