"""Aliases: the name that each indirect name stands for once slots and chains are followed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from renderwright.render.compiler.resolve.chains import ThreadedChains
from renderwright.render.compiler.resolve.names import IndirectNames
from renderwright.render.graph.requests import Request, Verb, chain_result_name, chain_source_name


@dataclass(frozen=True)
class Aliases:
    """The final meaning of the names in requests.

    ``targets`` maps slots, the outputs of chains and the sources of chain members to names that are no aliases.
    """

    indirect: IndirectNames
    chains: ThreadedChains
    targets: Mapping[str, str]

    def target(self, name: str) -> str:
        """The name that an alias stands for; any other name is itself."""
        return self.targets.get(name, name)

    def name_of(self, node: str, request: Request) -> str:
        """The name that a request of ``node`` is for; '' for a request to an unknown chain."""
        if not request.chain:
            return self.targets.get(request.name, request.name)
        if request.chain not in self.indirect.chains:
            return ""
        if request.verb is Verb.CREATE:
            return chain_result_name(request.chain, node)
        return self.target(self.chains.inputs[node, request.chain])


def aliases_of(indirect: IndirectNames, chains: ThreadedChains) -> Aliases:
    """Follow every slot, chain output and chain source to its end."""
    table = dict(indirect.slots) | {output: chains.results[chain] for output, chain in indirect.outputs.items()}
    table |= {chain_source_name(chain, node): given for (node, chain), given in chains.inputs.items()}
    targets = {}
    for start in table:
        name = start
        visited = set()
        while name in table and name not in visited:
            visited.add(name)
            name = table[name]
        targets[start] = name
    return Aliases(indirect, chains, targets)
