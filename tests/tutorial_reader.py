"""Follows a tutorial as its reader does: saves its files, types its commands, looks for what it says. Tests import it.

A fenced block with a title is a file, or members of the class in a file. One of ``sh`` has commands, and one of
``text`` right behind it has lines that these print. Commands may only warn where the page says what they print.
"""

from __future__ import annotations

import ast
import importlib
import os
import re
import shlex
import subprocess
import sys
import tomllib
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

import pytest

from renderwright.engine.cli import main

PAGES = Path(__file__).parents[1] / "docs" / "tutorials"
IN_THE_CLASS = ", in the class"
"""Ends the title of a block that has members of the only class in a file."""
SHORT = ("--headless", "--frames", "3", "--size", "96x54")
"""What is played where a reader has a window."""

_BLOCK = re.compile(r'^```(?P<language>\w+)(?: title="(?P<title>[^"]+)")?\n(?P<text>.*?)^```', re.MULTILINE | re.DOTALL)
_SIZE = re.compile(r"(\d+)x(\d+)")


@dataclass(frozen=True)
class Block:
    """A fenced block of a page."""

    language: str
    title: str
    text: str


def blocks(page: str) -> list[Block]:
    """The blocks of a page, in their order."""
    text = (PAGES / page).read_text(encoding="utf-8")
    return [Block(found["language"], found["title"] or "", found["text"]) for found in _BLOCK.finditer(text)]


def with_members(source: str, members: str) -> str:
    """``source`` with the members of the class of ``members``, each in the place of its namesake or behind all others.

    New attributes come before the first method.
    """
    for part in _only_class(members).body:
        lines = members.splitlines()[part.lineno - 1 : part.end_lineno]
        owner = _only_class(source)
        same = [member for member in owner.body if _name(member) == _name(part)]
        methods = [member for member in owner.body if isinstance(member, ast.FunctionDef)]
        text = source.splitlines()
        if same:
            text[same[0].lineno - 1 : same[0].end_lineno] = lines
        elif isinstance(part, ast.FunctionDef):
            text[owner.end_lineno :] = ["", *lines, *text[owner.end_lineno :]]
        else:
            text[methods[0].lineno - 2 : methods[0].lineno - 2] = lines
        source = "\n".join(text) + "\n"
    return source


def _only_class(text: str) -> ast.ClassDef:
    (owner,) = (node for node in ast.parse(text).body if isinstance(node, ast.ClassDef))
    return owner


def _name(member: ast.stmt) -> str:
    if isinstance(member, ast.FunctionDef):
        return member.name
    if isinstance(member, ast.AnnAssign):
        return ast.unparse(member.target)
    return ast.unparse(member.targets[0]) if isinstance(member, ast.Assign) else ast.unparse(member)


@dataclass
class Reader:
    """Somebody with an empty ``folder``. Packages that are installed are found by this process until the test ends."""

    folder: Path
    patch: pytest.MonkeyPatch
    capture: pytest.CaptureFixture[str]
    log: pytest.LogCaptureFixture
    installed: list[str] = field(default_factory=list)
    smaller: int = 1
    fewer: int = 1

    def __post_init__(self) -> None:
        self.patch.chdir(self.folder)
        self.patch.setenv("RENDERWRIGHT_CONFIG_DIR", str(self.folder / "config"))

    def follow(self, page: str, *, smaller: int = 1, fewer: int = 1) -> None:
        """Do all that a page says; pictures are that much smaller in each direction, after that much fewer frames."""
        self.smaller, self.fewer = smaller, fewer
        said = ""
        page_blocks = blocks(page)
        for block, following in zip(page_blocks, [*page_blocks[1:], Block("", "", "")], strict=True):
            if block.title.endswith(IN_THE_CLASS):
                path = self.folder / block.title.removesuffix(IN_THE_CLASS)
                path.write_text(with_members(path.read_text(), block.text))
            elif block.title:
                path = self.folder / block.title
                assert path.parent.is_dir(), f"{page}: nobody has made the folder of {block.title}"
                path.write_text(block.text)
            elif block.language == "sh":
                self.log.clear()
                said = "".join(self.types(line) for line in block.text.splitlines())
                said += "\n".join(self.log.messages)
                assert following.language == "text" or not self.log.messages, self.log.messages
            elif block.language == "text":
                _has_lines(said, block.text, page)

    def types(self, line: str) -> str:
        """What a command prints, which has to end well."""
        program, *words = shlex.split(line, comments=True)
        if program == "renderwright":
            return self._renderwright(words)
        if (program, *words[:2]) == ("pip", "install", "-e"):
            self._install(self.folder / words[2])
            return ""
        assert (program, *words[:2]) == ("python", "-m", "pytest"), line
        return self._python(words)

    def _renderwright(self, words: list[str]) -> str:
        if words[0] == "play":
            words = [self._reduced(before, word) for before, word in pairwise(["", *words])]
            words = [*words, *(() if "--headless" in words else SHORT), "--validate"]
        for name, module in list(sys.modules.items()):
            if str(getattr(module, "__file__", None)).startswith(f"{self.folder}{os.sep}"):
                del sys.modules[name]  # it may have changed since
        importlib.invalidate_caches()
        self.capture.readouterr()
        code = main(words)
        out, err = self.capture.readouterr()
        assert code == 0, f"{shlex.join(words)}\n{out}{err}"
        return out + err

    def _reduced(self, option: str, word: str) -> str:
        if option == "--frames":
            return str(max(2, int(word) // self.fewer))
        return _SIZE.sub(self._size, word) if option == "--size" else word

    def _size(self, size: re.Match[str]) -> str:
        return "x".join(str(int(number) // self.smaller) for number in size.groups())

    def _install(self, package: Path) -> None:
        """Let the package be found as pip would, from where it is."""
        project = tomllib.loads((package / "pyproject.toml").read_text())["project"]
        described = package / f"{package.name}-{project['version']}.dist-info"
        described.mkdir()
        lines = []
        for group, entries in project["entry-points"].items():
            lines += [f"[{group}]", *(f"{name} = {value}" for name, value in entries.items())]
        (described / "entry_points.txt").write_text("\n".join(lines))
        head = f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n"
        (described / "METADATA").write_text(head)
        self.patch.syspath_prepend(package)
        self.installed.append(str(package))

    def _python(self, words: list[str]) -> str:
        command = [sys.executable, *words, "-p", "no:cacheprovider"]
        variables = {**os.environ, "PYTHONPATH": os.pathsep.join(self.installed)}
        ran = subprocess.run(command, cwd=self.folder, env=variables, capture_output=True, text=True, check=False)
        assert ran.returncode == 0, ran.stdout + ran.stderr
        return ran.stdout


def _has_lines(said: str, text: str, page: str) -> None:
    """``said`` has the lines of a block one after the other, up to the spaces between words; "..." stands for any."""
    heard = iter([" ".join(line.split()) for line in said.splitlines()])
    for line in text.splitlines():
        wanted = " ".join(line.split())
        if wanted not in ("", "..."):
            assert any(wanted in one for one in heard), f"{page} says {line!r} there, and the program:\n{said}"
