"""Indirect names: slots, and the outputs of chains."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from renderwright.render.compiler.diagnostics.faults import error, quoted
from renderwright.render.compiler.diagnostics.findings import Problem
from renderwright.render.graph.snapshot import Chain


@dataclass(frozen=True)
class IndirectNames:
    """Slots and chains without contradictions and loops.

    ``slots`` maps a slot to its target. ``outputs`` maps the output of a chain to the chain's name.
    """

    slots: Mapping[str, str]
    chains: Mapping[str, Chain]
    outputs: Mapping[str, str]
    problems: tuple[Problem, ...]

    def follow_slots(self, name: str) -> str:
        """The target at the end of a sequence of slots; any other name is itself."""
        while name in self.slots:
            name = self.slots[name]
        return name


def indirect_names(slot_pairs: Iterable[tuple[str, str]], defined: Iterable[Chain]) -> IndirectNames:
    """The slots and chains of a snapshot. Contradictions are reported, and the first definition is kept."""
    problems: list[Problem] = []
    chains = _chains(defined, problems)
    outputs = _outputs(chains, problems)
    slots = _slots(slot_pairs, outputs, problems)
    for loop in _loops(slots | {output: chains[name].input for output, name in outputs.items()}):
        for name in loop:
            slots.pop(name, None)
            outputs.pop(name, None)
        path = " -> ".join(f"`{name}`" for name in (*loop, loop[0]))
        message = f"the names {path} stand for one another in a loop, so none of them means a resource"
        problems.append(error("name-loop", message, f"let one of {quoted(loop)} stand for a created resource", ()))
    return IndirectNames(slots, chains, outputs, tuple(problems))


def _chains(defined: Iterable[Chain], problems: list[Problem]) -> dict[str, Chain]:
    """Chains by name, in order of name."""
    chains: dict[str, Chain] = {}
    for chain in sorted(set(defined), key=lambda chain: (chain.name, chain.input, chain.output)):
        kept = chains.setdefault(chain.name, chain)
        if kept is not chain:
            message = (
                f"chain `{chain.name}` is defined from `{kept.input}` to `{kept.output}` and from `{chain.input}` to "
                f"`{chain.output}`; the first is kept"
            )
            problems.append(error("chain-defined-twice", message, "define it once", ()))
    return chains


def _outputs(chains: Mapping[str, Chain], problems: list[Problem]) -> dict[str, str]:
    """The chain of each output name."""
    outputs: dict[str, str] = {}
    for chain in chains.values():
        owner = outputs.setdefault(chain.output, chain.name)
        if owner != chain.name:
            message = (
                f"chains `{owner}` and `{chain.name}` both end in `{chain.output}`; it means the first one's result"
            )
            problems.append(error("name-defined-twice", message, "give each chain an output of its own", ()))
    return outputs


def _slots(pairs: Iterable[tuple[str, str]], outputs: Mapping[str, str], problems: list[Problem]) -> dict[str, str]:
    """The target of each slot."""
    slots: dict[str, str] = {}
    for slot, target in sorted(set(pairs)):
        if slot in outputs:
            message = (
                f"`{slot}` is a slot (for `{target}`) and the output of chain `{outputs[slot]}`; it means the latter"
            )
            problems.append(error("name-defined-twice", message, "rename the slot", ()))
        elif slots.setdefault(slot, target) != target:
            message = f"slot `{slot}` stands for `{slots[slot]}` and for `{target}`; the first is kept"
            problems.append(error("name-defined-twice", message, "define the slot once", ()))
    return slots


def _loops(targets: Mapping[str, str]) -> list[list[str]]:
    """Every loop of the map, starting at its smallest name."""
    visited: set[str] = set()
    loops: list[list[str]] = []
    for start in sorted(targets):
        path: list[str] = []
        name = start
        while name in targets and name not in visited:
            visited.add(name)
            path.append(name)
            name = targets[name]
        if name in path:
            loops.append(_from_smallest(path[path.index(name) :]))
    return loops


def _from_smallest(loop: Sequence[str]) -> list[str]:
    first = loop.index(min(loop))
    return [*loop[first:], *loop[:first]]
