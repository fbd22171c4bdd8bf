"""What this machine has of the things that the engine works with: Vulkan, tools, Python packages."""

from __future__ import annotations

import importlib.metadata
import re
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Tool:
    """A program that the engine or its tests call: why it is needed, and the Debian package that has it."""

    name: str
    purpose: str
    package: str
    version_arguments: tuple[str, ...] = ("--version",)


@dataclass(frozen=True)
class FoundTool:
    """A tool on this machine: its path and the first line of its version, both '' where there is none."""

    tool: Tool
    path: str = ""
    version: str = ""


TOOLS = (
    Tool("glslc", "compiles shaders", "glslc"),
    Tool("spirv-val", "checks compiled shaders in the tests", "spirv-tools"),
    Tool("spirv-cross", "turns compiled shaders into GLSL for OpenGL", "spirv-cross", ("--revision",)),
    Tool("Xvfb", "gives the tests a display", "xvfb", ()),
)


def find_tool(tool: Tool) -> FoundTool:
    """Look a tool up on the path and ask for its version."""
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
    """The distribution and what it needs, with installed versions ('' where missing); extras are left out."""
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
