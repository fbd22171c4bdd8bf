"""Wrong names and orders of whole graphs, each with all that a person is told about it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from declare_helpers import create, graph, history, member, modify, node, read, rename

from renderwright.render.graph.requests import NodeDeclaration
from renderwright.render.graph.snapshot import Chain, GraphSnapshot


@dataclass(frozen=True)
class Wrong:
    """A graph, the error, and who leaves. ``where`` names places: ``a`` is node a, ``a.0`` its first request."""

    snapshot: GraphSnapshot
    message: str
    hint: str
    where: tuple[str, ...]
    removed: tuple[str, ...]

    @property
    def places(self) -> set[str]:
        """The places as they are printed."""
        nodes = {one.name: one for one in self.snapshot.nodes}
        found = set()
        for place in self.where:
            name, _, number = place.partition(".")
            found.add(str(nodes[name].requests[int(number)].source if number else nodes[name].source))
        return found


def wrong(*nodes: NodeDeclaration, message: str, hint: str, where: str = "", removed: str = "", **more: Any) -> Wrong:
    """The nodes' graph; ``where`` and ``removed`` are words."""
    return Wrong(graph(*nodes, **more), message, hint, tuple(where.split()), tuple(removed.split()))


POST = (Chain("post", "hdr", "final"),)

NAMES = {
    "two-creators": wrong(
        node("p/a", create("x")),
        node("q/a", create("x")),
        message="`x` is created by `p/a` and `q/a`; `p/a` stays (larger priority, then name)",
        hint="rename one of them",
        where="p/a.0 q/a.0",
        removed="q/a",
    ),
    "two-creators of two plugins": wrong(
        node("p/a", create("x")),
        replace(node("q/a", create("x")), plugin="q"),
        message="`x` is created by `p/a` and `q/a`; `p/a` stays, since plugin `test` came first",
        hint="disable one of the plugins `test` and `q`",
        where="p/a.0 q/a.0",
        removed="q/a",
    ),
    "two-creators, one a rename": wrong(
        node("a", create("x")),
        node("b", create("y"), priority=2),
        node("c", rename("x", "y")),
        message="`y` is created by `b` and `c`; `b` stays (larger priority, then name)",
        hint="rename one of them",
        where="b.0 c.0",
        removed="c",
    ),
    "renamed-twice": wrong(
        node("a", create("x")),
        node("b", rename("x", "y")),
        node("c", rename("x", "z")),
        message="`x` is renamed by `b` and `c`; `b` stays (larger priority, then name)",
        hint="rename the first one's new name instead",
        where="b.0 c.0",
        removed="c",
    ),
    "rename": wrong(
        node("a", create("x")),
        node("b", rename("x", "x")),
        message="`b` renames `x` to itself",
        hint="give the new name",
        where="b.0",
        removed="b",
    ),
    "rename, of what the own namespace hides": wrong(
        node("a", create("depth")),
        node("p/b", rename("depth", "p/depth")),
        message="`p/b` renames `p/depth` to itself",
        hint="a slash in front of the old one, as in `/depth`, means the one outside of all namespaces",
        where="p/b.0",
        removed="p/b",
    ),
    "two-nodes": wrong(
        node("a", create("x"), priority=1),
        replace(node("a", create("y")), source=node("a").source),
        message="there are two nodes `a`; the one declared at plugin.py:",
        hint="rename one of them",
        removed="",
    ),
    "name": wrong(
        node("a", create("x@view=1")),
        message="`a` creates `x@view=1`",
        hint='a name is not empty, and has no "@"',
        where="a.0",
        removed="a",
    ),
    "name, empty": wrong(
        node("a", create("x")),
        node("b", rename("x", "")),
        message="`b` renames `x` to ``",
        hint="a name is not empty",
        where="b.0",
        removed="b",
    ),
    "name, of a node": wrong(
        node("a@view=0", create("x")),
        message="a node is called `a@view=0`",
        hint='has no "@", which stands in front of the numbers of an instance',
        where="a@view=0",
        removed="a@view=0",
    ),
    "name, which a chain gives": wrong(
        node("light", create("hdr")),
        member("grade", "post"),
        node("evil", create("post/grade.source")),
        message="`evil` creates `post/grade.source`, which is what the member `grade` of chain `post` gets",
        hint="give it another name",
        where="evil.0",
        removed="evil",
        chains=POST,
    ),
    "name-defined-twice": wrong(
        node("a", create("x"), create("y")),
        message="slot `s` stands for `x` and for `y`; the first is kept",
        hint="define the slot once",
        slots=(("s", "x"), ("s", "y")),
    ),
    "name-defined-twice, chain and slot": wrong(
        node("a", create("hdr")),
        message="`final` is a slot (for `hdr`) and the output of chain `post`; it means the latter",
        hint="rename the slot",
        slots=(("final", "hdr"),),
        chains=POST,
    ),
    "name-loop": wrong(
        node("a", create("x")),
        message="the names `s` -> `t` -> `s` stand for one another in a loop, so none of them means a resource",
        hint="let one of `s` and `t` stand for a created resource",
        slots=(("s", "t"), ("t", "s")),
    ),
    "chain-input": wrong(
        node("light", create("hdr_lit")),
        replace(node("show", read("final"), sink=True), plugin=""),
        message="the input of chain `post` is `hdr_li`, which nobody creates",
        hint="did you mean `hdr_lit`?",
        chains=(Chain("post", "hdr_li", "final"),),
    ),
    "no-sink": wrong(
        node("a", create("picture")),
        message="the frame is made for `pictures`, which nobody creates",
        hint="did you mean `picture`?",
        sinks=("pictures",),
    ),
    "unknown-chain": wrong(
        node("light", create("hdr")),
        member("grade", "pots"),
        message="`grade` wants to join the chain `pots`, which this graph does not have",
        hint='did you mean "post"?',
        where="grade.0 grade.1",
        removed="grade",
        chains=POST,
    ),
    "chain-output": wrong(
        node("light", create("hdr")),
        node("bad", create("final")),
        message="`bad` creates `final`, which is the output of the chain `post`",
        hint='join the chain by reg.chain("post"), or change `hdr`, its input, which `light` makes at plugin.py:',
        where="bad.0",
        removed="bad",
        chains=POST,
    ),
    "chain-cycle": wrong(
        node("light", create("hdr")),
        member("a", "post", after=("b",)),
        member("b", "post", after=("a",)),
        message="in chain `post` the wishes `a` before `b`, `b` before `a` contradict one another and are ignored",
        hint="drop one of these before/after",
        where="a b",
        chains=POST,
    ),
    "chain-defined-twice": wrong(
        node("light", create("hdr")),
        message="chain `post` is defined from `hdr` to `final` and from `hdr` to `other`; the first is kept",
        hint="define it once",
        chains=(*POST, Chain("post", "hdr", "other")),
    ),
}

ORDER = {
    "cycle": wrong(
        node("a", create("x"), read("z")),
        node("b", create("y"), read("x")),
        node("c", create("z"), read("y")),
        message="these nodes wait for one another in a cycle: `a` -> `b` (created, then read: `x`) -> `c` "
        "(created, then read: `y`) -> `a` (created, then read: `z`)",
        hint="`c` is left out; let one of them read another resource, or last frame's (history)",
        where="a b c",
        removed="c",
    ),
    "cycle of a wish": wrong(
        node("a", create("x"), after=("b",)),
        node("b", read("x")),
        message="`a` -> `b` (created, then read: `x`) -> `a` (declared before/after)",
        hint="that `b` runs before `a` is ignored; take this before/after out of its declaration",
        where="a b",
    ),
    "cycle of a history and a modifier": wrong(
        node("a", create("x"), history("x")),
        node("m", modify("x")),
        message="`a` -> `m` (created, then modified: `x`) -> `a` (modified, then read: `x`)",
        hint="`m` is left out",
        where="a m",
        removed="m",
    ),
    "mode": wrong(
        node("a", create("x"), mode="view eye"),
        node("b", read("x"), mode="tile"),
        message="`b` runs for each `tile` and cannot use `x`, which `a` creates for each `eye` and `view`",
        hint="multiplex `b` over `eye`, `view` too, or gather `x` to get all of its instances",
        where="b.0 a.0",
        removed="b",
    ),
    "mode of those in order": wrong(
        node("a", mode="view"),
        node("b", mode="eye", after=("a",)),
        message="`a` with the mode {view} is declared to run before `b` with the mode {eye}, but neither mode "
        "holds the other",
        hint="order them through a node whose mode both hold",
        where="a b",
        removed="b",
    ),
    "dimension": wrong(
        node("a", create("x"), mode="veiw"),
        message="`a` is multiplexed over `veiw`, which is no dimension of this graph",
        hint='did you mean "view"?',
        where="a",
        removed="a",
    ),
    "dimension of multiview": wrong(
        replace(node("a", create("x")), multiview="veiw"),
        message="`a` draws at once over `veiw`, which is no dimension of this graph",
        hint='did you mean "view"?',
        where="a",
        removed="a",
    ),
}
