"""The rules of the graph, written down a second time in the plainest way, for graphs without chains, slots and errors.

Everything is a loop over everything until nothing changes; only tests can afford that.
"""

from __future__ import annotations

from itertools import pairwise, product

from renderwright.render.graph.requests import NodeDeclaration, Request, Verb
from renderwright.render.graph.snapshot import GraphSnapshot

MAKES = (Verb.CREATE, Verb.EXTERNAL)
READS = (Verb.READ, Verb.HISTORY, Verb.GATHER)


class Model:
    """What the front half of the compiler has to find for a valid snapshot."""

    def __init__(self, snapshot: GraphSnapshot) -> None:
        self.snapshot = snapshot
        self.nodes = {node.name: node for node in snapshot.nodes}
        self.alive = set(self.nodes)
        names = {r.name for n in snapshot.nodes for r in n.requests} | {
            r.to for n in snapshot.nodes for r in n.requests
        }
        self.names = sorted(names - {""})
        self.asks: dict[str, list[tuple[str, Request]]] = {name: [] for name in names}
        self.old_name: dict[str, str] = {}
        for node in snapshot.nodes:
            for request in node.requests:
                self.asks[request.name].append((node.name, request))
                if request.to:
                    self.old_name[request.to] = request.name
                    self.asks[request.to].append((node.name, request))
        self.rows = self._rows()

    # names ----------------------------------------------------------------------------------------------------------

    def who(self, name: str, *verbs: Verb) -> list[str]:
        """Living nodes that do one of these to the name."""
        return sorted({n for n, r in self.asks[name] if n in self.alive and r.name == name and r.verb in verbs})

    def makers(self, name: str) -> list[str]:
        renames = [n for n, r in self.asks[name] if n in self.alive and r.to == name and self.exists(r.name)]
        return self.who(name, *MAKES) + sorted(renames)

    def exists(self, name: str) -> bool:
        return bool(self.makers(name))

    def root(self, name: str) -> str:
        return self.root(self.old_name[name]) if name in self.old_name else name

    def mode(self, name: str) -> frozenset[str]:
        asks = self.asks[self.root(name)]
        return next(self.nodes[n].multiplex or frozenset() for n, r in asks if r.verb in MAKES)

    # edges of nodes -------------------------------------------------------------------------------------------------

    def name_pairs(self, name: str) -> set[tuple[str, str]]:
        if not self.exists(name):
            return set()
        life = [self.makers(name), self.who(name, Verb.MODIFY), self.who(name, *READS), self.who(name, Verb.RENAME)]
        return {(a, b) for i in range(4) for j in range(i + 1, 4) for a in life[i] for b in life[j] if a != b}

    def explicit(self) -> set[tuple[str, str]]:
        every = self.nodes.values()
        wishes = {(n.name, o) for n in every for o in n.before} | {(o, n.name) for n in every for o in n.after}
        return {(a, b) for a, b in wishes if a in self.nodes and b in self.nodes}

    def base(self) -> set[tuple[str, str]]:
        return self.explicit().union(*(self.name_pairs(name) for name in self.names))

    def _rows(self) -> dict[str, list[str]]:
        """The modifiers of every name, the most urgent first, as far back as the graph and the rows before allow."""
        edges = self.base()
        rows: dict[str, list[str]] = {}
        modifiers = {name: self._modifiers(name) for name in self.names if self.exists(name)}
        for name in sorted(modifiers, key=lambda name: [self._urgency(node) for node in modifiers[name]]):
            row: list[str] = []
            for node in modifiers[name]:
                later = closure(node, edges)
                at = next((i for i, other in enumerate(row) if other in later), len(row))
                row.insert(at, node)
            rows[name] = row
            edges |= set(pairwise(row))
        return rows

    def _modifiers(self, name: str) -> list[str]:
        return sorted(self.who(name, Verb.MODIFY), key=self._urgency)

    def _urgency(self, name: str) -> tuple[int, int, str]:
        return (-self.nodes[name].priority, self.nodes[name].index, name)

    def node_pairs(self) -> set[tuple[str, str]]:
        return self.base().union(*(pairwise(row) for row in self.rows.values()))

    # culling --------------------------------------------------------------------------------------------------------

    def cull(self) -> tuple[set[str], set[str]]:
        """Broken and dangling nodes; the others are alive from now on."""
        broken: set[str] = set()
        while new := {n for n in self.alive if self._lacks(self.nodes[n])}:
            broken |= new
            self.alive -= new
        needed = {n for n in self.alive if self.nodes[n].side_effects}
        for name in self.names:
            if self.root(name) in {self.root(sink) for sink in self.snapshot.sinks} and self.exists(name):
                needed |= self._writers(name)
        while new := {w for n in needed for name in self._asks(self.nodes[n]) for w in self._writers(name)} - needed:
            needed |= new
        dangling = self.alive - needed
        self.alive = needed
        return broken, dangling

    def _lacks(self, node: NodeDeclaration) -> bool:
        return any(not r.optional and r.verb not in MAKES and not self.exists(r.name) for r in node.requests)

    def _asks(self, node: NodeDeclaration) -> set[str]:
        return {r.name for r in node.requests if r.verb not in MAKES and self.exists(r.name)}

    def _writers(self, name: str) -> set[str]:
        return {*self.makers(name), *self.who(name, Verb.MODIFY)}

    # instances ------------------------------------------------------------------------------------------------------

    def indices(self, mode: frozenset[str]) -> list[dict[str, int]]:
        counts = dict(self.snapshot.counts)
        dims = [d for d in self.snapshot.dimensions if d in mode]
        return [dict(zip(dims, numbers, strict=True)) for numbers in product(*(range(counts.get(d, 1)) for d in dims))]

    def id(self, name: str, index: dict[str, int]) -> str:
        counts = dict(self.snapshot.counts)
        shown = ",".join(f"{d}={n}" for d, n in index.items() if counts.get(d, 1) > 1)
        return f"{name}@{shown}" if shown else name

    def instances(self) -> dict[str, tuple[str, dict[str, int]]]:
        return {self.id(n, i): (n, i) for n in sorted(self.alive) for i in self.indices(self.nodes[n].multiplex)}

    def uses(self, node: str, index: dict[str, int]) -> list[list[str]]:
        """Resource instances of every request, in request order."""
        found = []
        for request in self.nodes[node].requests:
            made = request.verb in MAKES or self.exists(request.name)
            where = self.indices(self.mode(request.name)) if made else []
            found.append([self.id(self.root(request.name), i) for i in where if agree(i, index)])
        return found

    def instance_pairs(self) -> set[tuple[str, str]]:
        instances = self.instances()
        shared: set[tuple[str, str]] = set()
        for name in self.names:
            if not self.exists(name):
                continue
            pairs = self.name_pairs(name)
            row = [n for n in self.rows.get(name, ()) if n in self.alive]
            involved = {n for pair in pairs for n in pair} | set(row)
            for resource in self.indices(self.mode(name)):
                users = {k: (n, i) for k, (n, i) in instances.items() if n in involved and agree(i, resource)}
                shared |= {(a, b) for a, (n, _) in users.items() for b, (m, _) in users.items() if (n, m) in pairs}
                line = [k for n in row for k, (m, _) in users.items() if m == n]
                shared |= set(pairwise(line))
                shared |= set(pairwise(k for k, (m, _) in users.items() if m in self.who(name, Verb.RENAME)))
        for a, b in self.bridged():
            for first, (n, i) in instances.items():
                shared |= {(first, k) for k, (m, j) in instances.items() if (n, m) == (a, b) and agree(i, j)}
        return shared

    def bridged(self) -> set[tuple[str, str]]:
        """Declared orders of living nodes, also through nodes that are not alive."""
        pairs = self.explicit()
        gone = set(self.nodes) - self.alive
        while new := {(a, d) for a, b in pairs if b in gone for c, d in pairs if b == c} - pairs:
            pairs |= new
        return {(a, b) for a, b in pairs if a in self.alive and b in self.alive}


def closure(start: str, edges: set[tuple[str, str]]) -> set[str]:
    """Everything after ``start``."""
    found = {start}
    while new := {b for a, b in edges if a in found} - found:
        found |= new
    return found - {start}


def agree(first: dict[str, int], second: dict[str, int]) -> bool:
    return all(first[d] == second[d] for d in first if d in second)
