"""Builds the documentation as a site, by zensical, and checks every link and anchor in it.

Pages are those of docs/ and, from the top of the repository, README.md as the first one, CONTRIBUTING.md and
CHANGELOG.md.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

ROOT = Path(__file__).resolve().parents[1]
PAGES = ROOT / "build" / "site" / "pages"
HTML = ROOT / "build" / "site" / "html"
TOP = {"README.md": "index.md", "CONTRIBUTING.md": "CONTRIBUTING.md", "CHANGELOG.md": "CHANGELOG.md"}
"""Files at the top of the repository, with their names on the site."""
_LINK = re.compile(r"\]\((?P<target>[^)\s]+)\)")
_REMOTE = re.compile(r"[a-z]+:")


def main() -> int:
    """Build the site; returns 1, with a line for each, if a link or an anchor leads nowhere."""
    gather(PAGES)
    shutil.rmtree(HTML, ignore_errors=True)
    command = [sys.executable, "-m", "zensical", "build", "--strict", "--clean"]
    built = subprocess.run(command, cwd=ROOT, env={**os.environ, "NO_COLOR": "1"}, check=False)
    if built.returncode:
        return 1
    wrong = list(broken_links(HTML))
    for line in wrong:
        print(line, file=sys.stderr)
    print(f"{len(list(HTML.rglob('*.html')))} pages in {HTML.relative_to(ROOT)}, {len(wrong)} broken links")
    return 1 if wrong else 0


def gather(folder: Path) -> None:
    """Copy all pages and pictures to a folder, with links as the site needs them."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(ROOT / "docs", folder)
    for page in folder.rglob("*.md"):
        up = "../" * len(page.relative_to(folder).parents)
        first = f"{up.removeprefix('../')}{TOP['README.md']}"
        page.write_text(page.read_text(encoding="utf-8").replace(f"]({up}README.md", f"]({first}"), encoding="utf-8")
    for source, name in TOP.items():
        text = (ROOT / source).read_text(encoding="utf-8")
        (folder / name).write_text(_LINK.sub(lambda link: f"]({_on_site(link['target'])})", text), encoding="utf-8")
    shutil.copy(ROOT / "LICENSE", folder / "LICENSE.txt")


def _on_site(target: str) -> str:
    """Where a link of a file at the top of the repository leads on the site."""
    if target.startswith("docs/"):
        return target.removeprefix("docs/")
    plugin = re.fullmatch(r"plugins/(\w+)/?", target)
    if plugin:
        return f"effects/{plugin[1]}.md"
    return {**TOP, "LICENSE": "LICENSE.txt"}.get(target, target)


class _Page(HTMLParser):
    """The links of a page, and the anchors in it."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.anchors: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        """Collect what a tag has."""
        values = dict(attributes)
        self.anchors.update(value for key in ("id", "name") if (value := values.get(key)))
        link = values.get("href") if tag == "a" else values.get("src") if tag == "img" else None
        if link:
            self.links.append(unquote(link))


def broken_links(folder: Path) -> Iterator[str]:
    """Links of the pages in a folder that lead to no file or no anchor there, a line each."""
    pages = {path.resolve(): _Page(path.read_text(encoding="utf-8")) for path in sorted(folder.rglob("*.html"))}
    for path, page in pages.items():
        for link in dict.fromkeys(page.links):
            if _REMOTE.match(link) or path.name == "404.html":
                continue
            target, _, anchor = link.partition("#")
            found = (path.parent / target).resolve() if target else path
            if found.is_dir():
                found = found / "index.html"
            if not found.exists():
                yield f"{path.relative_to(folder)}: {link} leads nowhere"
            elif anchor and found in pages and anchor not in pages[found].anchors:
                yield f"{path.relative_to(folder)}: {link} has no such anchor"


if __name__ == "__main__":
    sys.exit(main())
