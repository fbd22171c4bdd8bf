"""Random graphs for the stages up to ``order``: valid ones, and ones with every kind of mistake."""

from __future__ import annotations

import random

from declare_helpers import graph, member, node, request

from renderwright.render.graph.requests import Verb
from renderwright.render.graph.snapshot import Chain, GraphSnapshot
from renderwright.render.types.resources import Texture
from renderwright.render.types.usages import Usage

MODES = ["", "view", "eye", "view eye"]
COLOR = Texture("rgba8_unorm", (8, 8))


def valid_graph(seed: int) -> GraphSnapshot:
    """A graph without errors: nodes stand in a hidden order, and each name is used in the order of its life."""
    rng = random.Random(seed)
    count = rng.randrange(2, 14)
    modes = [rng.choice(MODES if seed % 2 else MODES[:2]) for _ in range(count)]
    requests = [[] for _ in range(count)]

    def fits(user: int, maker: int) -> bool:
        return set(modes[maker].split()) <= set(modes[user].split())

    for number in range(rng.randrange(1, 10)):
        at = root = rng.randrange(count)
        name = f"r{number}"
        ghost = rng.random() < 0.15  # nobody creates it
        if not ghost:
            requests[at].append(request(rng.choice([Verb.CREATE, Verb.CREATE, Verb.EXTERNAL]), name, desc=COLOR))
        external = any(r.verb is Verb.EXTERNAL for r in requests[at])
        for renames in range(3):
            writing, reading = sorted(rng.randrange(at, count + 1) for _ in range(2))
            modifier = None
            for user in range(at + 1, count):
                optional = rng.random() < 0.3
                if rng.random() < 0.6 and user < writing and (ghost or fits(user, root)):
                    requests[user].append(request(Verb.MODIFY, name, optional=optional))
                    modifier = user
                elif rng.random() < 0.35 and writing <= user < reading:
                    verbs = [Verb.GATHER] if not ghost and not fits(user, root) else [Verb.READ, Verb.GATHER]
                    requests[user].append(request(rng.choice(verbs), name, optional=optional))
            if modifier is not None and rng.random() < 0.2:  # the last one may read what it modifies
                requests[modifier].append(request(Verb.READ, name))
            last = [user for user in range(reading, count) if user > at and (ghost or fits(user, root))]
            if not last or rng.random() < 0.5:
                if last and not external and rng.random() < 0.5:
                    requests[last[-1]].append(request(Verb.HISTORY, name, optional=rng.random() < 0.3))
                break
            at = last[0]
            requests[at].append(request(Verb.RENAME, name, to=f"{name}_{renames}", optional=rng.random() < 0.3))
            name = f"{name}_{renames}"
    later = [(a, b) for b in range(count) for a in range(b) if fits(a, b) or fits(b, a)]
    orders = [pair for pair in later if rng.random() < 0.15]
    labels = rng.sample([f"n{i}" for i in range(count)], count)
    nodes = [
        node(
            labels[i],
            *requests[i],
            mode=modes[i],
            before=tuple(labels[b] for a, b in orders if a == i and (a + b) % 2),
            after=tuple(labels[a] for a, b in orders if b == i and not (a + b) % 2),
            sink=rng.random() < 0.2,
            priority=rng.randrange(3),
            index=rng.randrange(5),
        )
        for i in range(count)
    ]
    made = sorted({r.creates for n in nodes for r in n.requests if r.verb in (Verb.CREATE, Verb.EXTERNAL)})
    sinks = tuple(rng.sample(made, min(len(made), rng.randrange(3))))
    return graph(*shuffled(nodes, rng), sinks=sinks, counts=(("view", rng.randrange(1, 4)), ("eye", 2)))


def wild_graph(seed: int) -> GraphSnapshot:
    """Anything at all: double creators, cycles, loops of names, wrong kinds, chains that miss members."""
    rng = random.Random(seed)
    words = ["a", "b", "c", "d", "slot", "hdr", "out", "end", "post/n1"]
    nodes = []
    for number in range(rng.randrange(1, 12)):
        requests = []
        for _ in range(rng.randrange(4)):
            verb = rng.choice(list(Verb))
            desc = rng.choice([COLOR, COLOR, COLOR, None]) if verb in (Verb.CREATE, Verb.EXTERNAL) else None
            to = rng.choice(words) if verb is Verb.RENAME else ""
            usage = rng.choice([None, None, None, Usage.SAMPLED, Usage.VERTEX])
            requests.append(
                request(verb, rng.choice(words), desc=desc, to=to, usage=usage, optional=rng.random() < 0.3)
            )
        others = [f"n{rng.randrange(14)}" for _ in range(2)]
        more = {"mode": rng.choice(MODES[:2]), "sink": rng.random() < 0.4, "priority": rng.randrange(2)}
        if rng.random() < 0.3:
            chain = rng.choice(["post", "post", "last", "none"])
            nodes.append(member(f"n{number}", chain, *requests, before=(others[0],), after=(others[1],), **more))
        else:
            order = {"before": tuple(others[: rng.randrange(2)]), "after": tuple(others[1 : 1 + rng.randrange(2)])}
            nodes.append(node(f"n{number}", *requests, **order, **more))
    chains = (Chain("post", rng.choice(words), "out"), Chain("last", rng.choice(words), "end"))
    slots = (("slot", rng.choice(words)),)
    return graph(*nodes, chains=chains, slots=slots, sinks=tuple(rng.sample(words, 2)), counts=(("view", 2),))


def shuffled(items, rng):
    items = list(items)
    rng.shuffle(items)
    return items
