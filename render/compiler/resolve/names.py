"""Indirect names: slots, and the outputs of chains."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from renderwright.render.compiler.diagnostics.faults import error, quoted
from renderwright.render.compiler.diagnostics.findings import Problem
from renderwright.render.graph.snapshot import Chain


@dataclass(frozen=True)
class Indirections:
    """Slots and chains without contradictions and loops.

    ``slots`` maps a slot to the name it stands for; ``outputs`` maps a chain's output to the chain's name.
    """

    slots: Mapping[str, str]
    chains: Mapping[str, Chain]
    outputs: Mapping[str, str]
    problems: tuple[Problem, ...]

    def follow_slots(self, name: str) -> str:
        """The name that a slot stands for in the end; any other name is itself."""
        while name in self.slots:
            name = self.slots[name]
        return name


def indirections(slot_pairs: Sequence[tuple[str, str]], defined: Sequence[Chain]) -> Indirections:
    """The slots and chains of a snapshot; what contradicts itself is reported, and one meaning kept."""
    problems: list[Problem] = []
    chains: dict[str, Chain] = {}
    for chain in sorted(set(defined), key=lambda chain: (chain.name, chain.input, chain.output)):
        kept = chains.setdefault(chain.name, chain)
        if kept is not chain:
            message = (
                f"chain `{chain.name}` is defined from `{kept.input}` to `{kept.output}` and from `{chain.input}` to "
                f"`{chain.output}`; the first is kept"
            )
            problems.append(error("chain-defined-twice", message, "define it once", ()))
    outputs: dict[str, str] = {}
    for chain in chains.values():
        owner = outputs.setdefault(chain.output, chain.name)
        if owner != chain.name:
            message = (
                f"chains `{owner}` and `{chain.name}` both end in `{chain.output}`; it means the first one's result"
            )
            problems.append(error("name-defined-twice", message, "give each chain an output of its own", ()))
    slots: dict[str, str] = {}
    for slot, target in sorted(set(slot_pairs)):
        if slot in outputs:
            message = (
                f"`{slot}` is a slot (for `{target}`) and the output of chain `{outputs[slot]}`; it means the latter"
            )
            problems.append(error("name-defined-twice", message, "rename the slot", ()))
        elif slots.setdefault(slot, target) != target:
            message = f"slot `{slot}` stands for `{slots[slot]}` and for `{target}`; the first is kept"
            problems.append(error("name-defined-twice", message, "define the slot once", ()))
    for loop in _loops(slots | {output: chains[name].input for output, name in outputs.items()}):
        for name in loop:
            slots.pop(name, None)
            outputs.pop(name, None)
        path = " -> ".join(f"`{name}`" for name in (*loop, loop[0]))
        message = f"the names {path} stand for one another in a loop, so none of them means a resource"
        problems.append(error("name-loop", message, f"let one of {quoted(loop)} stand for a created resource", ()))
    return Indirections(slots, chains, outputs, tuple(problems))


def _loops(table: Mapping[str, str]) -> list[list[str]]:
    """Every loop of the map, each from its smallest name on."""
    done: set[str] = set()
    loops = []
    for start in sorted(table):
        path: list[str] = []
        name = start
        while name in table and name not in done:
            done.add(name)
            path.append(name)
            name = table[name]
        if name in path:
            loop = path[path.index(name) :]
            first = loop.index(min(loop))
            loops.append(loop[first:] + loop[:first])
    return loops
