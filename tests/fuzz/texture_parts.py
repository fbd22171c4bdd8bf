"""Nodes of random graphs that make one texture together, each of them a mip of a layer, from others of its parts."""

from __future__ import annotations

import random
from collections.abc import Iterator

from declare_helpers import request

from renderwright.render.errors import SourceLocation
from renderwright.render.graph.requests import FirstFrame, NodeDeclaration, Request, Verb
from renderwright.render.types.parts import Part
from renderwright.render.types.resources import Resolution, Texture
from renderwright.render.types.usages import Usage

PARTED = "parts/texture"
HERE = SourceLocation("texture_parts.py")


def part(mip: int, layer: int) -> Part:
    return Part((mip, 1), (layer, 1))


def part_nodes(rng: random.Random, number: int) -> Iterator[NodeDeclaration]:
    """A creator of one part and up to five nodes that add or change others, ``number`` the first one's index."""
    size = rng.choice([(16, 16), Resolution("main"), Resolution("half")])
    desc = Texture(rng.choice(["rgba8_unorm", "rgba16_sfloat"]), size, mips=3, layers=rng.choice([1, 3]))
    parts = [(mip, layer) for mip in range(desc.mips) for layer in range(desc.layers)]
    made = [(rng.choice(parts), "parts/0")]
    first = made[0][0]
    clear = (0.4, 0.2, 0.6, 0.8)
    create = request(Verb.CREATE, PARTED, desc=desc, usage=Usage.COLOR, clear=clear, part=part(*first))
    mode = rng.choice([frozenset[str](), frozenset({"view"})])
    yield NodeDeclaration("parts/0", "", HERE, number, (create,), multiplex=mode)
    for step in range(1, rng.randint(2, 6)):
        name = f"parts/{step}"
        written = rng.choice(parts)
        requests = [_write(rng, written)]
        sources = [(place, maker) for place, maker in made if place != written]
        after: tuple[str, ...] = ()
        if sources:
            place, maker = rng.choice(sources)
            after = (maker,)
            requests.append(request(Verb.READ, PARTED, usage=Usage.SAMPLED, part=part(*place)))
        if rng.random() < 0.3:
            past = {"usage": Usage.SAMPLED, "part": part(*rng.choice(parts)), "first": rng.choice(list(FirstFrame))}
            requests.append(request(Verb.HISTORY, PARTED, **past))
        made.append((written, name))
        yield NodeDeclaration(name, "", HERE, number + step, tuple(requests), after=after, priority=rng.randrange(2))


def _write(rng: random.Random, place: tuple[int, int]) -> Request:
    usage = rng.choice([Usage.COLOR, Usage.STORAGE, Usage.STORAGE_WRITE])
    return request(Verb.MODIFY, PARTED, usage=usage, part=part(*place))
